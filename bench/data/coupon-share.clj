; The share of orders with a coupon by currency, tags of such orders, and large or gift orders.
(defn share [part whole]
  (if (zero? (count whole)) 0.0 (/ (Math/round (* 1000.0 (/ (count part) (count whole)))) 10.0)))

(let [big? (fn [order] (some (fn [line] (> (* (:quantity line) (:price line)) 800)) (:lines order)))
      gift? (fn [order] (some #{"gift"} (:tags order)))
      cheap? (fn [order] (every? #(< (:price %) 100) (:lines order)))]
  (return
    (for [[currency orders] (sort (group-by :currency ctx/orders))
          :let [with-coupon (filter :coupon orders)]]
      {:currency currency
       :orders (count orders)
       :coupon_share (share with-coupon orders)
       :coupons (frequencies (map :coupon with-coupon))
       :tags (into (sorted-set) (mapcat :tags) with-coupon)
       :big (count (filter big? orders))
       :gifts (count (filter gift? with-coupon))
       :cheap_share (share (filter cheap? orders) orders)})))

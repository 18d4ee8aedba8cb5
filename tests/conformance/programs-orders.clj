;; id: revenue-by-customer
;; ctx: @orders
(->> ctx/orders
     (filter #(= "shipped" (:status %)))
     (group-by :customer)
     (map (fn [[customer os]]
            {:customer customer
             :revenue (reduce + (map :total os))}))
     (sort-by :revenue >)
     vec)

;; id: total-after-discounts
;; ctx: @orders
(let [discount-for (fn [customer] (get ctx/discounts (keyword customer) 0))
      net (fn [{:keys [customer total]}]
            (* total (- 1 (discount-for customer))))]
  (->> ctx/orders
       (remove #(= "cancelled" (:status %)))
       (map net)
       (reduce + 0)
       (format "%.2f")))

;; id: line-item-totals
;; ctx: @orders
(for [{:keys [id items total]} ctx/orders
      :let [computed (reduce + 0 (map #(* (:qty %) (:price %)) items))]
      :when (not (== computed total))]
  {:id id
   :stated total
   :computed computed})

;; id: units-per-sku
;; ctx: @orders
(->> ctx/orders
     (mapcat :items)
     (reduce (fn [acc {:keys [sku qty]}]
               (update acc sku (fnil + 0) qty))
             {})
     (sort-by (juxt (comp - val) key))
     (mapv (fn [[sku n]] (str sku "=" n))))

;; id: status-counts
;; ctx: @orders
(let [counts (frequencies (map :status ctx/orders))]
  {:shipped (get counts "shipped" 0)
   :pending (get counts "pending" 0)
   :cancelled (get counts "cancelled" 0)
   :returned (get counts "returned" 0)
   :all (count ctx/orders)})

;; id: first-and-last-order
;; ctx: @orders
(let [sorted (sort-by :date ctx/orders)
      oldest (first sorted)
      newest (last sorted)]
  {:first (:id oldest)
   :last (:id newest)
   :span [(:date oldest) (:date newest)]})

;; id: monthly-report
;; ctx: @orders
(->> ctx/orders
     (group-by #(subs (:date %) 0 7))
     (sort-by key)
     (map (fn [[month os]]
            [month
             {:orders (count os)
              :total (reduce + (map :total os))}]))
     (into []))

;; id: biggest-order-line
;; ctx: @orders
(let [lines (for [o ctx/orders
                  item (:items o)]
              {:order (:id o)
               :sku (:sku item)
               :amount (* (:qty item) (:price item))})
      biggest (apply max-key :amount lines)]
  (select-keys biggest [:order :amount]))

;; id: orders-over-minimum
;; ctx: @orders
(let [minimum ctx/min_total
      big? (fn [o] (>= (:total o) minimum))
      {yes true no false} (group-by big? ctx/orders)]
  {:qualified (mapv :id yes)
   :rejected (mapv :id no)})

;; id: customer-summary-text
;; ctx: @orders
(->> (group-by :customer ctx/orders)
     (sort-by first)
     (map (fn [[c os]]
            (format "%-10s %2d orders %8.2f"
                    c
                    (count os)
                    (reduce + 0.0 (map :total os)))))
     (clojure.string/join "\n"))

;; id: average-order-value
;; ctx: @orders
(let [shipped (filter (comp #{"shipped"} :status) ctx/orders)
      n (count shipped)
      total (reduce + (map :total shipped))]
  (if (zero? n)
    nil
    (/ (Math/round (* 100.0 (/ total n))) 100.0)))

;; id: average-quantity-exact
;; ctx: @orders
(let [quantities (->> ctx/orders
                      (mapcat :items)
                      (map :qty))
      total (reduce + quantities)
      n (count quantities)]
  {:total total
   :n n
   :avg (/ total n)})

;; id: index-by-id
;; ctx: @orders
(let [by-id (into {} (map (juxt :id identity) ctx/orders))
      wanted ["o-1004" "o-9999" "o-1001"]]
  (mapv (fn [id]
          (if-let [o (get by-id id)]
            (:customer o)
            :not-found))
        wanted))

;; id: coupon-orders
;; ctx: @orders
(let [with-coupon (filter #(contains? % :coupon) ctx/orders)
      without (remove :coupon ctx/orders)]
  [(count with-coupon)
   (count without)
   (:coupon (first with-coupon))
   (some? (:coupon (second ctx/orders)))])

;; id: running-total
;; ctx: @orders
(loop [os (sort-by :date ctx/orders)
       running 0
       out []]
  (if-let [o (first os)]
    (let [running (+ running (:total o))]
      (recur (rest os) running (conj out [(:id o) running])))
    out))

;; id: pareto
;; ctx: @orders
(let [totals (->> ctx/orders (map :total) (sort >))
      all (reduce + totals)
      target (* 0.8 all)]
  (loop [n 0 acc 0.0 [t & more] totals]
    (if (or (>= acc target) (nil? t))
      {:orders n :share (format "%.1f%%" (* 100 (/ acc all)))}
      (recur (inc n) (+ acc t) more))))

;; id: empty-orders
;; ctx: @orders
(let [empty-ids (->> ctx/orders
                     (filter #(empty? (:items %)))
                     (map :id))]
  (if (seq empty-ids)
    {:empty (vec empty-ids)}
    {:empty :none}))

;; id: sku-customers
;; ctx: @orders
(let [pairs (for [o ctx/orders
                  i (:items o)]
              [(:sku i) (:customer o)])]
  (->> pairs
       (reduce (fn [m [sku c]] (update m sku (fnil conj #{}) c)) {})
       (map (fn [[sku cs]] [sku (sort cs)]))
       (into (sorted-map))))

;; id: repeat-customers
;; ctx: @orders
(->> ctx/orders
     (map :customer)
     frequencies
     (filter (fn [[_ n]] (> n 1)))
     (map first)
     sort)

;; id: status-transitions
;; ctx: @orders
(defn next-status [s]
  (case s
    "pending" "shipped"
    "shipped" "delivered"
    "cancelled" "cancelled"
    "unknown"))
(mapv (fn [o]
        (let [updated (update o :status next-status)]
          [(:id updated) (:status updated)]))
      ctx/orders)

;; id: days-between-orders
;; ctx: @orders
(let [dates (->> ctx/orders
                 (map :date)
                 sort
                 (map #(java.time.LocalDate/parse %)))]
  (mapv (fn [[a b]]
          (.between java.time.temporal.ChronoUnit/DAYS a b))
        (partition 2 1 dates)))

;; id: discount-tiers
;; ctx: @orders
(letfn [(tier [total]
          (cond
            (>= total 500) :gold
            (>= total 200) :silver
            (pos? total) :bronze
            :else :none))]
  (->> ctx/orders
       (map (comp tier :total))
       frequencies
       (into (sorted-map))))

;; id: customer-lifecycle
;; ctx: @orders
(defn lifecycle [orders]
  (let [n (count orders)
        live (remove #(= "cancelled" (:status %)) orders)
        spent (reduce + 0 (map :total live))]
    (cond
      (and (> n 2) (> spent 500)) :champion
      (> n 1) :loyal
      (zero? spent) :dormant
      :else :new)))
(->> (group-by :customer ctx/orders)
     (map (fn [[c os]] [c (lifecycle os)]))
     (sort-by first)
     vec)

;; id: reprice
;; ctx: @orders
(let [increase {"A1" 1.1 "C3" 0.9}
      reprice (fn [{:keys [sku] :as item}]
                (update item :price * (get increase sku 1)))
      total (fn [items]
              (reduce + 0 (map (fn [{:keys [qty price]}] (* qty price)) items)))]
  (->> ctx/orders
       (map (fn [o] [(:id o) (total (map reprice (:items o)))]))
       (mapv (fn [[id t]] (str id ": " (format "%.2f" (double t)))))))

;; id: quarter-compare
;; ctx: @orders
(let [month #(Integer/parseInt (subs (:date %) 5 7))
      amount (fn [m] (->> ctx/orders
                          (filter #(= m (month %)))
                          (map :total)
                          (reduce + 0)))
      [jan feb mar] (map amount [1 2 3])]
  {:jan jan
   :growth (format "%+.1f%%" (* 100 (/ (- feb jan) jan)))
   :best (key (apply max-key val {:jan jan :feb feb :mar mar}))})

(let [product-of (into {} (map (juxt :sku identity) ctx/products))
      discount-of (into {} (map (juxt :customer :percent) ctx/discounts))
      rows (for [order ctx/orders
                 :let [product (product-of (:sku order))]
                 :when product
                 :let [percent (- 100 (get discount-of (:customer order) 0))
                       price (quot (* (:price_cents product) percent) 100)]]
             {:category (:category product)
              :margin (* (:quantity order) (- price (:cost_cents product)))})]
  (return (update-vals (group-by :category rows) #(reduce + (map :margin %)))))

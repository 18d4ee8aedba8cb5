(let [product-of (index-by :sku ctx/products)
      percent-of (aggregate-by :customer :percent first ctx/discounts)]
  (->> (for [{:keys [sku customer quantity]} ctx/orders
             :let [{:keys [category price_cents cost_cents]} (product-of sku)]
             :when category
             :let [price (quot (* price_cents (- 100 (percent-of customer 0))) 100)]]
         [category (* quantity (- price cost_cents))])
       (aggregate-by first second sum)
       return))

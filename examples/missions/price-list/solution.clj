(let [price-of (fn [product] (if-error (call "price" {:product product}) nil))
      prices (map (juxt identity price-of) ctx/products)]
  (return {:total_cents (sum-by #(or (second %) ctx/default_cents) prices)
           :without_price (map first (remove second prices))}))

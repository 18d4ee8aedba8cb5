(defn price [product]
  (try
    (call "price" {:product product})
    (catch Exception _ nil)))
(let [prices (map (fn [product] [product (price product)]) ctx/products)]
  (return {:total_cents (reduce + (map (fn [[_ cents]] (or cents ctx/default_cents)) prices))
           :without_price (map first (filter (fn [[_ cents]] (nil? cents)) prices))}))

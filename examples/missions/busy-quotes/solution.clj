(defn quote-of [sku]
  {:sku sku :cents (some #(if-error (call "quote" {:sku sku :attempt %}) nil) (range 1 6))})
(let [quotes (map quote-of ctx/skus)]
  (return (assoc (min-by :cents quotes) :failed (map :sku (remove :cents quotes)))))

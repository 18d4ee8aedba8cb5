(defn quote-of [sku]
  (loop [attempt 1]
    (let [cents (try
                  (call "quote" {:sku sku :attempt attempt})
                  (catch Exception _ nil))]
      (if (or cents (= attempt 5))
        {:sku sku :cents cents}
        (recur (inc attempt))))))
(let [quotes (mapv quote-of ctx/skus)
      best (apply min-key :cents (filter :cents quotes))]
  (return (assoc best :failed (map :sku (remove :cents quotes)))))

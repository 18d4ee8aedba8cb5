; A histogram of the amounts of order lines in steps of 50, with a bar of text.
(let [amounts (for [order ctx/orders, line (:lines order)]
                (* (:quantity line) (:price line)))
      buckets (frequencies (map (fn [amount] (* 50 (int (/ amount 50)))) amounts))
      most (apply max (vals buckets))]
  (return
    (->> (sort-by first buckets)
         (map (fn [[from n]]
                {:from from
                 :count n
                 :bar (apply str (repeat (quot (* 40 n) most) "█"))})))))

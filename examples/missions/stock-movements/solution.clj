(let [move (fn [stock {:keys [item kind quantity]}]
             (update stock item (fnil (if (= kind "in") + -) 0) quantity))
      stocks (rest (reductions move ctx/opening ctx/movements))]
  (return (distinct-by :item (for [[{:keys [id item]} stock] (map vector ctx/movements stocks)
                                   :when (neg? (stock item))]
                               {:item item :movement id}))))

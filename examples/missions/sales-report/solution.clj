(call "report" {:month ctx/month})
; next turn
(let [{:keys [columns rows]} (:table *1)
      rows (map #(zipmap columns %) rows)
      net (fn [{:keys [revenue returns]}] (- revenue returns))]
  (return {:net (sum-by net rows) :best_region (:region (max-by net rows))}))

(call "report" {:month ctx/month})
; next turn
(let [{:keys [columns rows]} (:table (call "report" {:month ctx/month}))
      rows (map #(zipmap (map keyword columns) %) rows)
      net (fn [row] (- (:revenue row) (:returns row)))]
  (return {:net (reduce + (map net rows))
           :best_region (:region (apply max-key net rows))}))

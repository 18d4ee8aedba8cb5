(let [net (fn [line] (* (:quantity line) (:unit_cents line)))
      vat (fn [line] (quot (+ (* (net line) (:vat_percent line)) 50) 100))
      net-sum (reduce + (map net ctx/lines))
      vat-sum (reduce + (map vat ctx/lines))]
  (return {:net_cents net-sum :vat_cents vat-sum :total_cents (+ net-sum vat-sum)}))

(let [net (fn [{:keys [quantity unit_cents]}] (* quantity unit_cents))
      net-sum (sum-by net ctx/lines)
      vat-sum (sum-by #(round (/ (* (net %) (:vat_percent %)) 100)) ctx/lines)]
  (return {:net_cents net-sum :vat_cents vat-sum :total_cents (+ net-sum vat-sum)}))

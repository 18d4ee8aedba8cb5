(defn clash? [shifts]
  (some (fn [[a b]] (neg? (compare (:from b) (:to a))))
        (partition 2 1 (sort-by :from shifts))))
(return (sort (keys (filter-vals clash? (group-by :worker ctx/shifts)))))

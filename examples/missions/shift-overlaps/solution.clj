(defn overlap? [a b]
  (and (neg? (compare (:from a) (:to b)))
       (neg? (compare (:from b) (:to a)))))
(defn clash? [shifts]
  (some (fn [[a b]] (overlap? a b)) (partition 2 1 (sort-by :from shifts))))
(->> (group-by :worker ctx/shifts)
     (filter (fn [[_ shifts]] (clash? shifts)))
     (map first)
     sort
     return)

(let [readings (filter :value ctx/readings)
      sorted (vec (sort (map :value readings)))
      n (count sorted)
      middle (quot n 2)
      median (if (odd? n)
               (sorted middle)
               (/ (+ (sorted middle) (sorted (dec middle))) 2))]
  (->> readings
       (filter #(> (abs (- (:value %) median)) ctx/limit))
       (mapv :time)
       return))

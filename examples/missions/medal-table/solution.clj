(->> ctx/medals
     (group-by :country)
     (map (fn [[country medals]]
            (let [n (frequencies (map :medal medals))]
              {:country country
               :gold (get n "gold" 0)
               :silver (get n "silver" 0)
               :bronze (get n "bronze" 0)})))
     (sort-by (fn [row] [(- (:gold row)) (- (:silver row)) (- (:bronze row)) (:country row)]))
     return)

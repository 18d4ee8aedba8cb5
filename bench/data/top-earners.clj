; The three highest salaries of every department, only people who have not left.
(return
  (->> ctx/employees
       (remove :left)
       (group-by :department)
       (mapcat (fn [[department people]]
                 (->> people
                      (sort-by (fn [{:keys [salary id]}] [(- salary) id]))
                      (take 3)
                      (map-indexed (fn [index person]
                                     {:department department
                                      :rank (inc index)
                                      :name (:name person)
                                      :salary (:salary person)})))))
       (sort-by (juxt :department :rank))))

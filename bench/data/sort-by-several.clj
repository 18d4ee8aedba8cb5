; Sorts people by department, salary downwards, day of hiring and name. Every tenth of the list.
(return
  (->> ctx/employees
       (sort-by (juxt :department (comp - :salary) :hired :name :id))
       (map-indexed (fn [index person]
                      (-> (select-keys person [:id :name :department :salary])
                          (assoc :place (inc index)))))
       (take-nth 10)))

; How many days did people stay? By department, for those who left; by year of hiring.
(defn days [{:keys [hired left]}]
  (.between ChronoUnit/DAYS (LocalDate/parse hired) (LocalDate/parse (or left "2024-12-31"))))

(let [rows (map (fn [person]
                  {:department (:department person)
                   :year (.getYear (LocalDate/parse (:hired person)))
                   :gone (some? (:left person))
                   :days (days person)})
                ctx/employees)
      stayed (filter (fn [row] (pos? (:days row))) rows)
      mean (fn [rows] (double (/ (reduce + (map :days rows)) (count rows))))]
  (return
    (for [[[department year] rows] (sort-by key (group-by (juxt :department :year) stayed))]
      {:department department
       :year year
       :people (count rows)
       :left (count (filter :gone rows))
       :mean_days (mean rows)})))

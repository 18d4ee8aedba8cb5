(let [name-of (into {} (map (juxt :id :name) ctx/students))
      credits-of (into {} (map (juxt :code :credits) ctx/courses))
      average (fn [enrolments]
                (let [credits (map #(credits-of (:course %)) enrolments)
                      points (reduce + (map * credits (map :grade enrolments)))]
                  (/ (Math/round (/ (* 100.0 points) (reduce + credits))) 100.0)))]
  (->> (filter :grade ctx/enrolments)
       (group-by :student_id)
       (map (fn [[id enrolments]] {:student (name-of id) :average (average enrolments)}))
       (sort-by :average >)
       return))

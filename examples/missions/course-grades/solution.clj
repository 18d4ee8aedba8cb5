(let [name-of (aggregate-by :id :name first ctx/students)
      credits-of (aggregate-by :code :credits first ctx/courses)]
  (->> (for [[id enrolments] (group-by :student_id (filter :grade ctx/enrolments))
             :let [credits (map (comp credits-of :course) enrolments)]]
         {:student (name-of id)
          :average (round (/ (sum (map * credits (map :grade enrolments))) (sum credits)) 2)})
       (sort-by :average >)
       return))

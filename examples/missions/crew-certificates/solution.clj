(return
  (sort-by (juxt :flight :name)
           (for [flight (call "flights" {:day ctx/day})
                 id (:crew flight)
                 :let [member (call "crew_member" {:id id})]
                 :when (not-any? #{(:aircraft flight)} (:certificates member))]
             {:flight (:flight flight) :name (:name member)})))

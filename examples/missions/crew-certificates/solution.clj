(return
  (sort-by (juxt :flight :name)
           (for [{:keys [flight crew aircraft]} (call "flights" {:day ctx/day})
                 id crew
                 :let [{:keys [name certificates]} (call "crew_member" {:id id})]
                 :when (not-any? #{aircraft} certificates)]
             {:flight flight :name name})))

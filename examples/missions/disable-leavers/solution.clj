(let [employees (index-by :email (call "employees" {}))
      employee-of (comp employees str/lower-case :owner)
      gone? #(some-> % employee-of :left (compare ctx/today) (<= 0))
      accounts (->> (call "accounts" {:system ctx/system})
                    (where {:state "active" :kind "person"})
                    (sort-by :id))
      leavers (map :id (filter gone? accounts))]
  (doseq [id leavers]
    (call "disable" {:account id}))
  (return {:disabled leavers :unknown_owner (map :id (remove employee-of accounts))}))

(let [employees (call "employees" {})
      known (set (map :email employees))
      gone (set (map :email (filter #(and (:left %) (<= (compare (:left %) ctx/today) 0)) employees)))
      accounts (->> (call "accounts" {:system ctx/system})
                    (filter #(and (= (:state %) "active") (= (:kind %) "person")))
                    (map #(update % :owner str/lower-case)))
      leavers (sort (map :id (filter #(gone (:owner %)) accounts)))]
  (doseq [id leavers]
    (call "disable" {:account id}))
  (return {:disabled leavers
           :unknown_owner (sort (map :id (remove #(known (:owner %)) accounts)))}))

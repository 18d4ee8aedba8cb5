(let [groups (map :name (filter #(some #{ctx/user} (:members %)) ctx/groups))
      {:keys [allow deny]} (->> ctx/grants
                                (filter (comp (set (cons ctx/user groups)) :to))
                                (aggregate-by :kind :permission set))]
  (return (sort (set/difference allow deny))))

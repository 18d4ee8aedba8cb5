(let [groups (map :name (filter #(some #{ctx/user} (:members %)) ctx/groups))
      subjects (set (cons ctx/user groups))
      mine (filter #(subjects (:to %)) ctx/grants)
      of-kind (fn [kind] (set (map :permission (filter #(= (:kind %) kind) mine))))]
  (return (sort (set/difference (of-kind "allow") (of-kind "deny")))))

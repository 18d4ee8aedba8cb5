(let [agents (remove :away (call "agents" {:team ctx/team}))
      waiting (sort (map :id (remove :agent (call "tickets" {:team ctx/team}))))]
  (return
    (reduce (fn [load id]
              (let [[agent _] (first (sort-by (fn [[name open]] [open name]) load))]
                (call "assign" {:ticket id :agent agent})
                (update load agent inc)))
            (into {} (map (juxt :name :open) agents))
            waiting)))

(let [load (->> (call "agents" {:team ctx/team})
                (remove :away)
                (aggregate-by :name :open first))
      waiting (sort (map :id (remove :agent (call "tickets" {:team ctx/team}))))]
  (return
    (reduce (fn [load id]
              (let [agent (key (min-by (juxt val key) load))]
                (call "assign" {:ticket id :agent agent})
                (update load agent inc)))
            load
            waiting)))

(let [{:keys [id]} (->> (call "meetings" {:day ctx/day})
                        (where {:state "planned"})
                        (filter #(and (some #{ctx/person} (:with %)) (pos? (compare (:start %) ctx/now))))
                        (min-by :start))]
  (when id
    (call "move" {:meeting id :to ctx/to}))
  (return id))

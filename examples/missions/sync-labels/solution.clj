(defn by-name [labels]
  (into {} (map (juxt :name :colour) labels)))
(let [wanted (by-name ctx/labels)
      existing (by-name (call "labels" {:repository ctx/repository}))
      create (remove #(contains? existing (key %)) wanted)
      update (filter (fn [[name colour]]
                       (and (contains? existing name) (not= colour (existing name))))
                     wanted)
      delete (remove wanted (keys existing))]
  (doseq [[name colour] create]
    (call "create_label" {:repository ctx/repository :name name :colour colour}))
  (doseq [[name colour] update]
    (call "update_label" {:repository ctx/repository :name name :colour colour}))
  (doseq [name delete]
    (call "delete_label" {:repository ctx/repository :name name}))
  (return {:created (count create) :updated (count update) :deleted (count delete)}))

(let [labels (call "labels" {:repository ctx/repository})
      [old new] (map #(set (map :name %)) [labels ctx/labels])
      other (remove (set labels) ctx/labels)
      change (fn [tool labels]
               (doseq [label labels]
                 (call tool (assoc label :repository ctx/repository)))
               (count labels))]
  (return {:created (change "create_label" (remove (comp old :name) other))
           :updated (change "update_label" (filter (comp old :name) other))
           :deleted (change "delete_label" (map #(dissoc % :colour) (remove (comp new :name) labels)))}))

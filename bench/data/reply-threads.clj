; The depth of every message in its thread, and the threads with the most messages.
(let [placed (reduce (fn [placed {:keys [id reply_to]}]
                       (let [parent (get placed reply_to)]
                         (assoc placed id (if parent
                                            {:root (:root parent) :depth (inc (:depth parent))}
                                            {:root id :depth 0}))))
                     {}
                     (sort-by :id ctx/messages))
      sizes (frequencies (map :root (vals placed)))]
  (return
    {:threads (count sizes)
     :deepest (apply max (map :depth (vals placed)))
     :depths (into (sorted-map) (frequencies (map :depth (vals placed))))
     :largest (->> sizes (sort-by (juxt (comp - val) key)) (take 10) (mapv (fn [[root n]] [root n])))}))

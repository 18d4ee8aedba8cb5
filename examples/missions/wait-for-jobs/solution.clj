(defn outcome [id]
  (loop [poll 1]
    (let [{:keys [state rows]} (call "job" {:id id :poll poll})]
      (if (and (= state "running") (< poll ctx/polls))
        (recur (inc poll))
        {:id id :state state :rows rows}))))
(let [by-state (group-by :state (map outcome ctx/jobs))
      ids (fn [state] (map :id (get by-state state [])))]
  (return {:rows (reduce + (map :rows (get by-state "done" [])))
           :failed (ids "failed")
           :running (ids "running")}))

(defn outcome [id poll]
  (let [{:keys [state] :as job} (call "job" {:id id :poll poll})]
    (if (and (= state "running") (< poll ctx/polls))
      (outcome id (inc poll))
      (assoc job :id id))))
(let [{:keys [done failed running]} (group-by :state (map #(outcome % 1) ctx/jobs))]
  (return {:rows (sum-by :rows done) :failed (map :id failed) :running (map :id running)}))

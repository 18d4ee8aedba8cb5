;; Control of work with tools and agents.

(defn flow/attempt [f]
  (try
    {:ok (f)}
    (catch Throwable e
      (let [data (ex-data e)]
        {:error (if data {:message (ex-message e) :data data} {:message (ex-message e)})}))))

(defn flow/each
  ([coll f] (mapv f coll))
  ([coll f options]
   (let [[items at-once continues] (ptc/each-plan coll options)
         work (if continues (fn [item] (flow/attempt (fn [] (f item)))) f)]
     (if (= at-once 1)
       (mapv work items)
       (vec (ptc/pmap-few at-once work items))))))

(defn flow/poll
  ([f done?] (flow/poll f done? {}))
  ([f done? options]
   (let [[every most is-before] (ptc/poll-plan options)
         is-counted (ptc/takes-one f)]
     (if (if is-before (done? nil) (= most 0))
       {:value nil :attempts 0 :done is-before}
       (loop [attempt 1]
         (let [value (if is-counted (f attempt) (f))]
           (cond
             (done? value) {:value value :attempts attempt :done true}
             (>= attempt most) {:value value :attempts attempt :done false}
             :else (do (if (> every 0) (flow/wait every) nil)
                       (recur (inc attempt))))))))))

(defn flow/step [name f]
  (let [outer (ptc/enter-step name)]
    (case outer
      false {:skipped true :stepName name}
      (try (f) (finally (ptc/leave-step outer))))))

(defn ptc/loop-passes [most pass]
  (let [outer (ptc/enter-loop)]
    (try
      (loop [passes 0]
        (if (< passes most)
          (do
            (pass)
            (if (ptc/loop-exited)
              {:passes (inc passes) :ended_by "exit_loop"}
              (recur (inc passes))))
          {:passes passes :ended_by "max"}))
      (finally (ptc/leave-loop outer)))))

(defn ptc/loop-pass [& agents]
  (loop [left agents]
    (if (empty? left)
      nil
      (do
        ((first left))
        (if (ptc/loop-exited) nil (recur (rest left)))))))

(defn ptc/loop-pass-over [f agents]
  (loop [left agents]
    (if (empty? left)
      nil
      (do
        (f (first left))
        (if (ptc/loop-exited) nil (recur (rest left)))))))

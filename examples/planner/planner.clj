(payload/put [:task] ctx/task)
(payload/put [:results] [])

(defn execute [step]
  (let [result (flow/step "execute" (fn [] (tool/executor {:step step})))]
    (payload/push [:results] {:step step :result result})))

;; At most three plans. A new one is for what is left to do.
(loop [plans 1]
  (flow/step "plan" (fn [] (flow/sequence [:planner])))
  (let [done (flow/attempt (fn [] (flow/each payload/plan execute {:max 10})))
        problem (get-in done [:error :message])]
    (cond
      (nil? problem)
      {:answer (flow/step "answer" (fn [] (flow/sequence [:answer]))) :plans plans :results payload/results}

      (< plans 3)
      (do (payload/put [:problem] problem) (recur (inc plans)))

      :else
      (fail {:reason :no-plan-worked :message problem}))))

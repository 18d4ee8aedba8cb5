(defn average [values]
  (let [known (remove nil? values)]
    (when (> (* 2 (count known)) ctx/window)
      (/ (Math/round (* 100.0 (/ (reduce + known) (count known)))) 100.0))))
(return (mapv average (partition ctx/window 1 ctx/values)))

(defn average [values]
  (when (> (* 2 (count (remove nil? values))) ctx/window)
    (round (mean values) 2)))
(return (map average (partition ctx/window 1 ctx/values)))

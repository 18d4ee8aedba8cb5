(defn hours [{:keys [from to break_minutes]}]
  (/ (- 1440 (mod (time-between to from :minutes) 1440) break_minutes) 60))
(return (aggregate-by :worker hours sum ctx/shifts))

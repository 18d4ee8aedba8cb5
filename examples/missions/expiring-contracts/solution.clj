(->> (for [{:keys [name ends notice_days]} ctx/contracts]
       {:name name :cancel_by (date-add ends (- notice_days) :days)})
     (filter #(<= 0 (time-between ctx/today (:cancel_by %) :days) ctx/days))
     (sort-by (juxt :cancel_by :name))
     return)

(->> (call "tickets" {:queue ctx/queue})
     (where {:state "open" :last_from "agent"})
     (filter #(> (time-between (:last_at %) ctx/today :days) 14))
     (map :id)
     sort
     (filter #(if-error (call "close_ticket" {:id %}) false))
     return)

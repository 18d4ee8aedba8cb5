(->> (filter :answered ctx/tickets)
     (aggregate-by :priority #(time-between (:opened %) (:answered %) :minutes) median)
     return)

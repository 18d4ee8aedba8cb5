(let [meeting (->> (call "meetings" {:day ctx/day})
                   (filter #(and (some #{ctx/person} (:with %))
                                 (= (:state %) "planned")
                                 (pos? (compare (:start %) ctx/now))))
                   (sort-by :start)
                   first)]
  (when meeting
    (call "move" {:meeting (:id meeting) :to ctx/to}))
  (return (:id meeting)))

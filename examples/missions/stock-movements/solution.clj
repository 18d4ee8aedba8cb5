(let [step (fn [{:keys [stock found]} {:keys [id item kind quantity]}]
             (let [now (+ (get stock item 0) (if (= kind "in") quantity (- quantity)))]
               {:stock (assoc stock item now)
                :found (if (and (neg? now) (not-any? #(= (:item %) item) found))
                         (conj found {:item item :movement id})
                         found)}))]
  (return (:found (reduce step {:stock ctx/opening :found []} ctx/movements))))

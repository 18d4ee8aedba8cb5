; Splits the events of each user into sessions where a pause is longer than 30 minutes.
(defn sessions [events]
  (reduce (fn [done event]
            (let [current (peek done)
                  previous (peek current)]
              (if (and previous (<= (- (:at event) (:at previous)) 1800))
                (conj (pop done) (conj current event))
                (conj done [event]))))
          []
          (sort-by :at events)))

(let [all (->> ctx/events (group-by :user) vals (mapcat sessions))
      lengths (map (fn [session] (- (:at (last session)) (:at (first session)))) all)]
  (return
    {:sessions (count all)
     :events_per_session (/ (count ctx/events) (count all))
     :longest (apply max lengths)
     :single (count (filter (fn [session] (= 1 (count session))) all))
     :with_purchase (count (filter (fn [session] (some #(= "buy" (:kind %)) session)) all))}))

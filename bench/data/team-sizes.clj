; How many people does everyone lead, directly or not? Walks up the chain of managers of each person.
(def managers (into {} (map (juxt :id :manager) ctx/employees)))

(defn bosses [id]
  (loop [boss (managers id) chain []]
    (if boss
      (recur (managers boss) (conj chain boss))
      chain)))

(let [sizes (frequencies (mapcat (fn [person] (bosses (:id person))) ctx/employees))
      names (zipmap (map :id ctx/employees) (map :name ctx/employees))]
  (return
    {:leaders (count sizes)
     :deepest (apply max (map (comp count bosses :id) ctx/employees))
     :largest (->> (sort-by (fn [[id size]] [(- size) id]) sizes)
                   (take 10)
                   (map (fn [[id size]] {:id id :name (names id) :size size})))}))

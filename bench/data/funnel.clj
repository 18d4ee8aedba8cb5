; How many users viewed, then put something into the cart, then bought? By operating system.
(defn first-at [events kind]
  (->> events (filter #(= kind (:kind %))) (map :at) (reduce min 9999999999)))

(let [steps (->> ctx/events
                 (group-by (juxt :user #(get-in % [:device :os])))
                 (map (fn [[[user os] events]]
                        (let [[view cart buy] (map #(first-at events %) ["view" "cart" "buy"])
                              none 9999999999]
                          {:os os
                           :viewed (not= view none)
                           :carted (and (< view cart) (not= cart none))
                           :bought (and (< view cart buy) (not= buy none))}))))]
  (return
    (->> (group-by :os steps)
         (map (fn [[os rows]]
                {:os os
                 :users (count rows)
                 :viewed (count (filter :viewed rows))
                 :carted (count (filter :carted rows))
                 :bought (count (filter :bought rows))}))
         (sort-by :os))))

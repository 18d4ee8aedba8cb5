(-> [{:km 1}] (map :km))

(-> ctx/customers (filter odd?) (map inc))

(-> ctx/customers (filter #(:id %)) count)

(->> {:b 1} (assoc :a 1))

(->> {:a 1} (update :a inc))

(->> {:a 1} (dissoc :a))

(-> [1 2] (reduce +))

(-> [1 2] (reduce + 0))

(-> [1 2] (take 1))

(-> [3 1] (sort-by -))

(-> [3 1] (apply max))

(->> "a,b" (str/split #","))

(->> [1] (nth 0))

(->> [1] (conj 1))

(->> {:a 1} (update-vals inc))

(filter [1 2] odd?)

(assoc :a 1 {})

(defn big? [x] (< 5 x)) (-> [1 9] (filter big?))

(some-> ctx/customers (map :id))

(some->> {:b 1} (assoc :a 1))

(cond-> [1 2] true (map inc))

(when ctx/limit (-> [1 2] (map inc)))

(-> [1 2] (str/join ","))

(->> {:a 1} (get :a))

(-> :id (map ctx/customers))

(->> 1 (conj [2]))

(map inc :a)

(-> {:a 1} (assoc :b 2) (get :b))

(let [f (fn [x] x)] (try (-> [1] (map f)) (catch Exception e 1)))

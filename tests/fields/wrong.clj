;; Programs over `world.json` that go over the fields of a record instead of its rows, read a field of a scalar or of a list,
;; or of what a builtin gives. Each gives nil or 0 without an error.

(return (sum-by :fare ctx/company))

(return (sum-by :speed (tool/weather {:city "Graz"})))

(return (sum (map :km (first ctx/trips))))

(return (count (where {:id 1} ctx/company)))

(return (max-by :founded ctx/company))

(return (top-by 1 :speed (tool/weather {:city "Graz"})))

(return (sort-by :count (frequencies (map :kind ctx/trips))))

(return (map :km (group-by :kind ctx/trips)))

(return (sum-by :km (group-by :kind ctx/trips)))

(return (keep :km (index-by :id ctx/trips)))

(return (map :amount (aggregate-by :customer :amount sum ctx/orders)))

(return (:km ctx/trips))

(return (:city (:stops (first ctx/trips))))

(return (:title (tool/search {:query "x"})))

(return (keep :n (map :km ctx/trips)))

(return (sum (keep :value (map :fare ctx/trips))))

(return (:name (:kind (first ctx/trips))))

(return (or (:first (:customer (first ctx/orders))) "?"))

(return (:amount (count ctx/orders)))

(return (or (:degrees (:temperature (tool/weather {:city "Graz"}))) 0))

(return (some-> ctx/limit :value))

(return (map (fn [{:keys [km]}] km) (map :id ctx/trips)))

(return (for [[k v] ctx/company] (:name k)))

(return (map :id (map (juxt :id :km) ctx/trips)))

(return (map :km (partition 2 ctx/trips)))

(return (for [{:keys [founded]} ctx/company] founded))

(return (sum (map (fn [{:keys [speed]}] (or speed 0)) (tool/weather {:city "Graz"}))))

(return (for [{:keys [count]} (frequencies (map :kind ctx/trips)) :when count] count))

(return (map (fn [{:keys [km]}] km) (index-by :id ctx/trips)))

(return (count (for [{:keys [id km]} (group-by :kind ctx/trips) :when km] id)))

(return (for [[k {:keys [km]}] (group-by :kind ctx/trips) {:keys [x]} [[1 2]]] [k km x]))

(return (reduce (fn [n {:keys [km]}] (+ n (or km 0))) 0 (aggregate-by :kind :km sum ctx/trips)))

(return (or (:km 5) 0))

(return (let [n 1] (or (:value n) n)))

(return (keep :km [1 2]))

(return (let [{:keys [km]} [12.5 80.0]] (or km 0)))

(return (or (:none ctx/trips) 0))

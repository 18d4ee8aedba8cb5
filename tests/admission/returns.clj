(return [])

(return nil)

(return {:customer "a" :total 1})

(return [{:customer "a" :total 1.5}])

(return [{:customer "a"}])

(return [{:customer :a :total 1}])

(return [{:customer "a" :totl 1}])

(return (map (fn [c] {:customer (:name c) :total 0.5}) ctx/customers))

(return (map (fn [c] {:customer (:id c) :total 0.5}) ctx/customers))

(return (map (fn [c] {:customer (:name c)}) ctx/customers))

(return (map (fn [c] {:customer (:name c)}) (filter :name ctx/customers)))

(return (count ctx/customers))

(return (if ctx/limit [] {}))

(if (empty? ctx/customers) (return nil) (return []))

(return (call "orders" {:customer 1}))

(return (call "free"))

(return (group-by :id ctx/customers))

(return (vec (for [c ctx/customers] {:customer (str (:id c)) :total (count ctx/groups)})))

(return (map (fn [c] {:customer (:name c) :total (round 0.5 1)}) (where {:id 1} ctx/customers)))

(return (map (fn [c] {:customer (:name c) :total (round 0.5)}) (top-by 2 :id ctx/customers)))

(return (mean [1 2]))

(return (count-by :name ctx/customers))

(return [{:customer (date-add "2024-01-05" 1 :days) :total (time-between "2024-01-05" "2024-01-06" :days)}])

(return [{:customer "a" :total (- (parse-date "2024-01-05") (parse-date "2024-01-06"))}])

(return [{:customer (- (parse-date "2024-01-05") (parse-date "2024-01-06")) :total (max 1 2.5)}])

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

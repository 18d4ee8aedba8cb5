; Customers by the first letter of their last name, in any script, with the names in order.
(return
  (->> ctx/customers
       (group-by (fn [{:keys [name]}]
                   (-> (str/split name #"\s+") last (subs 0 1) str/upper-case)))
       (map (fn [[letter customers]]
              {:letter letter
               :count (count customers)
               :names (->> customers
                           (map :name)
                           distinct
                           (sort-by (fn [name] (vec (reverse (str/split name #" ")))))
                           (take 3)
                           (str/join "; "))
               :longest (apply max (map (comp count :name) customers))}))
       (sort-by :letter)))

; Customers per domain of their e-mail address, and the countries seen for each domain.
(let [domain (fn [email] (-> email str/trim str/lower-case (str/split #"@") second))]
  (return
    (->> ctx/customers
         (keep (fn [{:keys [email country]}]
                 (when-let [d (and email (domain email))]
                   {:domain d :country country})))
         (group-by :domain)
         (map (fn [[d rows]]
                {:domain d
                 :customers (count rows)
                 :countries (->> rows (map :country) set sort (str/join " "))}))
         (sort-by :customers >))))

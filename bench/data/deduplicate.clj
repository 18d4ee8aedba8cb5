; Merges records of the same person: normalised e-mail address as key, the latest record wins.
(defn normalise [email]
  (some-> email str/trim str/lower-case))

(let [with-email (filter :email ctx/customers)
      latest (reduce (fn [seen customer]
                       (let [email (normalise (:email customer))
                             other (get seen email)]
                         (if (or (nil? other) (pos? (compare (:joined customer) (:joined other))))
                           (assoc seen email customer)
                           seen)))
                     {}
                     with-email)]
  (return
    {:records (count with-email)
     :people (count latest)
     :merged (- (count with-email) (count latest))
     :newest (->> (vals latest)
                  (sort-by (juxt :joined :id))
                  (take-last 10)
                  (mapv #(select-keys % [:id :name :joined])))}))

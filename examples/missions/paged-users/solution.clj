(defn page [n]
  (call "list_users" {:company ctx/company :page n}))
(let [{:keys [pages users]} (page 1)]
  (->> (mapcat (comp :users page) (range 2 (inc pages)))
       (concat users)
       (filter #(neg? (compare (:last_login %) ctx/since)))
       (map :name)
       sort
       return))

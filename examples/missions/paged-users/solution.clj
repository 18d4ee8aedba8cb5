(defn page [n]
  (call "list_users" {:company ctx/company :page n}))
(let [first-page (page 1)
      other-pages (map page (range 2 (inc (:pages first-page))))
      users (mapcat :users (cons first-page other-pages))]
  (->> users
       (filter #(or (nil? (:last_login %)) (neg? (compare (:last_login %) ctx/since))))
       (map :name)
       sort
       return))

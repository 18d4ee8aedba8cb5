; Splits the pages of events into path and query: visits per path, values of each parameter.
(defn parse-query [query]
  (into {} (for [pair (str/split query #"&")
                 :let [[k v] (str/split pair #"=")]]
             [(keyword k) v])))

(defn parse-page [page]
  (let [[path query] (str/split page #"\?" 2)]
    {:path (or (second (str/split path #"/")) "home")
     :query (if query (parse-query query) {})}))

(let [pages (map (comp parse-page :page) ctx/events)]
  (return
    {:paths (frequencies (map :path pages))
     :queries (frequencies (keep #(get-in % [:query :q]) pages))
     :refs (count (filter #(= "mail" (-> % :query :ref)) pages))
     :pages (->> pages (keep #(some-> % :query :page parse-long)) frequencies (sort-by key))}))

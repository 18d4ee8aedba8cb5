;; ctx: {"documents": [{"id": "d1", "text": "The cat sat on the mat. The mat was flat."}, {"id": "d2", "text": "A dog and a cat; a dog and a rat!"}, {"id": "d3", "text": ""}], "stopwords": ["the", "a", "and", "on", "was"]}
(def stop? (set ctx/stopwords))

(defn tokens [text]
  (->> (re-seq #"[a-z']+" (clojure.string/lower-case text))
       (remove stop?)))

(def term-counts
  (into (sorted-map)
        (for [{:keys [id text]} ctx/documents]
          [id (frequencies (tokens text))])))

(defn document-frequency [term]
  (count (filter #(contains? % term) (vals term-counts))))

(defn tf-idf [id term]
  (let [counts (term-counts id)
        tf (/ (get counts term 0) (double (reduce + (vals counts))))
        idf (Math/log (/ (count term-counts) (double (document-frequency term))))]
    (* tf idf)))

(defn top-terms [id n]
  (->> (keys (term-counts id))
       (map (fn [t] [t (tf-idf id t)]))
       (sort-by (fn [[t score]] [(- score) t]))
       (take n)
       (mapv (fn [[t score]] (format "%s %.3f" t score)))))

(defn bigrams [text]
  (->> (tokens text)
       (partition 2 1)
       (map #(clojure.string/join " " %))))

{:top (into {} (map (fn [id] [(keyword id) (top-terms id 2)]) (keys term-counts)))
 :vocabulary (count (distinct (mapcat keys (vals term-counts))))
 :shared (->> (vals term-counts)
              (filter seq)
              (map (comp set keys))
              (apply clojure.set/intersection)
              sort)
 :bigrams (->> ctx/documents (mapcat (comp bigrams :text)) frequencies
               (filter (fn [[_ n]] (> n 0))) (sort-by key) (take 3))
 :longest (apply max-key count (sort (mapcat (comp tokens :text) ctx/documents)))}

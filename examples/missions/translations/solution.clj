(defn placeholders [text]
  (sort (map second (re-seq #"\{(\w+)\}" text))))
(defn bad? [texts key]
  (let [text (get texts key)]
    (or (str/blank? text)
        (not= (placeholders text) (placeholders (get ctx/reference key))))))
(->> ctx/languages
     (map (fn [language]
            {:language (:code language)
             :keys (sort (filter #(bad? (:texts language) %) (keys ctx/reference)))}))
     (filter #(seq (:keys %)))
     (sort-by :language)
     return)

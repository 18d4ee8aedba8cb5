(defn placeholders [text]
  (frequencies (re-seq #"\{\w+\}" text)))
(->> (for [{:keys [code texts]} ctx/languages
           :let [bad (for [[key reference] ctx/reference
                           :let [text (texts key)]
                           :when (or (str/blank? text)
                                     (not= (placeholders text) (placeholders reference)))]
                       key)]
           :when (seq bad)]
       {:language code :keys (sort bad)})
     (sort-by :language)
     return)

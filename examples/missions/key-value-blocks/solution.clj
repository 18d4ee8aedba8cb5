(defn parse-block [block]
  (into {:enabled "yes"}
        (for [[_ key value] (re-seq #"(?m)^([^#:\n][^:\n]*):(.*)$" block)]
          [(str/lower-case (str/trim key)) (str/trim value)])))
(->> (str/split (str/trim ctx/text) #"\n\s*\n")
     (map parse-block)
     (where {:enabled "yes"})
     (remove #(= (:port %) "443"))
     (map :host)
     sort
     return)

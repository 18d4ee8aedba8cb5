(defn parse-block [block]
  (into {}
        (for [line (str/split-lines block)
              :let [[_ key value] (re-matches #"([^#:][^:]*):(.*)" line)]
              :when key]
          [(str/lower-case (str/trim key)) (str/trim value)])))
(->> (str/split (str/trim ctx/text) #"\n\s*\n")
     (map parse-block)
     (filter #(and (= "yes" (get % "enabled" "yes"))
                   (not= "443" (get % "port" "80"))))
     (map #(get % "host"))
     sort
     return)

(defn identity-of [{:keys [name phone]}]
  [(-> name str/trim (str/replace #"\s+" " ") str/lower-case)
   (str/replace phone #"\D" "")])
(->> (aggregate-by identity-of :id sort ctx/contacts)
     vals
     (filter next)
     (sort-by first)
     return)

(defn identity-of [contact]
  [(-> (:name contact) str/trim (str/replace #"\s+" " ") str/lower-case)
   (str/replace (:phone contact) #"[^0-9]" "")])
(->> (group-by identity-of ctx/contacts)
     vals
     (filter #(> (count %) 1))
     (map #(sort (map :id %)))
     (sort-by first)
     return)

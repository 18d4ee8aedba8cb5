(->> ctx/mails
     (mapcat #(concat (:to %) (:cc %)))
     (map #(re-find #"[^<\s]+@[^>\s]+" (str/lower-case %)))
     distinct
     (count-by #(second (str/split % #"@")))
     sort
     (sort-by val >)
     (map #(zipmap [:domain :people] %))
     return)

(defn address [recipient]
  (str/lower-case (or (second (re-find #"<(.+)>" recipient)) (str/trim recipient))))
(->> ctx/mails
     (mapcat #(concat (:to %) (:cc %)))
     (map address)
     distinct
     (map #(second (str/split % #"@")))
     frequencies
     (map (fn [[domain people]] {:domain domain :people people}))
     (sort-by (fn [row] [(- (:people row)) (:domain row)]))
     return)

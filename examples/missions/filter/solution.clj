(return (->> ctx/books (filter #(> (:year %) 1950)) (mapv :title)))

(return (map :title (filter #(> (:year %) 1950) ctx/books)))

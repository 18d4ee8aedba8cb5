(return (vec (distinct (map :author ctx/books))))

(return (distinct (map :author ctx/books)))

(return (frequencies (map :author ctx/books)))

(return (map :title ctx/books))

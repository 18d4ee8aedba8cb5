(return (/ (reduce + (map :pages ctx/books)) (count ctx/books)))

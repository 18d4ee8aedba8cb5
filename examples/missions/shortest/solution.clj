(return (:title (apply min-key :pages ctx/books)))

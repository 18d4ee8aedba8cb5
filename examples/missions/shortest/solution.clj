(return (:title (min-by :pages ctx/books)))

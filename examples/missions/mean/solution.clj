(return (avg-by :pages ctx/books))

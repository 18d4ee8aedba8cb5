(return (mapv :title ctx/books))

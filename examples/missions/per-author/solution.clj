(return (count-by :author ctx/books))

(return (count (where {:author "H. G. Wells"} ctx/books)))

(return (count (filter #(= (:author %) "H. G. Wells") ctx/books)))

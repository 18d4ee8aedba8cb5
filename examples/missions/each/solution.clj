(return (filterv #(zero? (call "stock" {:product %})) ctx/products))

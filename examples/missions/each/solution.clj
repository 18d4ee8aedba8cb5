(return (filter #(zero? (call "stock" {:product %})) ctx/products))

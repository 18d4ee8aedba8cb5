(return (count (filter #(= (:state %) "open") ctx/orders)))

(return (count-by #(if-error (:country (call "locate" {:address %})) "unknown") ctx/addresses))

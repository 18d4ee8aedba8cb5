(def rows [{:amount 4 :currency "USD"} {:amount 10 :currency "EUR"}])

(defn in-euros [row]
  (let [rate (tool/rate {:currency (:currency row)})]
    (* rate (:amount row))))

(let [total (reduce (fn [sum row] (+ sum (in-euros row))) 0 rows)]
  (println "total" total)
  (str total " EUR"))

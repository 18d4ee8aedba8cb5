;; What is printed is cut with a note; printing goes on costing fuel.
(dotimes [i 100000] (println "0123456789"))
;=> nil

;; A line that is longer than all that is kept.
;; limits: print_bytes=100
(println (str/join (repeat 100000 "é")))
;=> nil
(println (reduce (fn [v _] [v v]) [] (range 100)))
;=> nil
(dotimes [i 1000] (prn {:a i}))
;=> nil
(print "a") (print (str/join (repeat 1000 "b"))) (println "c")
;=> nil
(loop [] (println "x") (recur))
;! fuel-limit
(loop [] (print "") (recur))
;! fuel-limit
(doseq [i (range)] (println i))
;! fuel-limit
(printf "%1000s|" "a")
;=> nil
(pr (repeat 1000 "\u0000"))
;=> nil
(newline)
;=> nil
(doc map)
;=> nil

;; Results.
;; limits: result_bytes=100
(return (range 100))
;! result-size-limit
(return (str/join (repeat 100 "x")))
;! result-size-limit
(return {:a (reduce (fn [v _] [v v]) [] (range 100))})
;! result-size-limit
(reduce (fn [v _] [v v]) [] (range 100))
;! result-size-limit
(range 100)
;! result-size-limit
(return (vec (repeat 20 "\u0001")))
;! result-size-limit
(return (reduce * (repeat 100 9223372036854775807)))
;! result-size-limit
(fail {:reason :huge :message (str/join (repeat 1000 "x"))})
;! result-size-limit
(call "echo" {:v (range 1000)})
;! result-size-limit

(pr-str nil)

(pr-str true)

(pr-str 1)

(pr-str 1.0)

(pr-str 1.5e10)

(pr-str "a")

(pr-str "a\"b\\c")

(pr-str "tab\tnl\n")

(pr-str :a)

(pr-str :a/b)

(pr-str 'sym)

(pr-str [1 "a" :b nil])

(pr-str '(1 2))

(pr-str ())

(pr-str {})

(pr-str #{})

(pr-str [])

(pr-str {:a 1 :b "x"})

(pr-str {"k" [1 {:z nil}]})

(pr-str #{1})

(pr-str (map inc [1 2]))

(pr-str (range 3))

(pr-str [(map inc [1])])

(pr-str {:xs (filter odd? [1 2 3])})

(pr-str (first {:a 1}))

(pr-str (seq {:a 1 :b 2}))

(pr-str 1 "a" :b)

(pr-str)

(pr-str ##NaN)

(pr-str [##Inf ##-Inf])

(pr-str "é😀")

(pr-str "\u0007")

(pr-str "\r\f\b")

(pr-str 100000000000000000000)

(pr-str -0.0)

(pr-str 0.1)

(pr-str 1e-7)

(pr-str 123456.789)

(pr-str 1e100)

(prn-str "a" 1)

(prn-str)

(print-str "a" 1 :b)

(print-str "a" nil [1 "b"])

(println-str "a" "b")

(println-str [1 "x" nil])

(println-str)

(str "a" nil)

(str [1 "a" nil :k])

(str {:a "x"})

(str '("a"))

;; divergence: D3
;; ours: "[\"a\"]"
(str [\a])

(with-out-str (println "hi"))

(with-out-str (println "a" 1 :b nil))

(with-out-str (println))

(with-out-str (print "a" "b"))

(with-out-str (pr "a" 1))

(with-out-str (prn "a" [1 "b"]))

(with-out-str (prn {:a "x"}))

(with-out-str (println {:a "x" :b [nil]}))

(with-out-str (println [1 "two" :three nil 4.0]))

(with-out-str (println (map inc [1 2])))

(with-out-str (println "x=" 1 "y=" 2.5))

(with-out-str (newline))

(with-out-str (print nil))

(with-out-str (doseq [x [1 2]] (println "item" x)))

(with-out-str (print "no newline") (println " done"))

(with-out-str)

(println "a")

(print "x")

(do (println "one") (println "two") 3)

(println [1 2] {:a 1})

(prn "quoted")

(pr :a)

(printf "%d items%n" 3)

(let [x 5] (println "x is" x) x)

(mapv #(do (println %) (inc %)) [1 2])

(println (str "a" 1) 'sym "b")

(println nil)

(println "multi\nline")

(println 1.0 2 3.5e-5)

(println #{1} '(2) [3])

(println "a" "" "b")

(print 1 2)

(flush)

(pr-str 'a/b)

(pr-str '(quote a))

(pr-str ''a)

(pr-str '#{1})

(pr-str '[a :b "c"])

(pr-str '(fn [x] (+ x 1)))

(pr-str {:a {:b {:c []}}})

(pr-str [[] () {} #{}])

(pr-str {nil nil})

(pr-str {[1 2] #{3}})

(pr-str (sorted-map :b 1 :a 2))

(pr-str (sorted-set 2 1))

(pr-str (list 1 (list 2)))

(pr-str (cons 1 nil))

(pr-str (concat [1] '(2)))

(pr-str (vec (range 5)))

(pr-str (reverse [1 2]))

(pr-str (keys {:a 1}))

(pr-str "")

(pr-str " ")

(pr-str [nil])

(read-string (pr-str {:a [1 "b" nil]}))

(= {:a [1 "b"]} (read-string (pr-str {:a [1 "b"]})))

(str 1.10)

(str 1000000.0)

(str 12345678.0)

(str 0.00012)

;; divergence: D4
;; ours: "0.5"
(str 1/2)

(str true false)

(str :a :b)

(str "" 1 "")

(str 'a "b" \c)


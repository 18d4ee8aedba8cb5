;; Integers without end.
(loop [n 2] (recur (* n n)))
;! fuel-limit
(reduce * (range 1 1000000))
;! fuel-limit
(reduce *' (range 1 1000000))
;! fuel-limit
(loop [a 1 b 1] (recur b (+ a b)))
;! fuel-limit
(loop [n 9223372036854775807] (recur (+ n n)))
;! fuel-limit
(apply * (repeat 1000000 9223372036854775807))
;! fuel-limit
(loop [n 1] (recur (* n -9223372036854775808)))
;! fuel-limit
(.pow (biginteger 2) 1000000000)
;! fuel-limit
(Math/pow 10 1000000)
;=> ##Inf
(bit-shift-left 1 1000000000)
;=> 1
(bit-shift-left 1 -1)
;=> -9223372036854775808
(bit-shift-right 1 9223372036854775807)
;=> 0
(bigint (str/join (repeat 100000 "9")))
;! bad-number
(parse-long (str/join (repeat 100000 "9")))
;=> nil
(parse-double (str "1e" (str/join (repeat 100000 "9"))))
;=> ##Inf
(parse-double (str "0." (str/join (repeat 100000 "9"))))
;=> 1.0
(Long/parseLong (str/join (repeat 100000 "9")))
;! bad-number
(read-string (str/join (repeat 100000 "9")))
;! fuel-limit
(json/parse-string (str/join (repeat 100000 "9")))
;! bad-json
(rationalize 1e308)
;! not-available
(long 1e308)
;=> 1000000000000000010979063629440455417404923096773118463368106829031575854049114915371633289784946… 313 characters
(/ 1 3)
;=> 0.3333333333333333
(/ 9223372036854775807 9223372036854775806)
;=> 1.0
(reduce / (range 1 100000))
;=> 0.0
(reduce (fn [a n] (+ a (/ 1 n))) (range 1 100000))
;=> 12.090136129863335
(range 0 1 1e-300)
;! fuel-limit
(range 0 ##Inf 1)
;! endless-sequence
(range 0 10 0)
;! endless-sequence
(mod 1 0)
;! divide-by-zero
(quot -9223372036854775808 -1)
;=> 9223372036854775808N
(- -9223372036854775808)
;=> 9223372036854775808N
(abs -9223372036854775808)
;=> 9223372036854775808N

;; Work with large integers is paid by their length.
(def huge (reduce * (repeat 600 9223372036854775807))) (count (str huge))
;=> 11379
(dotimes [i 10000000] (str huge))
;! fuel-limit
(dotimes [i 10000000] (= huge (+ huge 1)))
;! fuel-limit
(dotimes [i 10000000] (< huge (+ huge 1)))
;! fuel-limit
(dotimes [i 10000000] (quot (* huge huge) huge))
;! fuel-limit
(dotimes [i 10000000] (rem (* huge huge) (inc huge)))
;! fuel-limit
(dotimes [i 10000000] (/ (* huge huge) (inc huge)))
;! fuel-limit
(dotimes [i 10000000] (hash huge))
;! fuel-limit
(dotimes [i 10000000] (double huge))
;! fuel-limit
(dotimes [i 10000000] (get {1 2} huge))
;! fuel-limit
(dotimes [i 10000000] (compare huge (inc huge)))
;! fuel-limit
(dotimes [i 10000000] (format "%d" huge))
;! fuel-limit
(dotimes [i 10000000] (println huge))
;! fuel-limit
(dotimes [i 10000000] (try (nth huge 1) (catch Exception e nil)))
;! fuel-limit
(dotimes [i 10000000] (json/generate-string huge))
;! fuel-limit
(dotimes [i 10000000] (even? huge))
;! fuel-limit
(dotimes [i 10000000] (max huge (inc huge)))
;! fuel-limit
(dotimes [i 10000000] (try (long huge) (catch Exception e 0)))
;! fuel-limit

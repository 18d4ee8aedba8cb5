;; What is kept grows from turn to turn, until a turn is refused; the turns before it stay.
;; limits: memory=8000000 memory_bytes=200000
(memory/put :a (str/join (repeat 90000 "x"))) 1
;=> 1
(memory/put :b (str/join (repeat 90000 "x"))) 2
;=> 2
(memory/put :c (str/join (repeat 90000 "x"))) 3
;! kept-memory-limit
(sort (keys memory))
;=> (:a :b)
(memory/put :c (reduce (fn [v _] [v v]) [] (range 100))) 4
;! kept-memory-limit
(memory/put :f inc) 5
;! not-json
(sort (keys memory))
;=> (:a :b)
(def v1 (vec (range 140000))) 6
;=> 6
(def v2 (vec (range 140000))) 7
;=> 7
(def v3 (vec (range 140000))) 8
;=> 8
(def v4 (vec (range 140000))) 9
;=> 9
(def v5 (vec (range 140000))) 10
;! memory-limit
(+ (count v1) (count v2))
;=> 280000
(count (vec (range 400000)))
;! fuel-limit
(count v5)
;! unknown-name
(let [v (vec (range 130000))] (loop [i 0] (if (= i 3) (count v) (recur (inc i)))))
;! memory-limit
(def f (let [big (vec (range 130000))] (fn [] (loop [i 0] (if (= i 3) (count big) (recur (inc i))))))) (f)
;! memory-limit
(f)
;! unknown-name
(loop [i 0] (memory/put (str i) (str/join (repeat 1000 "x"))) (recur (inc i)))
;! memory-limit
(count memory)
;=> 2

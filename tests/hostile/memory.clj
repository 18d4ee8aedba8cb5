;; What is kept grows without end.
;; limits: fuel=2000000
(loop [v [1]] (recur (into v v)))
;! fuel-limit
(loop [v [1] kept []] (recur (into v v) (conj kept v)))
;! fuel-limit
(loop [m {} i 0] (recur (assoc m i (vec (range 1000))) (inc i)))
;! fuel-limit
(loop [s #{} i 0] (recur (conj s (vec (range i (+ i 1000)))) (inc i)))
;! fuel-limit
(loop [kept nil i 0] (recur (cons (str/join (repeat 1000 "x")) kept) (inc i)))
;! fuel-limit
(reduce (fn [m i] (assoc m (str i) (range 1000))) {} (range 100000))
;! fuel-limit
(let [big (vec (range 100000))] (mapv (fn [i] (assoc big 0 i)) (range 50000)))
;! result-size-limit
(mapv (fn [i] (fn [] (vec (range i)) i)) (range 1000000))
;! memory-limit
(loop [f identity i 0] (let [big (vec (range 10000))] (recur (fn [x] (count big) (f x)) (inc i))))
;! fuel-limit
(vec (repeat 100000000 nil))
;! fuel-limit
(apply vector (repeat 3000000 1))
;! fuel-limit
(into [] (mapcat (fn [x] (repeat 1000 x)) (range 1000000)))
;! fuel-limit
(group-by identity (range 10000000))
;! memory-limit
(frequencies (map str (range 10000000)))
;! memory-limit
(zipmap (range 10000000) (range 10000000))
;! fuel-limit
(partition 1000 1 (range 2000))
;! result-size-limit
(count (partition 50000 1 (range 100000)))
;! fuel-limit
(reductions conj [] (range 100000))
;! result-size-limit
(iterate (fn [v] (into v v)) [1 2])
;! endless-sequence
(nth (iterate (fn [v] (into v v)) [1 2]) 60)
;! fuel-limit
(into (sorted-map) (map (fn [i] [i (vec (range 1000))]) (range 100000)))
;! fuel-limit
(def keep-me (vec (range 10000000)))
;! fuel-limit

;; Texts.
;; limits: fuel=2000000
(loop [s "ab"] (recur (str s s)))
;! memory-limit
(reduce (fn [s _] (str s s)) "abcdefgh" (range 40))
;! memory-limit
(str/join (repeat 100000000 "x"))
;! fuel-limit
(let [s (str/join (repeat 100000 "x"))] (str/join s (repeat 10000 s)))
;! memory-limit
(let [s (str/join (repeat 100000 "x"))] (str/replace s "x" s))
;! memory-limit
(let [s (str/join (repeat 100000 "x"))] (str/replace s #"x" s))
;! memory-limit
(let [s (str/join (repeat 100000 "x"))] (str/replace s #"x" (fn [_] s)))
;! memory-limit
(let [s (str/join (repeat 1000000 "\n"))] (count (str/split-lines s)))
;! fuel-limit
(.repeat "abc" 1000000000)
;! fuel-limit
(let [k (keyword (str/join (repeat 100000 "x")))] (mapv (fn [_] (name k)) (range 100000)))
;! fuel-limit
(let [k (symbol (str/join (repeat 100000 "x")))] (count (mapv (fn [_] (str k)) (range 100000))))
;! fuel-limit
(with-out-str (loop [] (println "0123456789012345678901234567890123456789") (recur)))
;! fuel-limit
(with-out-str (dotimes [i 100] (print (str/join (repeat 100000 "x")))))
;! fuel-limit
(let [s (str/join (repeat 100000 "x"))] (apply str (repeat 100000 s)))
;! fuel-limit
(let [s (str/join (repeat 100000 "\u0001"))] (count (json/generate-string (vec (repeat 100 s)))))
;! fuel-limit
(subs (str/join (repeat 10000000 "é")) 0 1)
;! fuel-limit

;; Many values, each just below a limit.
;; limits: fuel=2000000 memory=8000000
(let [s (str/join (repeat 900000 "x"))] (mapv (fn [i] (str i s)) (range 100)))
;! memory-limit
(mapv (fn [i] (vec (range 100000))) (range 100))
;! memory-limit
(loop [kept [] i 0] (if (< i 7) (recur (conj kept (str i (str/join (repeat 1000000 "x")))) (inc i)) (count kept)))
;! memory-limit
(loop [kept [] i 0] (if (< i 100) (recur (conj kept (str i (str/join (repeat 100000 "x")))) (inc i)) (count kept)))
;! fuel-limit

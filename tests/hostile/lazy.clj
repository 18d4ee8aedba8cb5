;; Sequences that never end.
(count (range))
;! endless-sequence
(reverse (range))
;! endless-sequence
(last (cycle [1]))
;! endless-sequence
(sort (repeat 1))
;! endless-sequence
(vec (lazy-seq (cons 1 (range))))
;! fuel-limit
(defn ones [] (lazy-seq (cons 1 (ones)))) (count (ones))
;! fuel-limit
(defn ones [] (lazy-seq (cons 1 (ones)))) (str (ones))
;! fuel-limit
(defn deep [n] (lazy-seq (deep (inc n)))) (first (deep 0))
;! fuel-limit
(defn nest [n] (lazy-seq [(nest n)])) (flatten (nest 0))
;! fuel-limit
(def s (lazy-seq s)) (first s)
;! unsupported
(def s (lazy-seq (cons 1 (map inc s)))) (nth s 100000)
;! fuel-limit
(def fibs (lazy-cat [0 1] (map + fibs (rest fibs)))) (nth fibs 100000)
;! fuel-limit
(nth (iterate (fn [s] (map inc s)) (range)) 100000)
;! fuel-limit
(first (reduce (fn [s _] (map inc s)) (range) (range 100000)))
;! fuel-limit
(first (reduce (fn [s _] (filter any? s)) (range) (range 100000)))
;! fuel-limit
(first (reduce concat (repeat 100000 [1])))
;! fuel-limit
(= (range) (range))
;! endless-sequence
(hash (range))
;! endless-sequence
(compare [(range)] [(range)])
;! endless-sequence
(println (range))
;! endless-sequence
(str (repeat 1))
;! endless-sequence
(json/generate-string (range))
;! endless-sequence
(memory/put :k (range))
;! endless-sequence
(return (range))
;! endless-sequence
(call "echo" {:v (range)})
;! endless-sequence
(into {} (map (fn [i] [i i])) (range))
;! endless-sequence
(zipmap (range) (range))
;! endless-sequence
(interleave (range) (range))
;! endless-sequence
(doall (partition-all 3 (range)))
;! endless-sequence
(transduce (map inc) + (range))
;! endless-sequence
(vec (sequence (comp (map inc) (partition-all 2)) (range)))
;! endless-sequence
(count (eduction (map inc) (range)))
;! endless-sequence
(into [] (comp (filter neg?) (take 1)) (range))
;! fuel-limit
(into [] cat (repeat [1]))
;! endless-sequence
(into [] (comp cat (partition-all 1000000000) (take 1)) (repeat (range 1000)))
;! fuel-limit
(reduce (fn [rf _] ((map inc) rf)) conj (range 25000))
;! call-depth-limit
(dedupe (repeat 1))
;! endless-sequence
(first (drop-while nat-int? (range)))
;! fuel-limit
(sequence (map inc) (range))
;! endless-sequence
(let [s (atom nil)] (reset! s (lazy-seq @s)) (first @s))
;! unsupported
(defn up [n] (lazy-seq (concat [n] (up (inc n))))) (count (up 0))
;! fuel-limit
(defn down [n] (concat (down (dec n)) [n])) (first (down 0))
;! call-depth-limit
(first (reduce (fn [xs n] (concat xs (lazy-seq [n]))) (lazy-seq nil) (range 100000)))
;! fuel-limit
(apply (fn f [& xs] (apply f xs)) (range))
;! call-depth-limit
(apply max (range))
;! endless-sequence
(count (range 0 Long/MAX_VALUE))
;=> 9223372036854775807
(count (take 100000000000 (iterate inc 0)))
;! fuel-limit
(count (take-while any? (range)))
;! fuel-limit
(map count (partition-by any? (range)))
;! endless-sequence
(flatten (repeat []))
;! endless-sequence
(defn twin [x] (lazy-seq (cons x (twin x)))) (= (twin 1) (twin 1))
;! fuel-limit
(def a (def b (def c (def d 1)))) (a 1)
;! not-callable
(def a (fn [x] x)) (def a (def a 1)) (map a [1])
;! not-callable
(clojure.edn/read-string (apply str (repeat 5000 "#a ")))
;! source-nesting-limit

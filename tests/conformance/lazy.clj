(take 5 (range))

(take 5 (iterate inc 0))

(take 5 (iterate #(* 2 %) 1))

(take 3 (repeat :x))

(take 5 (cycle [1 2]))

(take 3 (cycle []))

(take 3 (repeatedly (constantly 7)))

(first (range))

(first (iterate inc 5))

(second (iterate inc 5))

(nth (iterate inc 0) 100)

(nth (cycle [:a :b :c]) 7)

(nth (range) 42)

(first (repeat 1))

(take-while #(< % 10) (iterate #(* 2 %) 1))

(take-while #(< % 5) (range))

(first (drop-while #(< % 100) (iterate #(* 3 %) 1)))

(take 3 (map inc (range)))

(take 3 (filter even? (range)))

(take 3 (remove even? (range)))

(take 3 (map vector (range) (cycle [:a :b])))

(take 3 (map + (range) (range)))

(map vector [:a :b] (range))

(map #(str %1 %2) (cycle ["a" "b"]) [1 2 3])

(zipmap [:a :b] (range))

(zipmap [:a :b :c] (repeat 0))

(zipmap [:a :b] (iterate inc 10))

(interleave [:a :b] (range))

(take 4 (interleave (range) (repeat :x)))

(take 3 (interpose 0 (iterate inc 1)))

(take 3 (drop 5 (range)))

(take 4 (concat [1 2] (range)))

(take 3 (mapcat (fn [x] [x x]) (range)))

(take 3 (keep #(when (odd? %) (* % %)) (range)))

(take 3 (map-indexed vector (iterate inc 5)))

(take 2 (partition 2 (range)))

(take 2 (partition-all 3 (range)))

(take 2 (partition-by #(quot % 3) (range)))

(take 3 (take-nth 5 (range)))

(take 4 (distinct (cycle [1 2 3 4])))

(take 5 (reductions + (range)))

(take 3 (rest (range)))

(take 2 (next (iterate inc 0)))

(take 3 (cons :a (repeat :b)))

(some #(when (> (* % %) 50) %) (range))

(some #{5} (range))

(first (filter #(zero? (mod % 7)) (iterate inc 50)))

(every? #(< % 3) (range))

(reduce (fn [acc x] (if (> acc 100) (reduced acc) (+ acc x))) 0 (range))

(reduce (fn [_ x] (if (= x 10) (reduced :found) nil)) nil (iterate inc 0))

(loop [s (range) acc 0] (if (> (first s) 5) acc (recur (rest s) (+ acc (first s)))))

(let [[a b c] (range)] [a b c])

(let [[a b & _] (iterate inc 1)] [a b])

(let [[x & more] (cycle [1 2])] [x (take 2 more)])

(let [fib (map first (iterate (fn [[a b]] [b (+ a b)]) [0 1]))] (take 10 fib))

(let [primes (filter (fn [n] (not-any? #(zero? (rem n %)) (range 2 n))) (iterate inc 2))] (take 6 primes))

(for [x (take 3 (range)) y [:a]] [x y])

(take 3 (for [x (range) :when (odd? x)] (* x 10)))

(for [x (range) :while (< x 4)] x)

(take 2 (for [x (range) y [1 2]] [x y]))

(apply + (take 5 (range)))

(vec (take 3 (repeat [])))

(into [] (take 3) (range))

(apply str (take 3 (cycle "ab")))

(count (take 10 (range)))

(take 3 (lazy-seq [1 2 3 4]))

(take 3 (lazy-cat [1] [2 3 4]))

(take 5 ((fn ones [] (lazy-seq (cons 1 (ones))))))

(take 5 ((fn nats [n] (lazy-seq (cons n (nats (inc n))))) 0))

(empty? (range))

(seq? (range))

(first (map inc (range)))

(not-empty (take 0 (range)))

(nth (map #(* % %) (range)) 12)

(last (take 5 (range)))

(drop-last 2 (take 5 (range)))

(split-at 2 (take 4 (range)))

(take 3 (iterate (partial * 2) 1))

(take 3 (repeat 2 :x))

(take 3 (iterate rest [1 2 3]))

(take-while seq (iterate rest [1 2 3]))

(take 4 (iterate (fn [{:keys [n]}] {:n (inc n)}) {:n 0}))

(->> (iterate inc 1) (map #(* % %)) (filter odd?) (take-while #(< % 100)) (reduce +))

(->> (range) (drop 10) (take 3) vec)

(->> (cycle [:red :green]) (take 3) (map name))

(->> 100 (iterate #(quot % 2)) (take-while pos?))

(->> [17 1] (iterate (fn [[n i]] [(if (even? n) (/ n 2) (inc (* 3 n))) (inc i)])) (drop-while (fn [[n _]] (not= n 1))) first)

;; divergence: D2
;; ours: [1 2 3]
(let [a (atom [])] (map #(swap! a conj %) [1 2 3]) @a)

;; divergence: D2
;; ours: :caught
(try (map #(/ 10 %) [1 0]) (catch ArithmeticException e :caught))

;; divergence: D2
;; ours: 6
(let [n (atom 0)] (for [x [1 2 3]] (swap! n + x)) @n)

;; divergence: D2
;; ours: 2
(let [n (atom 0)] (filter (fn [x] (swap! n inc) true) [1 2]) @n)

(doall (map inc [1 2]))

(let [a (atom 0)] (dorun (map #(swap! a + %) [1 2])) @a)

(realized? (doall (map inc [1])))


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

(for [[a & r] [#{1} {:k 1}]] [a r])

(loop [[a & r] (sorted-set 1 2 3) s 0] (if a (recur r (+ s a)) s))

(ffirst [(range)])

(take 2 (nfirst [(iterate inc 1)]))

(ffirst (repeat (range)))

(realized? (lazy-seq [1]))

(let [s (lazy-seq [1])] (first s) (realized? s))

(realized? (range))

(realized? (iterate inc 1))

(realized? (cycle [1]))

(realized? (map inc (range)))

(realized? (rest (cons 1 (lazy-seq [2]))))

(realized? [1])

(realized? nil)

(realized? 5)

(= (range) 1)

(= 1 (range))

(= (range) nil)

(= (range) "a")

(= (range) {})

(= (range) #{})

(= (range) [])

(= (range) [0 1])

(= [0 1] (range))

(= (range) (iterate dec 0))

(let [r (range)] (= r r))

(= [(range)] [1])

(= [1 (range)] [2 (range)])

(= {:a (range)} {:a 1})

(= {:a (range)} {:b 1})

(= (lazy-seq [1 2]) [1 2])

(= (lazy-seq [1 [2]]) [1 (lazy-seq [2])])

(= (lazy-seq nil) nil)

(= (lazy-seq nil) [])

(not= (range) 1)

(not= (range) [0])

(= 1 1 (range))

(= (range) 1 (range))

(= {:a (lazy-seq [1])} {:a [1]})

(= #{(lazy-seq [1])} #{[1]})

(contains? #{[1]} (lazy-seq [1]))

(get {[1] :x} (lazy-seq [1]))

({[1] :x} (lazy-seq [1]))

(#{[1]} (lazy-seq [1]))

(distinct [(lazy-seq [1]) [1]])

(set [(lazy-seq [1]) [1]])

(frequencies [(lazy-seq [1]) [1]])

(conj #{[1]} (lazy-seq [1]))

(into #{} [[1] (lazy-seq [1])])

(case (lazy-seq [1]) (1) :l :none)

(some #{[1]} [(lazy-seq [1])])

(zipmap [(lazy-seq [1])] [2])

(sort [(lazy-seq [1])])

(compare [1] [(lazy-seq [1])])

(empty (range))

(empty (lazy-seq [1]))

(sequential? (range))

(coll? (range))

(counted? (range))

(vector? (range))

(list? (range))

(map? (range))

(nil? (range))

(fn? (range))

(ifn? (range))

(number? (range))

(string? (range))

(zero? (range))

(inc (range))

(+ 1 (range))

(< 1 (range))

(== 1 (range))

(max 1 (range))

(name (range))

(keyword (range))

(symbol (range))

(keyword "a" (range))

(not (range))

(boolean (range))

(associative? (range))

(seqable? (range))

(reversible? (range))

(indexed? (range))

(sorted? (range))

(any? (range))

(some? (range))

(true? (range))

(int? (range))

(char? (range))

(uuid? (range))

(ident? (range))

(map-entry? (range))

(reduced? (range))

(delay? (range))

(var? (range))

(rational? (range))

(infinite? (range))

(NaN? (range))

(bit-and 1 (range))

(abs (range))

(peek (range))

(pop (range))

(get (range) 0)

(contains? (range) 0)

(find (range) 0)

(assoc (range) 0 1)

(dissoc (range) 0)

(disj (range) 0)

((range) 1)

(deref (range))

(rseq (range))

(nth (range) -1)

(nth (range) -1 :d)

(nth (range) 1.5)

(take -1 (range))

(drop -1 (take 2 (range)))

(first (drop 1.5 (range)))

(first (nthrest (range) 1.5))

(first (nthnext (range) 0.5))

(take 2 (take-nth 1.5 (range)))

(take 2 (take-nth 0 (range)))

(take 2 (partition 2 0 (range)))

(take 2 (partition 0 1 (range)))

(take 2 (partition 1.5 1 (take 3 (range))))

(take 2 (partition-all 1.5 (range)))

(take 2 (partition-all 0 1 (range)))

(take 1.5 (range))

(map first (split-at 1.5 (range)))

(first (second (partition-by zero? (range))))

(ffirst (partition-by pos? (iterate inc 1)))

(first (take-while pos? (iterate inc 1)))

(take 3 (take-while pos? (iterate inc 1)))

(take 2 (first (split-with pos? (iterate inc 1))))

(take 3 (take 1e9 (range)))

(take 3 (take Long/MAX_VALUE (iterate inc 1)))

(run! reduced (range))

(run! reduced [1 2 3])

(let [a (atom 0)] (run! (fn [x] (swap! a + x) (when (= x 2) (reduced 1))) [1 2 3]) @a)

(def g (defn f [x] (inc x))) (g 2)

(take 5 (flatten (repeat [1 [2]])))

(take 5 (flatten (map list (range))))

(take 5 (flatten [0 (range)]))

(take 5 (flatten (cycle [[1] [] [[2]]])))

(flatten (lazy-seq [1 (lazy-seq [2 [3]])]))

(first (flatten (iterate vector 1)))

(take 4 (list* 1 2 (range)))

(take 2 (list* (range)))

(first (list* 1 (range)))

(list* 1 2 (lazy-seq [3]))

(list* (lazy-seq nil))

(list* [])

(apply (fn [a & r] a) (range))

(apply (fn [a b & [c & d]] [a b c (first d)]) (range))

(apply (fn [& xs] (first xs)) (range))

(apply (fn ([] 0) ([a] 1) ([a & r] [a (first r)])) (range))

(apply (fn [a & r] [a r]) (lazy-seq [1]))

(apply (fn [a & r] [a r]) 0 (lazy-seq [1 2]))

(apply (fn [a & r] a) 0 1 2 (range))

(defn f [x & xs] (take 2 xs)) (apply f 1 (range))

(take 4 (apply concat (map list (range))))

(take 4 (apply concat [1 2] (repeat [3])))

(take 4 (apply concat (repeat [1 2])))

(apply < (iterate dec 10))

(apply = (range))

(apply not= (range))

(apply max (range 5))

(apply str (take 3 (range)))

(apply map vector [(range) [1 2]])

(apply mapcat list [(range 2) [1 2]])

(take 3 (apply map + [(range) (range)]))

(take 3 (apply interleave [(range) (repeat :x)]))

(take 5 (reductions + 1 (range)))

(take 3 (reductions conj [] (range)))

(first (reductions + (range)))

(reductions + (lazy-seq nil))

(reductions + 5 (lazy-seq nil))

(last (take 1000 (reductions + (range))))

(reductions (fn [a x] (if (= x 5) (reduced :done) (+ a x))) (range))

(take 3 (map + (reductions + (iterate inc 1)) (range)))

(let [[x & xs :as all] (range)] [x (first xs) (first all)])

;; divergence: D4
;; ours: true
(= (float 0.1) 0.1)

(float 0.1)

;; divergence: D4
;; ours: 0.1
(double (float 0.1))

(double (float 0.5))

(defn up [n] (lazy-seq (concat [n] (up (inc n))))) (nth (up 0) 3000)

(defn up [n] (lazy-seq (concat [n] (up (inc n))))) (nth (up 0) 100000)

(defn up [n] (lazy-seq (concat [n (- n)] (up (inc n))))) (nth (up 0) 100000)

(defn up [n] (lazy-cat [n] (up (inc n)))) (nth (up 0) 100000)

(defn up [n] (concat [n] (lazy-seq (up (inc n))))) (nth (up 0) 100000)

(defn up [n] (lazy-seq (concat (range n) (up (inc n))))) (nth (up 0) 50000)

(def s ((fn up [n] (lazy-seq (concat [n] (up (inc n))))) 0)) (nth s 100000)

(defn up [n] (lazy-seq (mapcat identity [[n] (up (inc n))]))) (nth (up 0) 2000)

(defn up [n] (lazy-seq (if (< n 20000) (concat [n] (up (inc n)))))) (count (up 0))

(defn up [n] (lazy-seq (when (< n 20000) (concat [n] (up (inc n)))))) (reduce + (up 0))

(defn up [n] (lazy-seq (interleave [n] [(- n)] ))) (up 3)

(defn up [n] (lazy-seq (interpose :x (cons n (up (inc n)))))) (take 5 (up 0))

(def primes (cons 2 (lazy-seq (filter (fn [n] (every? #(pos? (rem n %)) (take-while #(<= (* % %) n) primes))) (iterate inc 3))))) (take 10 primes)

(def primes (cons 2 (lazy-seq (filter (fn [n] (every? #(pos? (rem n %)) (take-while #(<= (* % %) n) primes))) (iterate inc 3))))) (nth primes 500)

(def primes (concat [2 3 5 7] (lazy-seq (let [primes-from (fn primes-from [n [f & r]] (if (some #(zero? (rem n %)) (take-while #(<= (* % %) n) primes)) (recur (+ n f) r) (lazy-seq (cons n (primes-from (+ n f) r))))) wheel (cycle [2 4 2 4 6 2 6 4 2 4 6 6 2 6 4 2 6 4 6 8 4 2 4 2 4 8 6 4 6 2 4 6 2 6 6 4 2 4 6 2 6 4 2 4 2 10 2 10])] (primes-from 11 wheel))))) (take 20 primes)

(def fibs (lazy-cat [0 1] (map + fibs (rest fibs)))) (take 12 fibs)

(def fibs (lazy-cat [0 1] (map + fibs (rest fibs)))) (nth fibs 90)

(def fibs (cons 0 (cons 1 (lazy-seq (map + fibs (rest fibs)))))) (take 12 fibs)

(def nums (lazy-seq (cons 1 (map inc nums)))) (take 5 nums)

(def nums (cons 1 (lazy-seq (map inc nums)))) (nth nums 1000)

(def primes (cons 1 (lazy-seq (filter (fn [x] (not-any? #(zero? (rem x %)) (rest primes))) (range 2 100))))) (first primes)

(def primes (remove (fn [x] (some #(zero? (mod x %)) (range 2 x))) (iterate inc 2))) (take 5 primes)

(def primes (cons 2 (lazy-seq (for [n (iterate inc 3) :when (every? #(pos? (rem n %)) (take-while #(<= (* % %) n) primes))] n)))) (take 10 primes)

(letfn [(sieve [s] (lazy-seq (cons (first s) (sieve (remove #(zero? (mod % (first s))) (rest s))))))] (take 8 (sieve (iterate inc 2))))

(defn from [n] (lazy-seq (cons n (from (inc n))))) (def s (from 0)) (def t (map + s (rest s))) (take 4 t)

(def pascal (iterate #(map + (concat [0] %) (concat % [0])) [1])) (take 4 pascal)

(def tri (reductions + (rest (range)))) (take 5 tri)

(take 2 (filter even? (range 2 Long/MAX_VALUE)))

(take 2 (filter even? (range 2 1e12)))

(first (range 5 Long/MAX_VALUE))

(take 3 (range Long/MAX_VALUE 0 -3))

(take 2 (range 0 ##Inf))

(take 2 (range 0 ##-Inf -1))

(take 2 (range 0 ##Inf 5))

(take 3 (map vector (range 1 1e9) [:a :b]))

(nth (range 0 Long/MAX_VALUE 7) 10)

(some #(when (> % 100) %) (range 1 100000000))

(reduce (fn [a x] (if (> x 10) (reduced a) (+ a x))) 0 (range 1 Integer/MAX_VALUE))

(take-while #(< % 5) (range 0 1e10))

(first (drop-while #(< % 100) (range 1000000000)))

(count (take 10 (range 1000000000)))

(loop [[x & xs] (range 1 1000000000)] (if (> x 20) x (recur xs)))

(for [x (range 1000000000) :while (< x 3)] x)

;; divergence: D2
;; ours-error: any
(first (for [x (range 1 1000000000) y (range 1 x) :when (= 50 (* x y))] [x y]))

(doseq [x (range 10000000000) :while (< x 3)] x)

(some (fn [n] (when (= 0 (mod n 7)) n)) (range 100 Long/MAX_VALUE))

(seq (range 5 Long/MAX_VALUE -1))

(range Long/MAX_VALUE 5)

(rest (range 9223372036854775806 Long/MAX_VALUE))

(count (range 10 5000010 1000))

(reduce + (range 0 9000000 1000000))

(empty? (range 10000000000))

;; divergence: D2
;; ours-error: any
(zipmap [:a :b] (range 10000000000))

(partition 2 (take 4 (range 100000000)))

;; divergence: D2
;; ours-error: any
(take 2 (partition-all 3 (range 100000000)))

(take 3 (interleave (range 100000000) (repeat 1)))

;; divergence: D2
;; ours-error: any
(take 3 (map-indexed vector (range 5 100000000)))

(last (take 5 (range 100000000)))

(= (range 100000000) [1])

(= (take 3 (range 100000000)) [0 1 2])

(first (sort > (take 5 (range 100000000))))

;; divergence: D2
;; ours-error: any
(vec (take 3 (range 0.5 1e10)))

(let [[a b] (range 100000000)] [a b])

(take 3 (keep #(when (odd? %) %) (range 1e8)))

(second (map inc (range 10000000000)))

;; divergence: D2
;; ours-error: any
(take 3 (distinct (range 10000000000)))

;; divergence: D2
;; ours-error: any
(take 3 (flatten (partition 2 (range 10000000000))))

(contains? (set (take 5 (range 10000000000))) 3)

(first (filter #(> (* % %) 2000) (range 10000000000)))

(max (first (range 10000000000)) 5)

(mapcat list (take 2 (range 10000000000)))

(take 2 (mapcat list (range 10000000000)))

(into [] (take 2 (range 10000000000)))

(every? pos? (range 10000000000))

(not-any? #(= 5 %) (range 10000000000))

(nthrest (range 1 5) 2)

(take 5 (iterate (fn [x] (* 2 x)) 1))

(= (lazy-seq [1]) '(1) [1])

(= [(lazy-seq [1])] [[1]] [(list 1)])

(= (lazy-seq [1 2]) (lazy-seq [1 3]))

(= {1 (lazy-seq [2])} {1 [2]} {1 '(2)})

(= #{1} (lazy-seq [1]))

(= "a" (lazy-seq ["a"]))

(= (map inc (range)) (range))

(filter (partial = 3) (take 5 (range)))

(= (first (range)) 0)

(apply = [(lazy-seq [1]) [1]])

(distinct? (lazy-seq [1]) [1])

(some #(= % 3) (range))

(= nil (seq (lazy-seq nil)))

(= () (lazy-seq nil))

(= (list 1 2) (take 2 (rest (range))))

(= (take 3 (range)) (take 3 (iterate inc 0)))

(not= (lazy-seq [1]) [1])

(= (cons 1 (lazy-seq [2])) [1 2])

(= [1 2] (cons 1 (lazy-seq (throw (ex-info "x" {})))))

(= [2] (cons 1 (lazy-seq (throw (ex-info "x" {})))))

(set (map #(lazy-seq [%]) [1 1 2]))

(frequencies (map #(lazy-seq [%]) [1 1 2]))

(distinct (map #(lazy-seq [%]) [1 1 2]))

(dedupe (map #(lazy-seq [%]) [1 1 2]))

({[0 1] :x} (take 2 (range)))

(#{[0 1]} (map identity (lazy-seq [0 1])))

(map {[0] :x} (map #(lazy-seq [%]) [0 1]))

(some #{[1]} (map #(lazy-seq [%]) [0 1]))

(apply concat (lazy-seq [[1] nil [2 3] #{4}]))

(apply concat [1] (lazy-seq nil))

(concat (lazy-seq [1]) {:a 1} "ab" #{3} nil [4])

(concat (lazy-seq nil) nil)

(concat [1] (lazy-seq [2]) [] nil)

(first (concat [1] (lazy-seq (throw (ex-info "x" {})))))

(take 2 (concat [1 2] (lazy-seq (throw (ex-info "x" {})))))

(concat (lazy-seq [1]) 5)

(take 1 (concat (lazy-seq [1]) 5))

(mapcat (fn [x] (lazy-seq [x x])) [1 2 3])

(mapcat (fn [x] (lazy-seq nil)) [1 2 3])

(take 4 (mapcat (fn [x] [x x]) (range)))

(take 3 (mapcat range (range)))

(apply mapcat vector [(range) [1 2]])

(apply list* 1 [2 (lazy-seq [3])])

(list* 1 2 (lazy-seq nil))

(list* 1 (lazy-seq (throw (ex-info "x" {}))))

(first (list* 1 (lazy-seq (throw (ex-info "x" {})))))

(apply vector 1 (take 2 (range)))

(apply + 1 (lazy-seq [2 3]))

(apply max (lazy-seq [2 3]))

(apply (fn [a b] [a b]) (lazy-seq [1 2]))

(apply (fn [a b] [a b]) (lazy-seq [1]))

(apply (fn [a & r] r) (lazy-seq [1]))

(apply (fn [a & r] (count r)) (lazy-seq [1 2 3]))

(apply (fn [a & r] a) (lazy-seq nil))

(apply (fn [a & [b]] [a b]) (range))

(apply (fn f ([a] [a]) ([a & r] (if (> a 3) a (apply f r)))) (range))

(apply < (lazy-seq [1 2 3]))

(apply < (lazy-seq [1 3 2]))

(apply = (lazy-seq [1 1]))

(apply not= (lazy-seq [1 1]))

(apply < (lazy-seq nil))

(apply < (lazy-seq [:a]))

(try (apply (fn [a & r] (throw (ex-info "x" {:a a}))) (range)) (catch Exception e (ex-data e)))

(take-while #(< % 3) (cons 1 (lazy-seq [2 3 1])))

(count (take-while #(< % 5000) (range)))

(nth (take-while #(< % 5000) (range)) 4000)

(map count (take 2 (partition-by #(quot % 3000) (range))))

(map first (take 3 (partition-by #(quot % 3000) (range))))

(let [[a b] (split-with #(< % 2500) (range))] [(count a) (first b)])

(let [n (atom 0)] (first (take-while (fn [x] (swap! n inc) (< x 5)) (range))))

(take 3 (take 10000000000 (range)))

(count (take 100000 (range)))

(ffirst (split-at 10000000000 (range)))

(.substring "abc" 1.5)

(split-at 10000000 [1 2])

(take 0 nil)

(take 0 (range))

(take 0 {:a 1})

(contains? {[1] 2} (lazy-seq [1]))

(find {[1] 2} (lazy-seq [1]))

(dissoc {[1] 2 3 4} (lazy-seq [1]))

(disj #{[1] 2} (lazy-seq [1]))

(peek (lazy-seq [1]))

(pop (lazy-seq [1]))

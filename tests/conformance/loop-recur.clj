(loop [i 0] (if (< i 5) (recur (inc i)) i))

(loop [i 0 acc 0] (if (< i 5) (recur (inc i) (+ acc i)) acc))

(loop [i 5 acc []] (if (pos? i) (recur (dec i) (conj acc i)) acc))

(loop [] 5)

(loop [x 1] x)

(loop [xs [1 2 3] acc 0] (if (empty? xs) acc (recur (rest xs) (+ acc (first xs)))))

(loop [xs (seq [1 2 3]) acc ()] (if xs (recur (next xs) (conj acc (first xs))) acc))

(loop [[x & more] [1 2 3] acc []] (if (nil? x) acc (recur more (conj acc (* x x)))))

(loop [a 0 b 1 n 10] (if (zero? n) a (recur b (+ a b) (dec n))))

(loop [a 48 b 18] (if (zero? b) a (recur b (mod a b))))

(loop [n 27 steps 0] (if (= n 1) steps (recur (if (even? n) (quot n 2) (inc (* 3 n))) (inc steps))))

(loop [i 0] (when (< i 3) (recur (inc i))))

(loop [i 0] (cond (> i 10) :done (= i 5) :five :else (recur (inc i))))

(loop [i 0] (if (= i 3) i (let [j (inc i)] (recur j))))

(loop [i 0] (if (< i 3) (do (inc 1) (recur (inc i))) i))

(loop [i 0] (when-not (> i 3) (recur (inc i))))

(loop [i 0] (case i 3 :end (recur (inc i))))

(loop [m {} xs [:a :b :a]] (if-let [[x & r] (seq xs)] (recur (update m x (fnil inc 0)) r) m))

(loop [q [1] seen #{}] (if-let [x (first q)] (if (or (seen x) (> x 10)) (recur (rest q) seen) (recur (concat (rest q) [(* 2 x) (inc x)]) (conj seen x))) (sort seen)))

(loop [lo 0 hi 100] (let [mid (quot (+ lo hi) 2)] (cond (= mid 37) mid (< mid 37) (recur (inc mid) hi) :else (recur lo (dec mid)))))

(loop [s "hello" acc ""] (if (empty? s) acc (recur (subs s 1) (str (subs s 0 1) acc))))

(loop [n 10 acc ()] (if (zero? n) (apply str acc) (recur (quot n 2) (cons (rem n 2) acc))))

(loop [x 100.0 i 0] (if (< x 1) i (recur (/ x 2) (inc i))))

(loop [guess 1.0 i 0] (if (= i 6) (Math/round (* 1000 guess)) (recur (/ (+ guess (/ 2 guess)) 2) (inc i))))

(loop [i 0 fs []] (if (< i 3) (recur (inc i) (conj fs (fn [] i))) (map #(%) fs)))

(loop [i 0 j 10] (if (>= i j) [i j] (recur (inc i) (dec j))))

(loop [x 1 y x] (if (> x 3) [x y] (recur (inc x) x)))

(loop [i 100000 acc 0] (if (zero? i) acc (recur (dec i) (+ acc i))))

((fn [n acc] (if (zero? n) acc (recur (dec n) (* acc n)))) 5 1)

((fn [x & xs] (if xs (recur (+ x (first xs)) (next xs)) x)) 1 2 3)

((fn f [n] (if (> n 100) n (recur (* n 2)))) 3)

(defn count-down [n] (if (pos? n) (recur (dec n)) :lift-off)) (count-down 50000)

(defn gcd [a b] (if (zero? b) a (recur b (mod a b)))) (gcd 84 36)

(defn pow [b e] (loop [acc 1 e e] (if (zero? e) acc (recur (* acc b) (dec e))))) (pow 2 10)

(defn sum-digits [n] (loop [n n s 0] (if (zero? n) s (recur (quot n 10) (+ s (mod n 10)))))) (sum-digits 98765)

(defn find-first [p xs] (loop [[x & r :as all] (seq xs)] (cond (empty? all) nil (p x) x :else (recur r)))) [(find-first even? [1 3 4]) (find-first even? [1])]

(defn flat [xs] (loop [st [xs] out []] (if (empty? st) out (let [x (peek st) st (pop st)] (if (vector? x) (recur (into st (reverse x)) out) (recur st (conj out x))))))) (flat [1 [2 [3 4]] 5])

(loop [i 0] (if (< i 3) (recur) i))

(loop [i 0] (recur i 1))

(loop [i 0] (inc (recur i)))

(recur 1)

(loop [i] i)

(loop [i 0] (try (if (< i 1) (recur (inc i)) i) (finally nil)))

(loop [i 0 acc []] (if (< i 3) (recur (inc i) (conj acc (try (/ 6 i) (catch ArithmeticException e :inf)))) acc))

(loop [i 0] (and (< i 5) (recur (inc i))))

(loop [i 0] (or (> i 5) (recur (inc i))))

(loop [xs [3 1 2] sorted []] (if (seq xs) (let [m (apply min xs)] (recur (remove #{m} xs) (conj sorted m))) sorted))

(loop [tasks [{:id 1 :deps []} {:id 2 :deps [1]} {:id 3 :deps [2]}] done [] n 0] (if (or (empty? tasks) (> n 10)) done (let [ready (filter #(every? (set done) (:deps %)) tasks)] (recur (remove (set ready) tasks) (into done (map :id ready)) (inc n)))))

(loop [state :idle evs [:start :pause :stop]] (if-let [e (first evs)] (recur (get-in {:idle {:start :run} :run {:pause :hold} :hold {:stop :idle}} [state e] state) (rest evs)) state))

(loop [balance 1000.0 months 0] (if (or (<= balance 0) (> months 100)) months (recur (- (* balance 1.01) 100) (inc months))))


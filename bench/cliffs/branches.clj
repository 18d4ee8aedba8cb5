; Branches and destructuring. `bench/README.md` tells how to read this file.

;;; grades: 5000
;; data
{:xs (mapv #(rem (* % 37) 101) (range COUNT))}
;; cond
(map (fn [x] (cond (>= x 90) "A" (>= x 70) "B" (>= x 50) "C" :else "D")) ctx/xs)
;; if
(map (fn [x] (if (>= x 90) "A" (if (>= x 70) "B" (if (>= x 50) "C" "D")))) ctx/xs)
;; condp
(map (fn [x] (condp <= x 90 "A" 70 "B" 50 "C" "D")) ctx/xs)
;; a defn
(defn grade [x] (cond (< x 50) "D" (< x 70) "C" (< x 90) "B" :else "A"))
(map grade ctx/xs)
;; a range
(map (fn [x] (cond (<= 90 x 100) "A" (<= 70 x 89) "B" (<= 50 x 69) "C" :else "D")) ctx/xs)
;; and
(map (fn [x] (cond (and (>= x 50) (< x 70)) "C" (and (>= x 70) (< x 90)) "B" (>= x 90) "A" true "D")) ctx/xs)
;;~ some over a table
(map (fn [x] (some (fn [[least g]] (when (>= x least) g)) [[90 "A"] [70 "B"] [50 "C"] [0 "D"]])) ctx/xs)
;;~ first of filter
(map (fn [x] (second (first (filter #(>= x (first %)) [[90 "A"] [70 "B"] [50 "C"] [0 "D"]])))) ctx/xs)

;;; words for codes: 5000
;; data
{:rows (mapv (fn [i] {:status (nth ["open" "paid" "sent" "lost"] (rem i 4))}) (range COUNT))}
;; case
(map (fn [r] (case (:status r) "open" 1 "paid" 2 "sent" 3 0)) ctx/rows)
;; case of keywords
(map (fn [r] (case (keyword (:status r)) :open 1 :paid 2 :sent 3 0)) ctx/rows)
;; cond and =
(map (fn [{:keys [status]}] (cond (= status "open") 1 (= status "paid") 2 (= status "sent") 3 :else 0)) ctx/rows)
;; condp
(map (fn [r] (condp = (:status r) "open" 1 "paid" 2 "sent" 3 0)) ctx/rows)
;; a map
(let [code {"open" 1 "paid" 2 "sent" 3}] (map (fn [r] (get code (:status r) 0)) ctx/rows))
;; a call of the map
(map (fn [r] ({"open" 1 "paid" 2 "sent" 3} (:status r) 0)) ctx/rows)
;; a global map
(def code {"open" 1 "paid" 2 "sent" 3})
(map #(or (code (:status %)) 0) ctx/rows)
;; if
(map (fn [r] (let [s (:status r)] (if (= s "open") 1 (if (= s "paid") 2 (if (= s "sent") 3 0))))) ctx/rows)

;;; fizz and buzz: 3000
;; cond
(map (fn [i] (cond (zero? (rem i 15)) "FizzBuzz" (zero? (rem i 5)) "Buzz" (zero? (rem i 3)) "Fizz" :else (str i))) (range COUNT))
;; case of a pair
(map (fn [i] (case [(zero? (rem i 3)) (zero? (rem i 5))] [true true] "FizzBuzz" [true false] "Fizz" [false true] "Buzz" (str i))) (range COUNT))
;; condp
(map (fn [i] (condp #(zero? (mod %2 %1)) i 15 "FizzBuzz" 5 "Buzz" 3 "Fizz" (str i))) (range COUNT))
;; str and when
(map (fn [i] (let [s (str (when (zero? (mod i 3)) "Fizz") (when (zero? (mod i 5)) "Buzz"))] (if (empty? s) (str i) s))) (range COUNT))
;; for
(for [i (range COUNT) :let [fizz (= 0 (mod i 3)) buzz (= 0 (mod i 5))]]
  (cond (and fizz buzz) "FizzBuzz" fizz "Fizz" buzz "Buzz" :else (str i)))
;; loop
(loop [i 0 all []]
  (if (= i COUNT)
    all
    (recur (inc i) (conj all (cond (= 0 (rem i 15)) "FizzBuzz" (= 0 (rem i 5)) "Buzz" (= 0 (rem i 3)) "Fizz" :else (str i))))))

;;; triples: 5000
;; data
{:rows (mapv (fn [i] [i (rem i 7) (rem i 5)]) (range COUNT))}
;; [a b c]
(map (fn [[a b c]] (+ a (* b c))) ctx/rows)
;; nth
(map (fn [p] (+ (nth p 0) (* (nth p 1) (nth p 2)))) ctx/rows)
;; a call of the vector
(map (fn [p] (+ (p 0) (* (p 1) (p 2)))) ctx/rows)
;; first, second and last
(map (fn [p] (+ (first p) (* (second p) (last p)))) ctx/rows)
;; let
(map (fn [p] (let [[a b c] p] (+ a (* b c)))) ctx/rows)
;; for
(for [[a b c] ctx/rows] (+ a (* b c)))
;; apply
(map #(apply (fn [a b c] (+ a (* b c))) %) ctx/rows)
;; get
(map (fn [p] (+ (get p 0) (* (get p 1) (get p 2)))) ctx/rows)
;;~ [a & more]
(map (fn [[a & more]] (+ a (reduce * more))) ctx/rows)

;;; sum and count in one pass: 5000
;; data
{:xs (mapv #(rem (* % 7919) 1009) (range COUNT))}
;; two passes
[(reduce + ctx/xs) (count (filter even? ctx/xs))]
;; a pair
(reduce (fn [[sum n] x] [(+ sum x) (if (even? x) (inc n) n)]) [0 0] ctx/xs)
;;~ a map
(let [{:keys [sum n]} (reduce (fn [{:keys [sum n]} x] {:sum (+ sum x) :n (if (even? x) (inc n) n)}) {:sum 0 :n 0} ctx/xs)]
  [sum n])
;; update of a map
((juxt :sum :n)
 (reduce (fn [state x] (cond-> (update state :sum + x) (even? x) (update :n inc))) {:sum 0 :n 0} ctx/xs))
;; loop
(loop [xs ctx/xs sum 0 n 0] (if (seq xs) (recur (rest xs) (+ sum (first xs)) (if (even? (first xs)) (inc n) n)) [sum n]))
;; loop with [x & more]
(loop [[x & more] ctx/xs sum 0 n 0] (if (nil? x) [sum n] (recur more (+ sum x) (if (even? x) (inc n) n))))
;; atoms
(let [sum (atom 0) n (atom 0)] (doseq [x ctx/xs] (swap! sum + x) (when (even? x) (swap! n inc))) [@sum @n])

;;; nested records: 3000
;; data
{:rows (mapv (fn [i] {:id i :user {:name (str "n" i) :tags ["a" "b"]}}) (range COUNT))}
;; one pattern
(map (fn [{id :id {name :name [tag] :tags} :user}] [id name tag]) ctx/rows)
;; keywords
(map (fn [r] [(:id r) (:name (:user r)) (first (:tags (:user r)))]) ctx/rows)
;; get-in
(map (fn [r] [(:id r) (get-in r [:user :name]) (get-in r [:user :tags 0])]) ctx/rows)
;; let
(map (fn [{:keys [id user]}] (let [{:keys [name tags]} user [tag] tags] [id name tag])) ctx/rows)
;; juxt
(map (juxt :id (comp :name :user) (comp first :tags :user)) ctx/rows)
;; ->
(map (fn [r] [(:id r) (-> r :user :name) (-> r :user :tags first)]) ctx/rows)

;;; optional steps: 3000
;; data
{:rows (mapv (fn [i] {:n i :on (even? i) :vip (zero? (rem i 3))}) (range COUNT))}
;; cond->
(map (fn [r] (cond-> (:n r) (:on r) (* 2) (:vip r) inc)) ctx/rows)
;; let and if
(map (fn [{:keys [n on vip]}] (let [n (if on (* n 2) n) n (if vip (inc n) n)] n)) ctx/rows)
;; nested if
(map (fn [{:keys [n on vip]}] (if on (if vip (inc (* n 2)) (* n 2)) (if vip (inc n) n))) ctx/rows)
;; as->
(map (fn [r] (as-> (:n r) n (if (:on r) (* n 2) n) (if (:vip r) (inc n) n))) ctx/rows)
;; arithmetic
(map (fn [{:keys [n on vip]}] (+ (* n (if on 2 1)) (if vip 1 0))) ctx/rows)

;;; commands of a small machine: 5000
;; data
{:steps (mapv (fn [i] [(nth ["add" "mul" "neg"] (rem i 3)) (rem i 5)]) (range COUNT))}
;; case
(reduce (fn [acc [op n]] (case op "add" (+ acc n COUNT) "mul" (rem (* acc n) 10007) "neg" (- acc))) 1 ctx/steps)
;; cond
(reduce (fn [acc [op n]] (cond (= op "add") (+ acc n COUNT) (= op "mul") (rem (* acc n) 10007) :else (- acc))) 1 ctx/steps)
;; condp
(reduce (fn [acc [op n]] (condp = op "add" (+ acc n COUNT) "mul" (rem (* acc n) 10007) "neg" (- acc))) 1 ctx/steps)
;; a map of functions
(let [ops {"add" (fn [acc n] (+ acc n COUNT)) "mul" (fn [acc n] (rem (* acc n) 10007)) "neg" (fn [acc _] (- acc))}]
  (reduce (fn [acc [op n]] ((get ops op) acc n)) 1 ctx/steps))
;; loop
(loop [steps ctx/steps acc 1]
  (if (empty? steps)
    acc
    (let [[op n] (first steps)]
      (recur (rest steps) (case op "add" (+ acc n COUNT) "mul" (rem (* acc n) 10007) "neg" (- acc))))))
;; first and second
(reduce (fn [acc step]
          (let [op (first step) n (second step)]
            (case op "add" (+ acc n COUNT) "mul" (rem (* acc n) 10007) "neg" (- acc))))
        1 ctx/steps)

(case 1 1 :one 2 :two)

(case 2 1 :one 2 :two :other)

(case 3 1 :one :other)

(case 3 1 :one)

(case :a :a 1 :b 2)

(case "x" "x" 1 "y" 2 3)

(case "z" "x" 1 3)

(case nil nil :nil :other)

(case true true :t false :f)

(case 'a a :sym :other)

(case 2 (1 2 3) :low (4 5) :high)

(case :c (:a :b) 1 :c 2)

(case [1 2] [1 2] :pair :other)

(case {:a 1} {:a 1} :m :other)

(case \a \a :char :other)

(case 1 1 (do :x :y))

(case (+ 1 1) 2 "two" "other")

(case "open" ("open" "new") :active "closed" :done :unknown)

(case (:status {:status "paid"}) "paid" 1 "due" 2 0)

(case :x :default)

(case 1 1 :a 1 :b)

(case nil :none)

(let [x 5] (case x 5 (inc x) 0))

(map #(case % 1 :a 2 :b :z) [1 2 3])

(map #(case % "low" 1 "mid" 2 "high" 3 0) ["high" "low" "?"])

(case (count [1 2]) 0 :none 1 :one :many)

(condp = 1 1 :one 2 :two)

(condp = 3 1 :one :other)

(condp = 3 1 :one)

(condp < 5 10 :lt10 3 :lt3)

(condp > 5 10 :small 3 :tiny :big)

(condp some [1 2 3] #{5} :five #{2} :two)

(condp some [1 2 3] #{5 6} :>> inc #{2 3} :>> #(* 10 %))

(condp re-find "hello 42" #"^\d" :num #"[a-z]+" :word)

(condp re-matches "v12" #"v(\d+)" :>> second :none)

(condp contains? :a #{:b} 1 #{:a} 2)

(condp instance? "s" Number :num String :str)

(condp #(clojure.string/includes? %2 %1) "error: disk" "warn" :w "error" :e :n)

(condp get :b {:a 1} :a {:b 2} :b)

(cond (< 5 3) :a (> 5 3) :b)

(cond (nil? 1) :a :else :b)

(cond :else 1)

(cond false 1 nil 2)

(cond "truthy" 1)

(cond 1 2 (throw (ex-info "x" {})) 3)

(let [n 85] (cond (>= n 90) "A" (>= n 80) "B" :else "C"))

(let [x -1] (cond (neg? x) :neg (zero? x) :zero :default :pos))

(map (fn [n] (cond (zero? (mod n 15)) "FizzBuzz" (zero? (mod n 5)) "Buzz" (zero? (mod n 3)) "Fizz" :else n)) (range 1 16))

(cond true)

(cond-> 1 true inc)

(cond-> 1 false inc)

(cond-> 1 true inc false (* 10) true (+ 5))

(cond-> {:a 1} true (assoc :b 2) nil (assoc :c 3))

(cond-> [] (> 2 1) (conj :x) (< 2 1) (conj :y))

(cond-> {} (some? nil) (assoc :x 1))

(cond->> [1 2 3] true (map inc) false (filter even?))

(cond->> [1 2 3] true (filter odd?) true (reduce +))

(let [m {:n 5}] (cond-> m (> (:n m) 3) (update :n * 2)))

(if (= 1 1) (if false :a :b) :c)

(when (and 1 (or nil 2)) :ok)


(case 'foo 'foo 1 2)

(case 'quote 'foo 1 2)

(case '(quote foo) 'foo 1 2)

(case 'foo '(foo bar) 1 2)

(case 'quote '(foo bar) 1 2)

(case '(foo bar) '(foo bar) 1 2)

(case ['a 'b] [a b] 1 2)

(case '(quote a) ['a] 1 2)

(case ['(quote a)] ['a] 1 2)

(case {:a 1} {:a 1} :m 2)

(case #{1} #{1} :m 2)

(case '[1] ((1) [1]) :m 2)

(case '(1) ((1) [1]) :m 2)

(case [1] ((1) [1]) :m 2)

(case 'a 'a 1 'b 2)

(case 'a (a a) 1)

(case 1 1 :a 1 :b)

(case 1 #"a" :a :b)

(case 'deref @a 1 2)

(case 'a #'a 1 2)

(case 1 (1 2) :a (3 1) :b)

(case 1 () :a :b)

(case () () :a :b)

(case () (()) :a :b)

(case [1] (1) :x [1] :y)

(case [[1]] [(1)] :x :y)

(case nil nil :nil :else)

(case 1)

(case 1 2)

(case 'foo (quote foo) 1 2)

(case [1 '(2)] [1 (2)] :x :y)

;; divergence: D3
;; ours-error: any
(case \a "a" 1 \a 2)

(case -1 (-1 0) 1 2)

(case ##Inf ##Inf 1 2)

(case ##NaN ##NaN 1 2)

(case 2.0 2.0 1 2)

;; divergence: D4
;; ours: 1
(case 2 2.0 1 2)

(case 10000000000000000000 10000000000000000000N 1 2)

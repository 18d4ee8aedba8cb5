(reduce + [1 2 3])

(reduce + 10 [1 2 3])

(reduce + [])

(reduce + 5 [])

(reduce + nil)

(reduce + [7])

(reduce * [])

(reduce conj [])

(reduce (fn [a b] (throw (ex-info "no" {}))) [1])

(reduce (fn [] :none) [])

(reduce max [3 9 2])

(reduce min [3 9 2])

(reduce str ["a" "b" "c"])

(reduce str "" [1 2])

(reduce conj [] [1 2])

(reduce conj () [1 2])

(reduce - [10 1 2])

(reduce - 0 [1 2])

(reduce / [100 5 2])

(reduce (fn [a x] (+ a (* x x))) 0 [1 2 3])

(reduce (fn [m x] (assoc m x (inc (get m x 0)))) {} [:a :b :a])

(reduce (fn [a x] (if (neg? x) (reduced a) (+ a x))) 0 [1 2 -1 5])

(reduce (fn [_ x] (when (> x 2) (reduced x))) nil [1 2 3 4])

(reduce (fn [a x] (reduced a)) 0 [1 2])

(reduced? (reduced 1))

(unreduced (reduced 1))

(unreduced 5)

@(reduced 3)

(reduce (fn [[a b] x] [(+ a x) (* b x)]) [0 1] [1 2 3])

(reduce (fn [{:keys [total n]} x] {:total (+ total x) :n (inc n)}) {:total 0 :n 0} [5 6])

(reduce (fn [best x] (if (> (:s x) (:s best)) x best)) [{:s 1} {:s 5} {:s 3}])

(reduce (fn [acc [k v]] (+ acc v)) 0 {:a 1 :b 2})

(reduce + (vals {:a 1 :b 2}))

(reduce + #{1 2 3})

(reduce + (range 101))

(reduce + (map :n [{:n 1} {:n 2}]))

(reduce + 0 (keep :n [{:n 1} {}]))

(reduce into [] [[1 2] [3]])

(reduce merge {} [{:a 1} {:b 2}])

(reduce #(assoc %1 (:id %2) %2) {} [{:id 1} {:id 2}])

(reduce (fn [m {:keys [k v]}] (update m k (fnil + 0) v)) {} [{:k :a :v 1} {:k :b :v 5} {:k :a :v 2}])

(reduce (fn [m {:keys [k v]}] (update-in m [k :sum] (fnil + 0) v)) {} [{:k :a :v 1} {:k :a :v 2}])

(reduce (fn [m s] (update m (count s) conj s)) {} ["a" "bb" "c"])

(reduce (fn [v x] (if (some #{x} v) v (conj v x))) [] [1 2 1])

(reduce (fn [acc x] (cons x acc)) nil [1 2 3])

(reduce-kv (fn [a k v] (+ a k v)) 0 [10 20])

(reduce-kv (fn [a k v] (if (= k :b) (reduced :stop) (conj a k))) [] {:a 1 :b 2 :c 3})

(reduce-kv assoc {} {:a 1})

(reduce-kv (fn [a k v] (assoc a (name k) v)) {} {:a 1})

(reduce (fn [a x] (+ a (if (even? x) x 0))) 0 (range 10))

(reduce (fn [a f] (f a)) 1 [inc #(* 10 %)])

(reduce get {:a {:b 1}} [:a :b])

(reduce (fn [m path] (assoc-in m path true)) {} [[:a :b] [:a :c]])

(reductions + [1 2 3])

(reductions + 0 [1 2 3])

(reductions (fn [a x] (if (> a 3) (reduced a) (+ a x))) 0 [1 2 3 4 5])

(last (reductions + [1 2 3]))

(map - [5 3 9] (reductions min [5 3 9]))

(reduce + (map (fn [[p q]] (* p q)) [[1 2] [3 4]]))

(reduce (fn [acc x] (update acc (if (even? x) :even :odd) conj x)) {:even [] :odd []} [1 2 3])

(reduce (fn [acc n] (conj acc (+ n (or (peek acc) 0)))) [] [1 2 3])

(reduce (fn [[prev acc] x] [x (conj acc (- x prev))]) [0 []] [1 4 9])

(reduce + 1 2)

(reduce + 0 5)

(reduce)

(reduce + 1 [2] 3)

(reduce inc [1 2])

(reduce (fn [a b] (str a "," b)) ["a" "b" "c"])

(reduce (fn [a x] (assoc a :last x)) {} [1 2 3])

(reduce + 0.0 [1 2])

(reduce conj #{} [1 1])

(reduce conj {} [[:a 1]])

(reduce concat [[1] [2] [3]])

(reduce (fn [a b] (if (pos? (compare a b)) a b)) ["b" "c" "a"])

(let [xs [1 2 3 4]] (/ (reduce + xs) (count xs) 1.0))

(let [xs [2 4 4 4 5 5 7 9] m (/ (reduce + xs) (count xs))] (Math/sqrt (/ (reduce + (map #(* (- % m) (- % m)) xs)) (count xs))))

(let [s (sort [5 3 1 4]) n (count s)] (if (odd? n) (nth s (quot n 2)) (/ (+ (nth s (dec (quot n 2))) (nth s (quot n 2))) 2.0)))


(-> 1 inc)

(-> 1 inc (* 2))

(-> 1)

(-> {:a 1} :a)

(-> {:a {:b 2}} :a :b)

(-> [1 2] (conj 3) count)

(-> "a,b" (str/split #",") first)

(-> 10 (- 3))

(-> 10 (/ 2.0))

(-> {} (assoc :a 1) (assoc :b 2))

(-> 5 (#(* % %)))

(-> 5 ((fn [x] (+ x 1))))

(-> [3 1 2] sort first)

(-> {:a 1} (update :a inc) (merge {:b 2}) keys)

(-> nil :a :b)

(-> "x" keyword (hash-map 1))

(-> 1 (list 2) (vec))

(->> [1 2 3] (map inc))

(->> [1 2 3] (map inc) (filter even?) (reduce +))

(->> 10 (- 3))

(->> [1 2 3] first)

(->> 5)

(->> [3 1 2] sort (take 1))

(->> {:a 1 :b 2} (map val) (apply +))

(->> (range 10) (filter even?) (map #(* % %)) (into []))

(->> ["a" "b"] (str/join ","))

(->> [[:a 1]] (into {}))

(->> [1 2 3] (reduce (fn [a b] (* a b)) 1))

(->> [{:k "a" :v 1} {:k "b" :v 2}] (map (juxt :k :v)) (into {}))

(->> [1 2 3 4] (partition 2) (mapv #(apply + %)))

(->> ["b" "a"] (sort) (map str/upper-case) (str/join "-"))

(->> {:b 1 :a 2} (sort-by key) (map first))

(->> [1 nil 2] (remove nil?) count)

(-> [1 2 3] (->> (map inc)) vec)

(->> [1 2] (map inc) (#(conj % 0)))

(as-> 1 x (inc x) (* x 2))

(as-> [1 2 3] $ (map inc $) (reduce + $))

(as-> {:a 1} m (assoc m :b 2) (keys m))

(as-> "a b" s (str/split s #" ") (first s) (str s "!"))

(as-> 5 n)

(-> 5 (as-> n (+ n n)))

(some-> {:a {:b 1}} :a :b inc)

(some-> {:a nil} :a inc)

(some-> nil inc)

(some-> {:a {:b nil}} :a :b inc)

(some-> "42" parse-long inc)

(some-> "x" parse-long inc)

(some-> false not)

(some->> [1 2] (map inc))

(some->> nil (map inc))

(some->> [1 2 3] (filter even?) first inc)

(some->> [1 3] (filter even?) first inc)

(some-> {:items []} :items first :name str/upper-case)

(cond-> 5 true (+ 1) (= 1 2) (* 100))

(doto {:a 1} (get :a))

(-> {:price 10 :qty 3} ((juxt :price :qty)) (->> (apply *)))

(-> 3 (max 5) (min 4))

(-> [1 [2 3]] flatten vec)

(-> {:a [1 2 3]} (get-in [:a 1]))

(-> 42 str count)

(-> '(1 2) (conj 0))

(-> "abc" .toUpperCase)

(-> "abc" (.substring 1))

(-> "abc" (.indexOf "c"))

(->> "abc" (map str) reverse (apply str))

(-> #{1 2} (conj 3) (disj 1 2))

(->> [5 3] (apply -))

(-> 1 (+ 2) (->> (- 10)))

(-> {:a 1} (assoc-in [:b :c] 2) (update-in [:b :c] inc))

(-> {:n "5"} (update :n parse-long))

(->)

(-> 5 5)

(->> [3 2 1] (sort-by identity) (zipmap [:a :b :c]))


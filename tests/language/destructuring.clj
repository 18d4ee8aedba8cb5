;; Positions.
(let [[a b] [1 2]] [a b])
;=> [1 2]
(let [[a b c] [1 2]] [a b c])
;=> [1 2 nil]
(let [[a] []] a)
;=> nil
(let [[a] nil] a)
;=> nil
(let [[a & more] [1 2 3]] [a more])
;=> [1 (2 3)]
(let [[a & more] [1]] [a more])
;=> [1 nil]
(let [[& all] [1 2]] all)
;=> (1 2)
(let [[& all] nil] all)
;=> nil
(let [[a b :as all] [1 2 3]] [a b all])
;=> [1 2 [1 2 3]]
(let [[a & more :as all] '(1 2 3)] [a more all])
;=> [1 (2 3) (1 2 3)]
(let [[a [b c]] [1 [2 3]]] [a b c])
;=> [1 2 3]
(let [[[a] [b]] [[1] [2]]] [a b])
;=> [1 2]
(let [[a _ c] [1 2 3]] [a c])
;=> [1 3]
(let [[a b] "xy"] [a b])
;=> ["x" "y"]
(let [[a b] '(1 2)] [a b])
;=> [1 2]
(let [[a b] (range 5)] [a b])
;=> [0 1]
(let [[a b] {:a 1}] a)
;! wrong-type `a pattern in square brackets` expects a list, a vector, a string or nil, found a map {:a 1}
(let [[a] 5] a)
;! wrong-type `a pattern in square brackets` expects a list, a vector, a string or nil, found an integer 5
(let [[a] #{1}] a)
;! wrong-type `a pattern in square brackets` expects a list, a vector, a string or nil, found a set #{1}
(let [[k v] (first {:a 1})] [k v])
;=> [:a 1]
(let [[a & [b c]] [1 2 3]] [a b c])
;=> [1 2 3]
(let [[a & {:keys [x]}] [1 :x 2]] [a x])
;=> [1 2]
(let [[] [1]] :ok)
;=> :ok
(let [[a & b c] [1 2 3]] a)
;! bad-form only `:as` may follow `&` and its name
(let [[a &] [1 2]] a)
;! bad-form `&` needs a name after it
(let [[a :as] [1]] a)
;! bad-form `:as` needs a name after it

;; Keys.
(let [{:keys [a b]} {:a 1 :b 2}] [a b])
;=> [1 2]
(let [{:keys [a]} {"a" 1}] a)
;=> 1
;clj D5 nil
(let [{:strs [a]} {"a" 1}] a)
;=> 1
(let [{:strs [a]} {:a 1}] a)
;=> 1
;clj D5 nil
(let [{:syms [a]} {'a 1}] a)
;=> 1
(let [{:keys [a] :or {a 9}} {}] a)
;=> 9
(let [{:keys [a] :or {a 9}} {:a nil}] a)
;=> nil
(let [{:keys [a] :or {a 9}} {:a false}] a)
;=> false
(let [{n :name :as m} {:name "A"}] [n (count m)])
;=> ["A" 1]
(let [{{:keys [c]} :b} {:b {:c 3}}] c)
;=> 3
(let [{[x y] :p} {:p [1 2]}] [x y])
;=> [1 2]
(let [{a 0 b 1} [10 20]] [a b])
;=> [10 20]
(let [{:keys [a]} nil] a)
;=> nil
(let [{:keys [a]} (read-string "5")] a)
;=> nil
(let [{:keys [a]} (identity 5)] a)
;! unknown-field a number has no field `:a`
(let [{:keys [:a :b]} {:a 1 :b 2}] [a b])
;=> [1 2]
(let [{:keys [x/a]} {:x/a 1}] a)
;=> 1
(let [{:x/keys [a]} {:x/a 1}] a)
;=> 1
(let [{a :a b :b :or {b 7}} {:a 1}] [a b])
;=> [1 7]
(let [{a "key one"} {"key one" 1}] a)
;=> 1
(let [{:keys [a] :as m :or {a 1}} {:b 2}] [a m])
;=> [1 {:b 2}]
(let [{:keys [a]} '(:a 1)] a)
;=> 1
(let [{:keys [a b]} (read-string "[[:a 1]]")] [a b])
;=> [nil nil]
(let [{:keys [a]} [[:a 1]]] a)
;! unknown-field a vector has no field `:a`
(let [{:keys a} {:a 1}] a)
;! bad-form a map pattern has the name first and then the key
(let [{:keys [1]} {}] 1)
;! bad-form `:keys` takes only names
(let [{:or {a 1}} {}] 1)
;=> 1
(let [{:keys [if]} {:if 1}] if)
;=> 1
(let [{:keys [a] :or {a (/ 1 0)}} {:a 1}] a)
;! divide-by-zero `/` divides by zero
(let [{:keys [a b] :or {b a}} {:a 1}] [a b])
;=> [1 1]

;; In functions, loops and for.
((fn [[a b]] (+ a b)) [1 2])
;=> 3
((fn [{:keys [a]}] a) {:a 1})
;=> 1
((fn [x & {:keys [a b]}] [x a b]) 1 :a 2 :b 3)
;=> [1 2 3]
((fn [x & {:keys [a]}] [x a]) 1 {:a 2})
;=> [1 2]
((fn [x & {:keys [a] :or {a 5}}] [x a]) 1)
;=> [1 5]
((fn [a & [b]] [a b]) 1)
;=> [1 nil]
((fn [[a & more] {:keys [b]}] [a more b]) [1 2] {:b 3})
;=> [1 (2) 3]
((fn [a a] a) 1 2)
;=> 2
((fn [_ _] :ok) 1 2)
;=> :ok
(defn total [{:keys [price quantity] :or {quantity 1}}] (* price quantity))
;=> #'total
(total {:price 10})
;=> 10
(total {:price 10 :quantity 3})
;=> 30
(map (fn [[k v]] (str (name k) v)) {:a 1 :b 2})
;=> ("a1" "b2")
(reduce (fn [m [k v]] (assoc m v k)) {} {:a 1 :b 2})
;=> {1 :a, 2 :b}
(for [[a [b]] [[1 [2]] [3 [4]]]] (+ a b))
;=> (3 7)
(loop [[x & xs] [1 2 3] acc ()] (if x (recur xs (conj acc x)) acc))
;=> (3 2 1)
(let [f (fn [{:keys [a] :as m}] [a m])] (f {:a 1}))
;=> [1 {:a 1}]
(doseq [[k v] {:a 1}] (println k v))
;print :a 1
;=> nil

;; A pattern with a rest goes along a sequence, one without takes positions.
(let [[a & more] {:x 1 :y 2}] [a more])
;=> [[:x 1] ([:y 2])]
(let [[a b] #{1 2}] a)
;! wrong-type `a pattern in square brackets` expects a list, a vector, a string or nil, found a set #{1 2}
(let [[a & more] 5] a)
;! wrong-type `a pattern in square brackets` expects a list, a vector, a string or nil, found an integer 5

(let [[a b] [1 2]] [a b])

(let [[a b c] [1 2]] [a b c])

(let [[a] [1 2 3]] a)

(let [[] [1]] :ok)

(let [[a & more] [1 2 3]] [a more])

(let [[a & more] [1]] [a more])

(let [[a & more :as all] [1 2 3]] [a more all])

(let [[a b :as all] '(1 2 3)] [a b all])

(let [[_ b _ d] [1 2 3 4]] [b d])

(let [[a [b [c]]] [1 [2 [3]]]] [a b c])

(let [[a b] nil] [a b])

(let [[a b] "xy"] (str a b))

(let [[a b] (list 1 2)] (+ a b))

(let [[a b] (range 5)] [a b])

(let [[k v] (first {:x 1})] [k v])

(let [[a b] 5] a)

(let [[a] {:a 1}] a)

(let [[a] #{1}] a)

(let [[a & [b & c]] [1 2 3 4]] [a b c])

(let [[[a b] [c d]] [[1 2] [3 4]]] [a b c d])

(let [[x & {:keys [a]}] [1 :a 2]] [x a])

(let [{:keys [a b]} {:a 1 :b 2}] [a b])

(let [{:keys [a b]} {:a 1}] [a b])

(let [{:keys [a b] :or {b 9}} {:a 1}] [a b])

(let [{:keys [a] :or {a 9}} {:a nil}] a)

(let [{:keys [a] :or {a 9}} {:a false}] a)

(let [{:keys [a] :as m} {:a 1 :b 2}] [a (count m)])

(let [{:keys [a]} nil] a)

(let [{:keys [a]} []] a)

((fn [{:keys [a]}] a) 5)

(let [{a :a b :b} {:a 1 :b 2}] [a b])

(let [{a :a :as m} {:a 1}] [a m])

(let [{a :a :or {a 5}} {}] a)

(let [{n "name"} {"name" "x"}] n)

(let [{:strs [a b]} {"a" 1 "b" 2}] [a b])

(let [{:strs [a] :or {a 7}} {}] a)

(let [{:syms [a]} {'a 1}] a)

(let [{:keys [a] {:keys [b]} :inner} {:a 1 :inner {:b 2}}] [a b])

(let [{{c :c} :b} {:b {:c 3}}] c)

(let [{[x y] :pos} {:pos [1 2]}] [x y])

(let [{[first-item] :items} {:items [{:id 1}]}] first-item)

(let [[{:keys [a]} {:keys [b]}] [{:a 1} {:b 2}]] [a b])

(let [{:keys [:a :b]} {:a 1 :b 2}] [a b])

(let [{:keys [user/id]} {:user/id 5}] id)

(let [{:user/keys [id]} {:user/id 5}] id)

(let [{x 0 y 1} [:a :b]] [x y])

(let [{:keys [a] :or {a (+ 1 2)}} {}] a)

(let [d 4 {:keys [a] :or {a d}} {}] a)

(let [{:keys [a b] :or {a 1 b 2} :as m} {:a 5}] [a b m])

(let [a 1 [b c] [a (inc a)]] [a b c])

((fn [[a b]] (+ a b)) [1 2])

((fn [{:keys [a b]}] (+ a b)) {:a 1 :b 2})

((fn [{:keys [a b] :or {b 10}}] (+ a b)) {:a 1})

((fn [x & [y z]] [x y z]) 1 2)

((fn [x & {:keys [y] :or {y 0}}] [x y]) 1 :y 2)

((fn [x & {:keys [y] :or {y 0}}] [x y]) 1)

((fn [& {:keys [a b]}] [a b]) {:a 1 :b 2})

((fn [& {:as opts}] opts) :a 1)

((fn [[x & xs]] [x xs]) [1 2 3])

((fn [{[a] :xs}] a) {:xs [7]})

((fn [[_ {:keys [n]}]] n) [:k {:n 3}])

(defn f [{:keys [name age] :or {age 0}}] (str name ":" age)) (f {:name "x"})

(defn f [[a b] {:keys [c]}] (+ a b c)) (f [1 2] {:c 3})

(defn f [x & more] [x (count more)]) (f 1 2 3)

(map (fn [[k v]] [v k]) {:a 1})

(map (fn [{:keys [a b]}] (+ a b)) [{:a 1 :b 2} {:a 3 :b 4}])

(map (fn [[a [b c]]] [a b c]) [[1 [2 3]]])

(reduce (fn [acc [k v]] (assoc acc v k)) {} {:a 1})

(reduce (fn [{:keys [n s]} x] {:n (inc n) :s (+ s x)}) {:n 0 :s 0} [1 2 3])

(reduce (fn [[lo hi] x] [(min lo x) (max hi x)]) [99 0] [5 3 8])

(for [[k v] {:a 1}] [k v])

(for [{:keys [id tags]} [{:id 1 :tags [:x :y]}] t tags] [id t])

(for [[a b] [[1 2] [3 4]]] (+ a b))

(for [x [[1 2]] :let [[a b] x]] (+ a b))

(let [a (atom []) _ (doseq [[k v] [[:a 1]]] (swap! a conj k v))] @a)

(loop [[x & xs] [1 2 3] acc 0] (if x (recur xs (+ acc x)) acc))

(loop [{:keys [n]} {:n 3} acc []] (if (pos? n) (recur {:n (dec n)} (conj acc n)) acc))

(if-let [[a b] [1 2]] (+ a b) :none)

(if-let [{:keys [a]} {:a 1}] a :none)

(if-let [[a] nil] a :none)

(when-let [{:keys [a]} {:a 5}] (inc a))

(when-let [[x & xs] (seq [1 2])] [x xs])

(when-let [[x] (seq [])] x)

(if-some [{:keys [a]} {:a nil}] [a] :none)

(when-some [[a] [nil]] [a])

(let [{:keys [a b]} (sorted-map :a 1 :b 2)] [a b])

(let [{:keys [a]} '(:a 1)] a)

(let [{:keys [a]} (list {:a 1})] a)

(let [[a b & c :as d] (map inc [0 1 2 3])] [a b c d])

(letfn [(f [[a b]] (* a b))] (f [3 4]))

(let [f (fn [{x :x :as p}] (assoc p :y (inc x)))] (f {:x 1}))

(let [{:keys [a-b c?]} {:a-b 1 :c? true}] [a-b c?])

(let [{id :id {city :city zip :zip :or {zip "n/a"}} :address} {:id 1 :address {:city "Oslo"}}] [id city zip])

(let [[a b] [1 2] [b a] [a b]] [a b])

(let [{:keys [a] b :b [c] :c} {:a 1 :b 2 :c [3]}] [a b c])

(#(let [[a b] %] (- a b)) [5 3])

(let [[x y] {:a 1 :b 2}] [x y])

(let [{:keys [items]} {:items [1 2]} [i] items] i)

(let [[a b] [1]] (nil? b))

(let [[a b] (sorted-set 2 1)] [a b])

(def [a b] [1 2])

(let [x] x)

(let [x 1 y] x)

(let [{:keys a} {:a 1}] a)

((fn [x x] x) 1 2)

((fn [_ _ c] c) 1 2 3)

((fn [& {:keys [a b]}] [a b]) :a 1 {:b 2})

((fn [& {:keys [a b]}] [a b]) :a 1 :b)

((fn [& {:keys [a b] :as m}] m) :a 1 {:a 2 :b 3})

((fn [& {:keys [a b] :as m}] m))

((fn [& {:keys [a b] :as m}] m) nil)

((fn [& {:keys [a b] :as m}] m) {})

((fn [& {:keys [a]}] a) 5)

((fn [x & {:keys [a]}] [x a]) 5 {:a 1})

(let [{:keys [a]} '(:a 1 {:a 3})] a)

(let [{:keys [a]} '({:a 3})] a)

(let [{:as m} '(1)] m)

(let [{:as m} '(:a 1 :b)] m)

(let [{:as m} '()] m)

(let [{:as m} [:a 1]] m)

(let [{:as m} (seq [:a 1])] m)

(let [{:as m} (range 4)] m)

(let [{:as m} '([:a 1])] m)

(let [{:as m} '([:a 1 2])] m)

(let [{:as m} '(nil)] m)

(let [{:as m} '(:a 1 nil)] m)

(let [{:as m} '(:a 1 [:b 2])] m)

(let [[a & r] #{1}] [a r])

(let [[a & r] #{}] [a r])

(let [[a & r] {:x 1 :y 2}] [a r])

(let [[& r] {:x 1}] r)

(let [[& r] #{}] r)

(let [[a b] #{1}] a)

(let [[a] {:x 1}] a)

(let [[a :as m] #{1}] a)

(let [[a & r :as m] #{1}] [a r m])

(let [[[k v] & r] {:x 1}] [k v r])

(let [[a & r] 5] a)

(let [[& r] 5] r)

(let [[a] 5] a)

(let [[a & r] :k] a)

(let [[a & [b & c]] "abc"] [a b c])

(let [[a b & r] (sorted-map 1 2 3 4)] [a b r])

((fn [[a & r]] [a r]) {:x 1})

(let [[] #{1}] 1)

(let [[] 5] 1)

(let [[:as a] 5] a)

(def hamming (lazy-seq (cons 1 (map first (iterate (fn [[a & r]] r) [1 2 3]))))) (take 3 hamming)

(let [{a 0} [1 2]] a)

(let [[a [b & c] & d] [1 [2 3] 4 5]] [a b c d])

(let [[a b & r] #{1}] [a b r])

(let [[a & {:keys [x]}] [1 :x 2]] [a x])

(let [[a & {:keys [x]}] [1 {:x 2}]] [a x])

(let [[a & {:keys [x]}] [1 :y 3 {:x 2}]] [a x])

(defn f [a & {:keys [b c] :or {c 9}}] [a b c]) [(f 1) (f 1 :b 2) (f 1 {:b 2}) (f 1 :b 2 {:c 3}) (f 1 :b 2 {:b 3})]

(defn f [& {:as opts}] opts) [(f) (f :a 1) (f {:a 1}) (f :a 1 {:b 2})]

(apply (fn [& {:keys [a b]}] [a b]) [:a 1 {:b 2}])

(apply (fn [& {:keys [a b]}] [a b]) :a 1 {:b 2})

(let [{:keys [a] :or {a 5}} '(:b 1 {:c 2})] a)

(let [{:strs [a]} (list "a" 1 {"b" 2})] a)

(let [[a & r] nil] [a r])

(let [[& r] nil] r)

(let [[& r] [1 2]] r)

(let [[& r] "ab"] r)

(let [[a b c & r] {:x 1}] [a b c r])

(let [[a & [b]] #{1 }] [a b])

(map (fn [[a & r]] [a r]) [{:a 1} #{2} [3] "4" nil])

(apply (fn [& r] r) (lazy-seq nil))

(apply (fn [& r] (vec r)) (lazy-seq [1 2]))

(apply (fn [& {:keys [a]}] a) (lazy-seq [:a 1]))

(let [f (fn [& r] (count r))] [(apply f (lazy-seq [1 2])) (f (lazy-seq [1 2]))])

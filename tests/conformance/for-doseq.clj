(for [x [1 2 3]] (* x x))

(for [x [1 2] y [:a :b]] [x y])

(for [x [1 2 3] :when (odd? x)] x)

(for [x [1 2 3 4] :while (< x 3)] x)

(for [x [1 2] :let [y (* x 10)]] [x y])

(for [x [1 2 3] :let [y (* x x)] :when (odd? y)] y)

(for [x [1 2] y [10 20 30] :while (< y 25)] [x y])

(for [x [1 2 3] :while (< x 3) y [1 2]] [x y])

(for [x (range 3) y (range x)] [x y])

(for [x (range 5) :when (even? x) y (range x) :when (odd? y)] [x y])

(for [x [1 2] y [1 2] :when (not= x y)] [x y])

(for [x nil] x)

(for [x []] x)

(for [[k v] {:a 1 :b 2}] (str (name k) v))

(for [x "ab"] (str x x))

(for [x [1 2]] nil)

(for [{:keys [id items]} [{:id 1 :items [{:q 2} {:q 3}]}] {:keys [q]} items] [id q])

(for [r [{:t ["a" "b"]} {:t ["c"]}] t (:t r)] t)

(for [[i x] (map-indexed vector [:a :b])] [i x])

(for [x [1 2 3] :let [d (* 2 x)] :while (< d 6)] d)

(for [x [3 1 2] :let [y (inc x) z (* y 2)]] [x y z])

(for [x (range 1 10) y (range x 10) :let [z (Math/sqrt (+ (* x x) (* y y)))] :when (== z (Math/floor z))] [x y])

(for [a [1 2] b [3 4] c [5 6]] (+ a b c))

(count (for [x (range 8) y (range 8)] [x y]))

(into {} (for [x [1 2 3]] [x (* x x)]))

(into {} (for [[k v] {:a 1}] [k (inc v)]))

(into #{} (for [x [1 1]] x))

(vec (for [x [1 2]] x))

(set (for [x [1 1]] x))

(apply + (for [x [1 2 3]] x))

(str/join "," (for [x [1 2]] (str "<" x ">")))

(sort (for [x [3 1] y [0 10]] (+ x y)))

(first (for [x (range) :when (> (* x x) 50)] x))

(seq? (for [x [1]] x))

(vector? (for [x [1]] x))

(= [1 2] (for [x [1 2]] x))

(for [x [1 2] :let [x (inc x)]] x)

(for [x [[1 2] [3 4]] [a b] [x]] (- b a))

(for [x (range 3)] (for [y (range x)] y))

(for [x [1 2 3] :when (> x 1) :when (< x 3)] x)

(for [x #{5}] x)

(for [x [1 nil 2] :when x] x)

(for [row [[1 2] [3 4]]] (mapv inc row))

(for [x (range 2) f [inc dec]] (f x))

(doseq [x [1 2]] x)

(doseq [x []] x)

(let [a (atom [])] (doseq [x [1 2] y [:a :b]] (swap! a conj [x y])) @a)

(let [a (atom [])] (doseq [x (range 6) :when (even? x)] (swap! a conj x)) @a)

(let [a (atom [])] (doseq [x (range 6) :while (< x 3)] (swap! a conj x)) @a)

(let [a (atom [])] (doseq [x [1 2] :let [y (* x 10)]] (swap! a conj y)) @a)

(let [a (atom {})] (doseq [[k v] {:a 1 :b 2}] (swap! a assoc v k)) @a)

(let [a (atom 0)] (doseq [x [1 2] y [10 20] :when (= y 10)] (swap! a + (* x y))) @a)

(let [a (atom [])] (doseq [{:keys [n]} [{:n 1} {:n 2}]] (swap! a conj n)) @a)

(let [a (atom [])] (doseq [x [1 2 3]] (when (odd? x) (swap! a conj x))) @a)

(with-out-str (doseq [x [1 2]] (println x)))

(with-out-str (doseq [x [1 2] y [3 4]] (print x y ";")))

(with-out-str (dotimes [i 2] (print i)))

(with-out-str (run! println [1 2]))

(let [a (atom [])] (dotimes [n 3] (swap! a conj (* n n))) @a)

(for [x 5] x)

(for [x [1 2]])

(for [x] x)

(doseq [x 5] x)


;; Keys that were made to collide: each must be found in time that does not grow with their number.
(count (reduce (fn [m i] (assoc m [[[i]]] i)) {} (range 20000)))
;=> 20000
(count (reduce (fn [m i] (assoc m {:a {:b i}} i)) {} (range 15000)))
;=> 15000
(count (reduce (fn [m i] (assoc m [0 0 0 0 [0 0 0 0 i]] i)) {} (range 10000)))
;=> 10000
(count (into #{} (map (fn [i] #{#{i}}) (range 20000))))
;=> 20000
(count (into #{} (map (fn [i] (+ 1180591620717411303424 i)) (range 20000))))
;=> 20000
(let [big (reduce * (repeat 20 9223372036854775807))] (count (into #{} (map (fn [i] (+ big i)) (range 5000)))))
;=> 5000
(count (into #{} (map (fn [i] [(reduced i)]) (range 20000))))
;=> 20000
(count (group-by (fn [i] {:k [{:n [i]}]}) (range 20000)))
;=> 20000
(count (distinct (map (fn [i] [[[[i]]]]) (range 20000))))
;=> 20000
(count (frequencies (map (fn [i] {{:a i} i}) (range 20000))))
;=> 20000

;; Sums of what belongs together differ: `{1 2, 3 4}` is not `{1 4, 3 2}`.
(count (into #{} (for [a (range 100) b (range 100)] {1 a 2 b})))
;=> 10000
(count (into #{} (for [a (range 100) b (range 100)] [[a] [b]])))
;=> 10000
(count (into #{} (for [a (range 100) b (range 100)] [[a b] []])))
;=> 10000
(contains? #{[[1] 2]} [[1 2]])
;=> false
(= (hash-map 1180591620717411303424 1) {1.180591620717411303424E21 1})
;=> true
(get {1180591620717411303424 :found} 1.180591620717411303424E21)
;=> :found
(get {[1 [2.0 {:a #{3}}]] :found} (list 1 (list 2 {"a" #{3.0}})))
;=> :found

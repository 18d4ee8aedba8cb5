;; Comparators that lie.
(count (sort (fn [a b] -1) (range 1000)))
;=> 1000
(count (sort (fn [a b] 1) (range 1000)))
;=> 1000
(count (sort (fn [a b] 0) (range 1000)))
;=> 1000
(count (sort (fn [a b] true) (range 1000)))
;=> 1000
(count (sort (fn [a b] (- (mod (* a 7919) 13) (mod (* b 104729) 11))) (range 1000)))
;=> 1000
(count (sort-by (fn [x] (rem (* x x x) 17)) (fn [a b] (if (odd? a) -1 1)) (range 1000)))
;=> 1000
(let [n (atom 0)] (count (sort (fn [a b] (dec (mod (swap! n inc) 3))) (range 1000))))
;=> 1000
(sort (fn [a b] nil) [2 1])
;! wrong-type
(sort (fn [a b] "x") [2 1])
;! wrong-type
(sort (fn [a b] ##NaN) [2 1])
;=> (2 1)
(sort (fn [a b] (loop [] (recur))) [2 1])
;! fuel-limit
(sort (fn [a b] (sort (fn [c d] (compare c d)) [b a]) 0) (range 100000))
;! fuel-limit
(sort compare [1 "a" :b nil])
;! wrong-type
(sort [[1] #{2} {3 4}])
;! wrong-type
(sort-by identity [(atom 1) (atom 2)])
;! wrong-type
(count (sort (concat (repeat 500 ##NaN) (range 500))))
;=> 1000
(count (apply sorted-set-by (fn [a b] -1) (range 500)))
;=> 500
(count (apply sorted-set-by (fn [a b] 1) (range 500)))
;=> 500
(count (apply sorted-map-by (fn [a b] (- (mod (* a 31) 7) (mod (* b 17) 5))) (range 500)))
;=> 161
(apply sorted-set-by (fn [a b] (loop [] (recur))) (range 5))
;! fuel-limit
(let [s (atom (sorted-set-by (fn [a b] (compare a b)) 1 2 3))] (count (reduce (fn [_ i] (swap! s conj i)) nil (range 3000))))
;=> 3000
(let [s (atom nil) t (sorted-set-by (fn [a b] (conj @s a) (compare a b)) 1)] (reset! s t) (conj t 2))
;! call-depth-limit
(get (sorted-map-by (fn [a b] (throw (ex-info "no" {}))) 1 2) 5)
;=> nil
(sorted-map [] 1 {} 2)
;! wrong-type
(apply max-key (fn [x] (count (range x))) (range 100000))
;! fuel-limit
(reduce (fn [s i] (conj s (- i))) (sorted-set) (range 1000000))
;! fuel-limit
(sort-by (fn [x] (vec (range 1000))) (range 100000))
;! fuel-limit

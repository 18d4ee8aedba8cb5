;; Data of the mission that is deep, wide or strange.
;; data: strange
(count (str ctx/deep))
;=> 200000
(= ctx/deep ctx/also-deep)
;=> true
(hash ctx/deep)
;=> 953424755
(flatten ctx/deep)
;=> ()
(return ctx/deep)
;return [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[… 200007 characters
(memory/put :deep ctx/deep)
;=> [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[… 200003 characters
(get {1 2} ctx/deep)
;=> nil
{ctx/deep 1}
;! value-depth-limit
(count ctx/wide)
;=> 50000
(count (set/map-invert ctx/wide))
;=> 50000
(count (get ctx "key key key"))
;=> 50000
(:dup ctx)
;=> {"a" {"a" 4}, "b" 3}
(count (keys ctx/long-keys))
;=> 3
(let [k (first (keys ctx/long-keys))] (count (reduce (fn [m _] (assoc m k 1)) {} (range 10000000))))
;! fuel-limit
(describe ctx/wide)
;=> {:type "map", :count 50000, :keys {"k0" {:types {"integer" 1}, :examples [0]}, "k1" {:types {"int… 1876 characters
(sort-by val ctx/wide)
;=> (["k0" 0] ["k1" 1] ["k2" 2] ["k3" 3] ["k4" 4] ["k5" 5] ["k6" 6] ["k7" 7] ["k8" 8] ["k9" 9] ["k10"… 827784 characters
(json/generate-string ctx/deep)
;=> "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[… 200005 characters
(walk/postwalk identity ctx/deep)
;! call-depth-limit
(get-in ctx/deep (repeat 300 0))
;=> [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[… 199403 characters
(count (get ctx ""))
;=> 50000

;; Answers of tools that are deep, long or fail.
;; data: strange
(count (str (call "deep")))
;=> 200000
(count (call "long"))
;=> 5000000
(mapv (fn [_] (call "long")) (range 250))
;! memory-limit
(count (call "wide"))
;=> 2000
(call "nested-key")
;=> {[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[… 10007 characters
(loop [kept []] (recur (conj kept (call "wide"))))
;! tool-call-limit
(try (call "boom") (catch Exception e :caught))
;=> :caught
(call "echo" {:v (fn [x] x)})
;! not-json
(call "echo" {:v (atom 1)})
;! not-json
(return (call "deep"))
;return [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[… 200007 characters
(map (fn [x] (count (call "long"))) (range 3))
;=> (5000000 5000000 5000000)

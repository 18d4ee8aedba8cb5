;; Limits inside branches.
(pmap (fn [x] (loop [] (recur))) (range 10))
;! fuel-limit
(pcalls (fn [] (loop [] (recur))) (fn [] 1))
;! fuel-limit
(pmap (fn [x] (vec (range 1000000))) (range 1000))
;! fuel-limit
(doall (pmap (fn [x] (str/join (repeat 1000000 "x"))) (range 1000)))
;! fuel-limit
(defn f [x] (pmap f [x x])) (f 1)
;! call-depth-limit
(defn f [x] (inc (first (pmap f [x])))) (f 1)
;! call-depth-limit
(count (pmap (fn [x] (pmap (fn [y] (pmap inc (range 100))) (range 100))) (range 100)))
;! fuel-limit
(pmap inc (range))
;! endless-sequence
(count (pmap (fn [x] x) (range 10000)))
;=> 10000
(pmap (fn [x] (call "echo" {:v x})) (range 300))
;! tool-call-limit
(pmap (fn [x] (try (loop [] (recur)) (catch Exception e :caught))) (range 10))
;! fuel-limit
(pcalls (fn [] (try (loop [] (recur)) (finally (println "cleanup")))))
;! fuel-limit
(pvalues (loop [] (recur)) 1)
;! fuel-limit
(let [a (atom 0)] (pmap (fn [_] (loop [] (swap! a inc) (recur))) (range 4)))
;! fuel-limit
(let [d (delay (loop [] (recur)))] (pmap (fn [_] @d) (range 4)))
;! fuel-limit
(let [d (atom nil)] (reset! d (delay @@d)) @@d)
;! unsupported
(pmap (fn [x] (return x)) [1 2])
;return 1
(pmap (fn [x] (fail {:reason :no})) [1 2])
;fail no
(map (fn [x] (call "echo" {:v x})) (range))
;! endless-sequence
(loop [i 0] (call "echo" {:v i}) (recur (inc i)))
;! tool-call-limit
(loop [i 0] (try (call "boom") (catch Exception e nil)) (recur (inc i)))
;! tool-call-limit

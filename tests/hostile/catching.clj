;; Limits pass through every `catch` and no `finally` goes on behind them.
(try (loop [] (recur)) (catch Exception e :caught))
;! fuel-limit
(try (loop [] (recur)) (catch Throwable e :caught))
;! fuel-limit
(try (loop [] (recur)) (catch Error e :caught))
;! fuel-limit
(try (loop [] (recur)) (catch RuntimeException e :caught))
;! fuel-limit
(try (loop [] (recur)) (catch StackOverflowError e :caught))
;! fuel-limit
(try (loop [] (recur)) (finally (println "after")))
;! fuel-limit
(try (loop [] (recur)) (catch Throwable e 1) (finally (loop [] (recur))))
;! fuel-limit
(try (vec (range 100000000)) (catch OutOfMemoryError e :caught))
;! fuel-limit
(try (vec (range 1e12)) (catch Throwable e :caught))
;! fuel-limit
(defn f [] (inc (f))) (try (f) (catch StackOverflowError e :caught))
;! call-depth-limit
(defn f [] (try (inc (f)) (catch Throwable e 0))) (f)
;! call-depth-limit
(defn f [] (try (f) (finally (f)))) (f)
;! call-depth-limit
(try (loop [v [1]] (recur [v])) (catch Throwable e :caught))
;! value-depth-limit
(try (return (reduce (fn [v _] [v v]) [] (range 100))) (catch Throwable e :caught))
;! result-size-limit
(try (dotimes [i 300] (call "echo" {:v i})) (catch Throwable e :caught))
;! tool-call-limit
(loop [] (try (throw (ex-info "a" {})) (catch Exception e nil)) (recur))
;! fuel-limit
(loop [] (try (throw (ex-info "a" {})) (finally nil)) (recur))
;! thrown
(loop [n 0] (recur (try (/ n 0) (catch ArithmeticException e (inc n)))))
;! fuel-limit
(try (try (loop [] (recur)) (catch Throwable e (throw (ex-info "replaced" {})))) (catch Throwable e :caught))
;! fuel-limit
(try (throw (loop [] (recur))) (catch Throwable e :caught))
;! fuel-limit
(try (sort (fn [a b] (loop [] (recur))) [2 1]) (catch Throwable e :caught))
;! fuel-limit
(try (swap! (atom 1) (fn [x] (loop [] (recur)))) (catch Throwable e :caught))
;! fuel-limit
(try @(delay (loop [] (recur))) (catch Throwable e :caught))
;! fuel-limit
(try (first (lazy-seq (loop [] (recur)))) (catch Throwable e :caught))
;! fuel-limit
(try (with-out-str (loop [] (println "x") (recur))) (catch Throwable e :caught))
;! fuel-limit
(try (str/replace "aaa" #"a" (fn [_] (loop [] (recur)))) (catch Throwable e :caught))
;! fuel-limit
(try (re-pattern "a{1000000}") (catch Exception e :not-a-limit-of-the-run))
;=> :not-a-limit-of-the-run
(try (format "%1000000000d" 1) (catch Throwable e :caught))
;! fuel-limit
(assert (loop [] (recur)))
;! fuel-limit
(try (pmap (fn [_] (loop [] (recur))) [1]) (catch Throwable e :caught))
;! fuel-limit
(let [a (atom 1 :validator (fn [x] (loop [] (recur))))] a)
;! fuel-limit
(try (add-watch (atom 1) :k (fn [& _] (loop [] (recur)))) (catch Throwable e :caught))
;=> #atom
(let [a (atom 1)] (add-watch a :k (fn [& _] (loop [] (recur)))) (try (reset! a 2) (catch Throwable e :caught)))
;! fuel-limit

(let [v (volatile! 1)] [(vswap! v + 1 2) @v (vreset! v 9) @v])

[(volatile? (volatile! 1)) (volatile? (atom 1)) (volatile? nil)]

(let [v (volatile! {})] (doseq [[k n] {:a 1 :b 2}] (vswap! v assoc k (inc n))) @v)

(let [n (atom 0) d (delay (swap! n inc))] [(realized? d) @d @d (force d) (realized? d) @n])

(let [d (delay)] [@d (delay? d) (delay? 1) (force 1) (force nil)])

(let [n (atom 0) d (delay (swap! n inc) (throw (ex-info "no" {:a 1})))] [(try @d (catch Exception e (ex-data e))) (try @d (catch Exception e (ex-message e))) @n (realized? d)])

(map deref [(atom 1) (delay 2) (volatile! 3)])

(let [d (delay (/ 1 0))] (try @d (catch ArithmeticException e (ex-message e))))

(def config (delay {:retries 3}))
(:retries @config)

(let [a (delay 1) b (delay (+ @a 1)) c (delay (+ @a @b))] [@c (realized? a) (realized? b)])

(let [calls (atom []) lazy-sum (delay (swap! calls conj :sum) (reduce + (range 10)))]
  (when (> 1 2) @lazy-sum)
  [@calls (when (< 1 2) @lazy-sum) @calls])

(let [a (atom 1 :validator pos?)] [(swap! a inc) (try (reset! a -1) (catch IllegalStateException e (ex-message e))) @a])

(try (atom -1 :validator pos?) (catch IllegalStateException e (ex-message e)))

(let [a (atom 1)] [(set-validator! a odd?) (fn? (get-validator a)) (try (swap! a inc) (catch Exception e :refused)) (set-validator! a nil) (get-validator a) (swap! a inc)])

(let [a (atom 1)] (try (set-validator! a even?) (catch IllegalStateException e [(ex-message e) (get-validator a)])))

(let [a (atom 1 :validator (fn [x] (when (neg? x) (throw (ex-info "negative" {:x x}))) true))] [(try (reset! a -5) (catch clojure.lang.ExceptionInfo e (ex-data e))) @a])

@(atom 1 :meta {:a 1})

@(atom 1 :unknown 3)

(atom 1 :validator)

(let [a (atom 0) out (atom [])] (add-watch a :k (fn [k r o n] (swap! out conj [k (= r a) o n]))) (swap! a inc) (reset! a 5) (compare-and-set! a 5 6) (compare-and-set! a 5 7) (remove-watch a :k) (swap! a inc) [@out @a])

(let [a (atom 0)] (add-watch a :k (fn [_ _ _ _] (throw (ex-info "seen" {})))) [(try (swap! a inc) (catch Exception e (ex-message e))) @a])

(let [a (atom 0) out (atom [])] (add-watch a :k (fn [_ _ o n] (swap! out conj [:first o n]))) (add-watch a :k (fn [_ _ o n] (swap! out conj [:second o n]))) (swap! a inc) @out)

(let [a (atom 1)] [(= a (add-watch a :k list)) (= a (remove-watch a :k)) (= a (remove-watch a :none))])

(let [a (atom 1) out (atom [])] (add-watch a :k (fn [_ _ o n] (swap! out conj [o n]))) [(swap-vals! a inc) (reset-vals! a 9) @out])

(let [a (atom [])] (add-watch a :size (fn [_ _ old new] (when (> (count new) 2) (remove-watch a :size) (swap! a conj :full)))) (dotimes [i 4] (swap! a conj i)) @a)

(with-out-str (println "a" 1) (print "b" nil) (prn "c") (pr :d))

[(with-out-str) (with-out-str 1)]

(with-out-str (println 1) (print (count (with-out-str (println "inner")))))

(with-out-str (try (println "lost?") (throw (ex-info "m" {})) (catch Exception e (println (ex-message e)))))

(try (with-out-str (println "x") (/ 1 0)) (catch ArithmeticException e :dropped))

(with-out-str (printf "%d-%s%n" 1 "a") (newline) (print))

(let [report (fn [rows] (with-out-str (doseq [{:keys [id total]} rows] (println id "->" (format "%.2f" total)))))]
  (report [{:id 1 :total 2.5} {:id 2 :total 10.0}]))

(clojure.string/split-lines (with-out-str (run! println ["a" "b" "c"])))

(count (with-out-str (dotimes [i 100] (print i))))

(pmap inc [1 2 3])

(pmap + [1 2 3] [10 20])

(pmap vector [1 2] [3 4] [5 6])

[(pmap inc nil) (pmap inc []) (pcalls)]

(pcalls (fn [] 1) (fn [] (+ 1 1)) (constantly 3))

(pvalues 1 (+ 1 1) (first [3]))

(pmap (fn [x] (pmap (fn [y] (* x y)) [1 2])) [3 4])

(reduce + (pmap (fn [x] (* x x)) (range 100)))

(let [seen (atom 0)] (doall (pmap (fn [x] (swap! seen + x)) (range 10))) @seen)

(seq? (pmap inc [1 2]))

(map (var inc) [1 2])

((var +) 1 2)

;; catch by class
(try (/ 1 0) (catch ArithmeticException e (ex-message e)))
;=> "Divide by zero"
(try (+ 1 nil) (catch NullPointerException e :npe))
;=> :npe
(try (+ 1 "a") (catch ClassCastException e :cast))
;=> :cast
(try (nth [1 2] 5) (catch IndexOutOfBoundsException e :bounds))
;=> :bounds
(try ((fn [x] x)) (catch clojure.lang.ArityException e :arity))
;=> :arity
(try (throw (ex-info "bad" {:id 1})) (catch clojure.lang.ExceptionInfo e (ex-data e)))
;=> {:id 1}
(try (throw (ex-info "bad" {:id 1})) (catch Exception e [(ex-message e) (:id (ex-data e))]))
;=> ["bad" 1]
(try (throw (Exception. "boom")) (catch RuntimeException e 1) (catch Exception e (ex-message e)))
;=> "boom"
(try (throw (IllegalArgumentException. "no")) (catch RuntimeException e :runtime))
;=> :runtime
(try (throw (ex-info "bad" {})) (catch ArithmeticException e 1))
;! thrown bad
(throw (ex-info "bad" {:id 1}))
;! thrown bad
(throw "text")
;! wrong-type `throw` expects an exception, found a string "text"
(try 1 (catch js/Error e 2))
;! bad-form `catch` does not know the class `js/Error`
(catch Exception e 1)
;! bad-form `catch` is outside a `try`
(try (/ 1 0) (catch Exception))
;! bad-form `catch` needs a class and a name, and `finally` comes last

;; values
(try 1 2 3)
;=> 3
(try)
;=> nil
(try 1 (catch Exception e 2) (finally 3))
;=> 1
(try (/ 1 0) (catch Exception e))
;=> nil
(ex-message (ex-info nil {}))
;=> nil
(ex-data (Exception. "x"))
;=> nil
(ex-message 1)
;=> nil
(ex-message (ex-cause (ex-info "outer" {} (ex-info "inner" {}))))
;=> "inner"
(try (try (throw (ex-info "a" {})) (catch Exception e (throw (ex-info "b" {:x 1} e)))) (catch Exception e [(ex-message e) (ex-message (ex-cause e)) (ex-data e)]))
;=> ["b" "a" {:x 1}]
(try (try (/ 1 0) (catch Exception e (throw e))) (catch ArithmeticException e :again))
;=> :again

;; finally
(let [log (atom [])] (try (swap! log conj 1) (finally (swap! log conj 2))) @log)
;=> [1 2]
(let [log (atom [])] (try (try (/ 1 0) (finally (swap! log conj :in))) (catch Exception e (swap! log conj :out))) @log)
;=> [:in :out]
(let [log (atom [])] (try (try (/ 1 0) (catch Exception e (throw (ex-info "x" {}))) (finally (swap! log conj :in))) (catch Exception e (swap! log conj (ex-message e)))) @log)
;=> [:in "x"]
(try (/ 1 0) (finally (throw (ex-info "later" {}))))
;! thrown later

;; inside other forms
(map (fn [x] (try (/ 10 x) (catch Exception e :none))) [1 0 5])
;=> (10 :none 2)
(loop [i 0 acc []] (if (< i 3) (recur (inc i) (try (conj acc (/ 6 i)) (catch Exception e (conj acc :e)))) acc))
;=> [:e 6 3]
(let [v [1 2 3]] (try (let [w (conj v 4)] (throw (ex-info "x" {}))) (catch Exception e (conj v 9))))
;=> [1 2 3 9]
(let [v [1]] (try (loop [i 0] (if (< i 3) (recur (inc i)) (throw (ex-info "x" {:v v})))) (catch Exception e [v (ex-data e)])))
;=> [[1] {:v [1]}]
(reduce (fn [acc x] (try (if (= x 3) (throw (ex-info "stop" {})) (+ acc x)) (catch Exception e (reduced acc)))) 0 [1 2 3 4])
;=> 3
(defn safe [f] (fn [& args] (try (apply f args) (catch Exception e nil)))) (map (safe /) [1 2] [0 2])
;=> (nil 1)
(str (try (sort-by (fn [x] (if (= x 2) (throw (ex-info "two" {})) x)) [3 2 1]) (catch Exception e (ex-message e))))
;=> "two"

;; what cannot be caught
(try (loop [] (recur)) (catch Throwable e 1))
;! fuel-limit the program used up its fuel of 30000000 units of work
(defn f [x] (f x)) (try (f 1) (catch Throwable e 1))
;! call-depth-limit calls nest deeper than the limit of 20000

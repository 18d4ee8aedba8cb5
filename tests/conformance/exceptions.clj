(try 1)

(try 1 2)

(try (/ 1 0) (catch ArithmeticException e :div))

(try (/ 1 0) (catch Exception e :any))

(try (/ 1 0) (catch Throwable e :t))

(try (/ 1 0) (catch ArithmeticException e (.getMessage e)))

(try (/ 1 0) (catch ArithmeticException e (ex-message e)))

(try (/ 1 0) (catch NullPointerException e :npe) (catch ArithmeticException e :div))

(try (/ 1 0) (catch RuntimeException e :rt))

(try (/ 1 0) (catch NullPointerException e :npe))

(try 1 (finally 2))

(try (/ 1 0) (catch Exception e :x) (finally :ignored))

(let [a (atom [])] (try (swap! a conj 1) (finally (swap! a conj 2))) @a)

(let [a (atom [])] (try (try (/ 1 0) (finally (swap! a conj :f))) (catch Exception e (swap! a conj :c))) @a)

(throw (ex-info "boom" {:a 1}))

(throw (ex-info "boom" {}))

(throw (Exception. "plain"))

(throw (RuntimeException. "rt"))

(throw (IllegalArgumentException. "bad arg"))

(throw (IllegalStateException. "bad state"))

(throw (Exception.))

(try (throw (ex-info "m" {:code 7})) (catch Exception e (ex-data e)))

(try (throw (ex-info "m" {:code 7})) (catch clojure.lang.ExceptionInfo e (:code (ex-data e))))

(try (throw (ex-info "m" {:code 7})) (catch ExceptionInfo e (ex-message e)))

(try (throw (ex-info "m" {})) (catch RuntimeException e :rt))

(try (throw (ex-info "m" {})) (catch Exception e [(ex-message e) (ex-data e)]))

(try (throw (ex-info "outer" {:a 1} (ex-info "inner" {:b 2}))) (catch Exception e [(ex-message e) (ex-message (ex-cause e)) (ex-data (ex-cause e))]))

(try (throw (Exception. "m")) (catch Exception e [(ex-message e) (ex-data e) (ex-cause e)]))

(try (throw (Exception. "m")) (catch Exception e (.getMessage e)))

(try (throw (Exception. "outer" (Exception. "inner"))) (catch Exception e (ex-message (ex-cause e))))

(try (throw (IllegalArgumentException. "bad")) (catch IllegalArgumentException e (str "caught: " (.getMessage e))))

(try (throw (RuntimeException. "r")) (catch IllegalArgumentException e 1) (catch RuntimeException e 2))

(try (+ 1 nil) (catch NullPointerException e :npe))

(try (+ 1 "a") (catch ClassCastException e :cce))

(try (Integer/parseInt "x") (catch NumberFormatException e :nfe))

(try (Integer/parseInt "x") (catch NumberFormatException e (.getMessage e)))

(try (Long/parseLong "12a") (catch NumberFormatException e (ex-message e)))

(try (Double/parseDouble "abc") (catch NumberFormatException e (.getMessage e)))

(try (Integer/parseInt "x") (catch IllegalArgumentException e :iae))

(try (nth [1] 5) (catch IndexOutOfBoundsException e :oob))

(try (subs "abc" 5) (catch StringIndexOutOfBoundsException e :sioob))

(try (subs "abc" 5) (catch IndexOutOfBoundsException e :oob))

(try (pop []) (catch IllegalStateException e (.getMessage e)))

(try ((fn [x] x)) (catch clojure.lang.ArityException e :arity))

(try ((fn [x] x)) (catch IllegalArgumentException e :iae))

(try (first 5) (catch IllegalArgumentException e :iae))

(try (count 5) (catch UnsupportedOperationException e (.getMessage e)))

(try (case 9 1 2) (catch IllegalArgumentException e (.getMessage e)))

(try (assert false) (catch AssertionError e :assert))

(try (assert false "msg") (catch AssertionError e (.getMessage e)))

(try (assert false) (catch Exception e :ex) (catch Throwable e :throwable))

(try (assert false) (catch Error e :error))

(try (java.time.LocalDate/parse "nope") (catch java.time.format.DateTimeParseException e :bad-date))

(try (java.time.LocalDate/parse "nope") (catch Exception e :bad-date))

(try (LocalDate/parse "2024-02-30") (catch DateTimeParseException e (.getMessage e)))

(try (re-pattern "(") (catch java.util.regex.PatternSyntaxException e :regex))

(try (throw (ex-info "a" {:t 1})) (catch Exception e (try (throw (ex-info "b" {:t 2})) (catch Exception e2 [(ex-message e) (ex-message e2)]))))

(try (try (throw (ex-info "in" {})) (catch ArithmeticException e :no)) (catch Exception e (ex-message e)))

(try (try (throw (ex-info "in" {:k 1})) (catch Exception e (throw (ex-info "wrapped" {:was (ex-message e)} e)))) (catch Exception e [(ex-message e) (ex-data e) (ex-message (ex-cause e))]))

(try (throw (ex-info "x" {:type :a})) (catch Exception e (case (:type (ex-data e)) :a "A" :b "B")))

(try (let [{:keys [type id]} (ex-data (ex-info "x" {:type :nf :id 3}))] [type id]) (catch Exception e nil))

(ex-data (ex-info "x" {:a 1}))

(ex-message (ex-info "x" {}))

(ex-cause (ex-info "x" {}))

(ex-data nil)

(ex-message nil)

(ex-data 5)

(ex-message "str")

(instance? clojure.lang.ExceptionInfo (ex-info "x" {}))

(instance? Exception (ex-info "x" {}))

(instance? ArithmeticException (try (/ 1 0) (catch Exception e e)))

(some? (try (throw (Exception. "x")) (catch Exception e e)))

(throw nil)

(throw "string")

(throw {:a 1})

(try (throw 5) (catch ClassCastException e :cce))

(map #(try (/ 10 %) (catch ArithmeticException e :inf)) [1 0 5])

(mapv (fn [s] (try (Integer/parseInt s) (catch Exception _ nil))) ["1" "x" "3"])

(keep #(try (Long/parseLong %) (catch NumberFormatException _ nil)) ["1" "b" "2"])

(defn safe-div [a b] (try (/ a b) (catch ArithmeticException e nil))) [(safe-div 6 3) (safe-div 1 0)]

(defn check [x] (if (neg? x) (throw (ex-info "negative" {:value x})) x)) (try (mapv check [1 -2]) (catch Exception e (:value (ex-data e))))

(reduce (fn [acc f] (try (conj acc (f)) (catch Exception e (conj acc (ex-message e))))) [] [(constantly 1) #(throw (ex-info "two" {})) (constantly 3)])

(let [r (try (throw (ex-info "e" {})) (catch Exception e {:error (ex-message e)}))] (:error r))

(try (doall (map #(/ 1 %) [1 0])) (catch ArithmeticException e :caught))

(try (mapv #(/ 1 %) [1 0]) (catch ArithmeticException e :caught))

(try (reduce / [1 0]) (catch ArithmeticException e (.getMessage e)))

(try (throw (ex-info "cleanup" {})) (catch Exception e :c) (finally (println "done")))

(try (throw (ex-info "x" {})) (finally (println "cleanup")))

(try nil (catch Exception e :x))

(try (catch Exception e 1))

(try (finally 1))

(try (do 1 (throw (ex-info "m" {})) 2) (catch Exception e 3))

(with-out-str (try (println "a") (throw (ex-info "m" {})) (catch Exception e (println (ex-message e)))))

(str (try (throw (ex-info "msg" {})) (catch Exception e (ex-message e))) "!")

(try (.toUpperCase nil) (catch NullPointerException e :npe))

(try (.length 5) (catch Exception e :no-method))

(try (get-in {:a 1} [:a :b]) (catch Exception e :x))

(try (update {} :n inc) (catch NullPointerException e :npe))

(try (compare "a" 1) (catch ClassCastException e :cce))

(try (sort [1 "a"]) (catch ClassCastException e :cce))

(try (assoc [1] 5 :x) (catch IndexOutOfBoundsException e :oob))

(try (apply max []) (catch Exception e :arity))

(try (into {} [1]) (catch IllegalArgumentException e :iae))

(try (throw (UnsupportedOperationException. "nope")) (catch UnsupportedOperationException e (.getMessage e)))

(try (throw (java.io.IOException. "io")) (catch java.io.IOException e (.getMessage e)))

(try (throw (NullPointerException. "n")) (catch RuntimeException e (.getMessage e)))

(try (throw (ArithmeticException. "arith")) (catch ArithmeticException e (.getMessage e)))

(try (throw (Error. "err")) (catch Exception e :ex) (catch Error e :err))

(.getMessage (ex-info "hello" {}))

(.getMessage (Exception. "x"))

(.getData (ex-info "x" {:a 1}))

(ex-message (Exception. "a"))

(ex-message (Exception.))

(ex-message (ex-cause (ex-info "a" {} (Exception. "b"))))

(try (Integer/parseInt "zz" 16) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Integer/parseInt "") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Long/parseLong nil) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Integer/parseInt nil) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Long/parseLong "99999999999999999999") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Integer/parseInt "99999999999") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Double/parseDouble "") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Double/parseDouble " ") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (pop []) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (pop '()) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (case nil 1 2) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (case "x" 1 2) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (condp = 5 1 2) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (count :a) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (count 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (first 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (seq 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (let [[a] 5] a) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (let [[a] #{1}] a) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (nth {} 0) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (nth 5 0) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (nth "abc" 9) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (subs "abc" 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (subs "abc" 2 1) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (subs "abc" -1) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (.substring "abc" 4) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (.substring "abc" 1 9) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (get-in 5 [1]) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (+ 1 "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (+ 1 :a) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (inc [1]) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (symbol 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (symbol nil) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (contains? "abc" "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (contains? '(1) 1) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (select-keys 5 [:a]) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (find 5 1) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (hash-map :a) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (apply hash-map [1 2 3]) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (format "%d" "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (format "%s") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (format "%y" 1) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (format "%d" 1.5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (format "%z" 1) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalDate/parse "2024-02-30") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalDate/parse "2024-13-01") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalDate/parse "x") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalDate/parse "2024-01") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalDate/parse "2024-01-32") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalDate/of 2024 2 30) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalDate/of 2024 13 1) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalDate/of 2023 2 29) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Instant/parse "x") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (Duration/parse "x") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalTime/parse "25:00") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (LocalTime/of 25 0) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (vec 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (set 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (reduce + 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (apply + 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (zipmap 5 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (vals 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (even? "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (even? 1.5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (even? nil) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (mod 1 0) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (/ 1 0) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (max "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (max nil) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (+ nil) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (* nil) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (max "a" "b") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (min nil) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (ex-data 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (partition 0 []) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

;; divergence: D2
;; ours: ["UnsupportedOperationException" "nth not supported on this type: Long"]
(try (distinct 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

;; divergence: D2
;; ours: ["IllegalArgumentException" "Don't know how to create ISeq from: java.lang.Long"]
(try (drop 1 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/upper-case 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/replace 5 "a" "b") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/starts-with? 5 "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/ends-with? 5 "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/includes? 5 "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/capitalize 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/index-of 5 "a") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/join 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (clojure.string/join "," 5) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (f) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (assert false) (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

(try (assert false "m") (catch Throwable e [(.getSimpleName (class e)) (ex-message e)]))

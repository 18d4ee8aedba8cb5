;; Classes as values.
[String java.lang.String (class "a") (class nil) (type [1])]
;=> [java.lang.String java.lang.String java.lang.String nil clojure.lang.PersistentVector]
[(str String) (pr-str String) (.getName (class :a)) (.getSimpleName (class 1.5))]
;=> ["class java.lang.String" "java.lang.String" "clojure.lang.Keyword" "Double"]
(map #(instance? % "a") [String CharSequence Comparable Object Number Character java.util.List])
;=> (true true true true false true false)
(map #(instance? % [1]) [clojure.lang.IPersistentVector java.util.Collection clojure.lang.Seqable java.util.Map])
;=> (true true true false)
[(instance? Long 1) (instance? Number 1) (instance? Integer 1) (instance? Double 1)]
;=> [true true false false]
[(instance? Character \a) (instance? String \a)]
;=> [true true]
[(class {}) (class (zipmap (range 9) (range 9))) (class #{}) (class (bigint 1e20))]
;=> [clojure.lang.PersistentArrayMap clojure.lang.PersistentHashMap clojure.lang.PersistentHashSet clojure.lang.BigInt]
[(instance? clojure.lang.IFn :a) (instance? clojure.lang.IFn inc) (instance? clojure.lang.IFn 1)]
;=> [true true false]
(group-by class [1 "a" 2 :k])
;=> {java.lang.Long [1 2], java.lang.String ["a"], clojure.lang.Keyword [:k]}
[(class? String) (class? "String") (= String (class "x")) (cast Number 1) (cast String nil)]
;=> [true false true 1 nil]
(cast String 1)
;! wrong-type `cast` expects a value of the class java.lang.String, found an integer 1
(instance? "String" 1)
;! wrong-type `instance?` expects a class, such as String, found a string "String"
(json/generate-string {:type (class 1)})
;=> "{\"type\":\"java.lang.Long\"}"
(map (partial instance? Exception) [(ex-info "x" {}) (RuntimeException. "x") (Error. "x") "x"])
;=> (true true false false)
(class (java.time.LocalDate/of 2024 1 5))
;=> java.time.LocalDate

;; Methods of Java in other shapes.
(.. "  abc " trim (substring 1) toUpperCase)
;=> "BC"
[(. "abc" length) (. "abc" (substring 1)) (. "abc" substring 1 2) (. Math abs -1) (. Math (pow 2 3))]
;=> [3 "bc" "b" 1 8.0]
(map (memfn substring start) ["abc" "xyz"] [1 2])
;=> ("bc" "z")
(ex-message (new IllegalStateException "bad"))
;=> "bad"
[(Integer. "5") (Long. "9") (Double. "1.5") (String. "abc") (Boolean. "TRUE") (BigInteger. "123456789012345678901")]
;=> [5 9 1.5 "abc" true 123456789012345678901N]
(Integer. "x")
;! bad-number `Integer.` cannot read "x" as an integer
(. "abc")
;! bad-form `.` needs a value and a method
(.nosuch "abc")
;! unknown-name `.nosuch` is not defined

;; Definitions that keep what is there.
(defonce once 1)
;=> #'once
(defonce once 2)
;=> nil
[once (defonce other 1)]
;! unknown-name `other` is not defined
(defonce)
;! bad-form `defonce` takes a name and a value

;; Conditions of functions.
(defn half [x] {:pre [(number? x) (even? x)] :post [(int? %)]} (/ x 2))
;=> #'half
(half 4)
;=> 2
(half 3)
;! thrown Assert failed: (even? x)
(half "a")
;! thrown Assert failed: (number? x)
(defn bad [x] {:post [(pos? %)]} (- x))
;=> #'bad
(bad 1)
;! thrown Assert failed: (pos? %)
(defn map-is-body [x] {:pre 1})
;=> #'map-is-body
(map-is-body 1)
;=> {:pre 1}
((fn [n] {:pre [(>= n 0)]} (if (zero? n) :done (recur (dec n)))) 3)
;=> :done
(defn wrong [x] {:pre true} x)
;! bad-form `:pre` needs its tests in a vector

;; Wrong numbers of arguments are refused before the program runs, unless a `try` waits for them.
(defn one [x] x)
;=> #'one
(try (one) (catch clojure.lang.ArityException e (ex-message e)))
;=> "Wrong number of args (0) passed to: user/one"
(try (inc 1 2) (catch IllegalArgumentException e (ex-message e)))
;=> "Wrong number of args (2) passed to: clojure.core/inc"
(try ((fn [x] x)) (catch Exception e :caught))
;=> :caught
(try (str/join) (catch Exception e (ex-message e)))
;=> "Wrong number of args (0) passed to: clojure.string/join"
(one)
;! wrong-arity the function `one` takes 1 argument, not 0
(inc 1 2)
;! wrong-arity `inc` takes 1 argument, not 2

;; Messages of exceptions are those of Clojure where they are well known.
(defmacro not-there [] 1)
;! not-available `defmacro` is not part of the language
(try (Integer/parseInt "x1") (catch Exception e [(.getSimpleName (class e)) (ex-message e)]))
;=> ["NumberFormatException" "For input string: \"x1\""]
(try (Integer/parseInt "xyz" 16) (catch Exception e (ex-message e)))
;=> "For input string: \"xyz\" under radix 16"
(try (Double/parseDouble "") (catch Exception e (ex-message e)))
;=> "empty String"
(try (Long/parseLong nil) (catch Exception e [(.getSimpleName (class e)) (ex-message e)]))
;=> ["NumberFormatException" "Cannot parse null string"]
(try (mod 1 0) (catch Exception e (ex-message e)))
;=> "Divide by zero"
(try (pop '()) (catch Exception e (ex-message e)))
;=> "Can't pop empty list"
(try (case "x" 1 2) (catch Exception e (ex-message e)))
;=> "No matching clause: x"
(try (condp = 5 1 2) (catch Exception e (ex-message e)))
;=> "No matching clause: 5"
(try (count 5) (catch Exception e (ex-message e)))
;=> "count not supported on this type: Long"
(try (first 5) (catch Exception e (ex-message e)))
;=> "Don't know how to create ISeq from: java.lang.Long"
(try (map inc 5) (catch Exception e (ex-message e)))
;=> "Don't know how to create ISeq from: java.lang.Long"
(try (let [[a] 5] a) (catch Exception e (ex-message e)))
;=> "nth not supported on this type: Long"
(try (contains? "abc" "a") (catch Exception e (ex-message e)))
;=> "contains? not supported on type: java.lang.String"
(try (subs "abc" 5) (catch Exception e [(.getSimpleName (class e)) (ex-message e)]))
;=> ["StringIndexOutOfBoundsException" "begin 5, end 3, length 3"]
(try (+ 1 "a") (catch Exception e (ex-message e)))
;=> "class java.lang.String cannot be cast to class java.lang.Number (java.lang.String and java.lang.Number are in module java.base of loader 'bootstrap')"
(try (+ 1 :a) (catch Exception e (ex-message e)))
;=> "class clojure.lang.Keyword cannot be cast to class java.lang.Number (clojure.lang.Keyword is in unnamed module of loader 'app'; java.lang.Number is in module java.base of loader 'bootstrap')"
(try (5 1) (catch Exception e (ex-message e)))
;=> "class java.lang.Long cannot be cast to class clojure.lang.IFn (java.lang.Long is in module java.base of loader 'bootstrap'; clojure.lang.IFn is in unnamed module of loader 'app')"
(5 1)
;! not-callable expected a function, found `5`
(try ((first [5]) 1) (catch Exception e (ex-message e)))
;=> "class java.lang.Long cannot be cast to class clojure.lang.IFn (java.lang.Long is in module java.base of loader 'bootstrap'; clojure.lang.IFn is in unnamed module of loader 'app')"
(try (even? "a") (catch Exception e (ex-message e)))
;=> "Argument must be an integer: a"
(try (format "%d" "a") (catch Exception e [(.getSimpleName (class e)) (ex-message e)]))
;=> ["IllegalFormatConversionException" "d != java.lang.String"]
(try (format "%s") (catch Exception e (ex-message e)))
;=> "Format specifier '%s'"
(try (format "%y" 1) (catch Exception e (ex-message e)))
;=> "Conversion = 'y'"
(try (throw (java.io.IOException. "io")) (catch java.io.IOException e (.getMessage e)))
;=> "io"
(try 1 (catch java.util.IOException e 2))
;! bad-form `catch` does not know the class `java.util.IOException`

;; Data in a text.
(read-string "{:a [1 \"b\" nil] :c #{x}} ignored )")
;=> {:a [1 "b" nil], :c #{x}}
(read-string "#\"a+\"")
;=> #"a+"
(clojure.edn/read-string "[1 2.5 \\a]")
;=> [1 2.5 "a"]
(edn/read-string {:readers {'point (fn [[x y]] {:x x, :y y})}} "[#point [1 2] #_ #other 3]")
;=> [{:x 1, :y 2}]
(edn/read-string {:default (fn [tag x] [tag x])} "#a {:b #c 1}")
;=> [a {:b [c 1]}]
[(str (edn/read-string "#inst \"2024-01-05\"")) (edn/read-string "") (edn/read-string {:eof :none} " ")]
;=> ["2024-01-05T00:00:00Z" nil :none]
(edn/read-string "#point [1 2]")
;! bad-token `edn/read-string` has no reader for `#point`
(edn/read-string "#inst \"soon\"")
;! bad-token `edn/read-string` cannot read "soon" as an instant
(edn/read-string "#uuid \"x\"")
;! bad-token `edn/read-string` cannot read "x" as a UUID
(edn/read-string "{:a 1 \"a\" 2}")
;! bad-form `edn/read-string`: a string "a" occurs twice in a map or set
(edn/read-string "@a")
;! bad-token `edn/read-string`: `@` is not part of EDN
(edn/read-string {} "")
;! empty-program `edn/read-string` found no form in the text
(try (read-string "(1 2") (catch RuntimeException e (ex-message e)))
;=> "`read-string`: this `(` is never closed; the program ends first"
(read-string "  ")
;! empty-program `read-string` found no form in the text
(read-string 5)
;! wrong-type `read-string` expects a text, found an integer 5

;; Other forms.
(case 1 1 :a 2 :b 1 :c)
;! bad-form this `case` constant occurs twice
(case 1 (1 2) :a (2 3) :b)
;! bad-form this `case` constant occurs twice
(for [x [1 2]])
;! bad-form `for` needs an expression for its items
[1/2 4/2 -3/2 1/3]
;=> [0.5 2 -1.5 0.3333333333333333]
1/0
;! bad-token `1/0` is not a number

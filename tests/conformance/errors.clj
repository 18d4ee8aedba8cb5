foo

(foo 1)

(undefined-fn [1 2])

(let [x 1] y)

(str/nosuch "a")

(clojure.string/nosuch "a")

(nosuch/thing 1)

(java.time.Nope/parse "x")

(+ 1 undefined)

(map undefined [1])

(fn [x] undefined)

(defn f [] undefined) (f)

(inc)

(inc 1 2 3)

(map)

(reduce)

(assoc {:a 1})

(get)

(get {} :a :b :c)

(nth [1])

(str/split "a")

(str/join)

(str/replace "a" "b")

(subs "a")

(first)

(first [1] [2])

(count)

(count [1] [2])

(conj [1] 2 3)

(even? 1 2)

(not)

(not 1 2)

(update {:a 1})

(get-in {:a 1})

(sort-by)

(group-by :a)

(apply)

(partition 2)

(keys)

(keys {:a 1} 2)

(vec)

(range 1 2 3 4)

(+ 1 "2")

(+ "1" "2")

(+ :a 1)

(+ [1] [2])

(+ {:a 1} 1)

(- "5" 3)

(* nil 2)

(/ "4" 2)

(/ 5 0)

(mod 5 0)

(inc "5")

(inc [1])

(dec nil)

(< "1" 2)

(> nil 0)

(max "a")

(count 5)

(count :a)

(count true)

(first 5)

(first :a)

(first true)

(rest 5)

(seq :a)

(map inc 5)

(map inc :a)

(map 5 [1 2])

(map "f" [1])

(filter 5 [1])

(filter even? [1 "a"])

(filter even? [nil])

(reduce + 5)

(reduce + [1 "a"])

(reduce + [:a])

(reduce 5 [1 2])

(apply + 5)

(apply + 1 2)

(apply 5 [1])

(assoc 5 :a 1)

(assoc [1 2] :a 1)

(assoc [1 2] 5 1)

(assoc "abc" 0 "x")

(dissoc 5 :a)

(update 5 :a inc)

(update {:a "x"} :a inc)

(update {} :count inc)

(update-in {} [:a :b] inc)

(assoc-in {:a 1} [:a :b] 1)

(merge {:a 1} 5)

(conj 5 1)

(conj {:a 1} 5)

(conj {:a 1} "ab")

(conj "abc" "d")

(into {} [1 2 3])

(into {} ["ab"])

(into [] 5)

(keys [1 2])

(keys "abc")

(vals [1 2])

(key {:a 1})

(val [1])

(nth [1 2 3] 10)

(nth '(1 2) 10)

(nth [1] -1)

(nth [1] :a)

(nth {:a 1} 0)

(nth 5 0)

([1 2 3] 5)

([1 2 3] "a")

([] 0)

(1 2 3)

("abc" 0)

(true)

(nil 1)

({:a 1})

({:a 1} :a :b :c)

(#{1} 1 2)

(:a)

(5)

((+ 1 2) 3)

((first [1 2]) 3)

((:f {:f 5}) 1)

((get {} :f) 1)

(subs "abc" 5)

(subs "abc" 2 1)

(subs 5 0)

(subs "abc" "a")

(subs "abc" nil)

(str/upper-case nil)

(str/trim 5)

(str/split 5 #",")

(str/split "a,b" ",")

(str/join 5)

(str/replace 5 "a" "b")

(str/replace "abc" 5 "b")

(str/starts-with? 5 "a")

(str/includes? "abc" 5)

(str/blank? 5)

(re-find "a" "b")

(re-seq #"a" 5)

(re-matches 5 "a")

(keyword 5)

(name 5)

(name [1])

(symbol 5)

(sort 5)

(sort [1 "a" :b])

(sort-by :a [{:a 1} {:a "b"}])

(sort-by 5 [1 2])

(compare 1 "a")

(compare [1] 1)

(even? "a")

(odd? nil)

(zero? "0")

(pos? :a)

(range "a")

(range nil 5)

(take "a" [1])

(take 2 5)

(drop :a [1])

(repeat "a" 1)

(partition "a" [1])

(partition 0 [])

(partition-all nil [1])

(group-by 5 [1])

(frequencies 5)

(distinct 5)

(interpose 1 5)

(zipmap 5 [1])

(set 5)

(vec 5)

(list* 5)

(flatten 5)

(empty? 5)

(not-empty 5)

(every? even? 5)

(some even? 5)

(some 5 [1])

(contains? "abc" "a")

(contains? 5 1)

(contains? '(1 2) 1)

(select-keys 5 [:a])

(select-keys {:a 1} 5)

(get-in {:a 1} 5)

(peek 5)

(pop 5)

(pop [])

(disj [1] 1)

(subvec '(1 2) 0)

(subvec [1 2] 5)

(long nil)

(double "x")

(double nil)

(parse-long)

(Integer/parseInt "4.5")

(Integer/parseInt 5)

(Long/parseLong "")

(Double/parseDouble "1,5")

(Math/sqrt "x")

(Math/pow 2)

(bit-and 1.5 2)

(deref 5)

(swap! {} inc)

(reset! nil 1)

(throw (ex-info "custom" {:code 42}))

(throw (Exception. "oops"))

(throw "not throwable")

(assert (pos? -1) "must be positive")

(case 5 1 :a)

(condp = 5 1 :a)

(cond 1)

(let [x])

(let [1 2] 3)

(let x 1)

(if)

(def 5 1)

(def "x" 1)

(defn)

(defn 5 [x] x)

(defn f x)

(fn x)

(fn [x)

(loop [i 0] (recur))

(for [x])

(hash-map :a)

(array-map 1)

(sorted-map :a)

{:a 1 :b}

{:a 1 :a 2}

#{1 1}

(+ 1

[1 2

{:a 1

"unclosed

#"unclosed

(+ 1 2))

]

(let [x 1]

'

#

#<foo>

@

:

::

\abc

1a

0x

08

1.2.3

"\q"

#"("

##Foo

(quot 1 0)

(rem 1 0)

(re-pattern nil)

(format "%d" "x")

(format 5)

(LocalDate/parse "not a date")

(.foo "abc")

(.substring "abc" 10)

(.toUpperCase nil)

(String/nosuch 1)

(new NoSuchClass)

(NoSuchClass. 1)

(reduce-kv + 0 5)

(update-vals 5 inc)

(clojure.set/union 5 #{1})

(clojure.set/difference #{1} 5)

(clojure.walk/keywordize-keys 5)

(iterate)

(map-indexed 5 [1])

(max-key :a {:a "x"} {:a 1})

(apply max ["a" "b"])

(apply max-key :a [])

(apply min [])

(juxt)

((juxt inc) "a")

((partial + 1) "a")

((comp inc str) 1)

((fnil inc 0) "a")

((complement even?) "a")

(try (throw (ex-info "a" {})) (catch ArithmeticException e 1))

(try (inc nil) (finally (dec nil)))

(catch Exception e 1)

(finally 1)

(. "abc")

(letfn [(f [x])] (f))

(letfn [f] 1)

(if-let [x] 1)

(when-let x 1)

(doseq [x])

(dotimes [i] i)

(as-> 1)

(some-> {:a "x"} :a inc)

(cond-> 1 true)

(set! x 5)

(var nosuch)

#'nosuch

(ns-nosuch/f)

(unquote x)

~x

(reduced)

@5

(get-in {:a {:b 1}} :a)

(comp 5)

((comp 5) 1)

(memoize)

(zipmap [:a])

(interleave 5 [1])

(mapcat inc [1 2])

(apply concat [1 2])

(into {} [[1]])

(into {} [[1 2 3]])

(reduce conj {} [1])

(tree-seq)

(nthnext [1 2] "a")

(split-at "a" [1])

(trampoline)

(min)

(max)

(-)

(/)

(<)

(=)

(not=)

(compare {} {})

(compare '() '())

(compare {:a 1} {:a 1})

(let [m {:a 1}] (compare m m))

(int ##NaN)

(long ##NaN)

(compare "a" "B")

(compare :a/b :a/c)

(compare 'a 'c)

(compare ["a"] ["c"])

(compare [1 "a"] [1 "c"])

(compare [[:a]] [[:d]])

(compare true false)

(compare "" "abc")

(compare (java.time.LocalDate/of 2024 1 1) (java.time.LocalDate/of 2024 1 9))

(< "a")

(> nil)

(== "a")

(= nil)

(<= :a)

(+ "a")

(* "a")

(max :a)

(min [])

(clojure.set/union [1 2] #{3})

(clojure.set/union '(1) [2 3])

(clojure.set/union #{1} [2 3])

(clojure.set/union nil [1])

(clojure.set/union [1])

(clojure.set/union #{1} 5)

(clojure.set/union #{1} nil)

(clojure.set/difference #{1 2} [1])

(clojure.set/difference #{1 2} '(1))

(clojure.set/difference [1 2] #{1})

(clojure.set/difference #{1} [1 2])

(clojure.set/difference nil #{1})

(clojure.set/subset? [1] #{1 2})

(clojure.set/subset? #{1} [1 2])

(clojure.set/superset? #{1} [1])

(clojure.set/difference #{1 2} {1 2})

(clojure.set/union {:a 1} {:b 2})

(clojure.set/union #{1 2} '(3))

(update-vals [1 2] inc)

(update-keys [1 2] inc)

(update-vals nil inc)

(update-vals '([1 2]) inc)

(update-vals "ab" inc)

(update-keys 5 inc)

(reduce-kv conj [] '([1 2]))

(reduce-kv conj [] #{})

(reduce-kv conj 1 nil)

(reduce-kv conj [] (seq {:a 1}))

(conj {:a 1} '(:b 2))

(conj {:a 1} '([:b 2]))

(conj {:a 1} [:b])

(conj {:a 1} [:b 2 3])

(conj {:a 1} #{[:b 2]})

(conj {:a 1} (seq {:b 2 :c 3}))

(conj {:a 1} ())

(conj {:a 1} "")

(conj {:a 1} [])

(into {} [[1 2] '(3 4)])

(into {} [5])

(into {} [:a])

(merge {:a 1} [:b 2])

(merge {:a 1} '(:b 2))

(conj {} :a)

(keys [])

(keys [[1 2]])

(keys '())

(keys "")

(keys "a")

(vals [[1 2]])

(keys #{})

(vals 5)

(keys (seq {:a 1}))

(nthrest [1 2] 0)

(nthrest [1 2] 5)

(nthrest [1 2] 1)

(nthrest nil 2)

(nthrest '() 0)

(nthrest {:a 1} 0)

(nthrest "abc" 0)

(clojure.string/starts-with? :abc ":a")

(clojure.string/ends-with? 'abc "c")

(clojure.string/includes? [1 2] "1")

(clojure.string/index-of 123 "2")

(clojure.string/last-index-of 1231 "1")

(clojure.string/replace :a "a" "b")

(clojure.string/replace-first 123 "2" "x")

(clojure.string/replace "a" :x "b")

(clojure.string/replace "a" "b" 5)

(clojure.string/replace "a" #"b" 5)

(clojure.string/replace "a" "a" 5)

(clojure.string/escape 5 {})

(clojure.string/starts-with? nil "a")

(clojure.string/index-of "abc" 5)

(clojure.string/index-of "abc" nil)

(clojure.string/includes? "abc" nil)

(clojure.string/split-lines 5)

(clojure.string/replace-first "a" 5 "b")

(select-keys "abc" [0])

(select-keys #{1} [1])

(select-keys 5 [])

(select-keys [1 2] [0])

(find "abc" 0)

(find #{1} 1)

(find '(1) 0)

(Math/abs "a")

(Math/abs nil)

(Math/max 1 nil)

(Math/sqrt nil)

(Math/sqrt "a")

(Math/floor nil)

(Math/pow nil 2)

(Math/floorMod nil 1)

(sort (fn [a b] false) [2 1])

(nth "" 0)

(nth nil 5)

(partition-all 0 [])

(partition 0 1 [])

(partition -1 [])

(partition 2 0 [])

(str 100000000000000000000)

(str [100000000000000000000])

(prn-str 9223372036854775808)

(uuid? "a")

(defn g [x] x) (defn f [] (g 1 2)) (try (f) (catch Exception e :caught))

(defn g [x] x) (defn f [] (g 1 2)) (defn h [] (f)) (try (h) (catch Exception e :caught))

(defn g [x] x) (defn f [x] (g 1 2)) (try (doall (map f [1 2])) (catch Exception e :caught))

(defn g [x] x) (defn f [x] (g 1 2)) (defn try-it [h] (try (h 1) (catch Exception e :caught))) (try-it f)

(try (:a) (catch Exception e :caught))

(try (:a 1 2 3) (catch Exception e :caught))

(try (1 2) (catch ClassCastException e :caught))

(try ("a" 2) (catch ClassCastException e :caught))

(try (true 2) (catch ClassCastException e :caught))

(try (nil 2) (catch Exception e :caught))

(try (/ 1 0) (catch ArithmeticException e :caught))

(defn f [] (/ 1 0)) (try (f) (catch ArithmeticException e :caught))

(defn f [x] (quot x 0)) (try (f 1) (catch ArithmeticException e :caught))

(try (let [f (fn [x] x)] (f)) (catch Exception e :caught))

(let [f (fn [x] x)] (try (f) (catch Exception e :caught)))

(letfn [(f [x] x)] (try (f) (catch Exception e :caught)))

(try ((fn [x] x)) (catch Exception e :caught))

(try (#(+ % 1)) (catch Exception e :caught))

(try (doall (map inc 1)) (catch Exception e :caught))

(try (reduce + 1) (catch Exception e :caught))

(try (subs 1 "a") (catch Exception e :caught))

(try (apply inc [1 2]) (catch Exception e :caught))

(try (json-x) (catch Exception e :caught))

(try (assoc {} :a) (catch Exception e :caught))

(try (throw (ex-info "a" {} nil 1)) (catch Exception e :caught))

(defn f [] (1 2)) (try (f) (catch Exception e :caught))

(try (recur) (catch Exception e 1))

(try (first) (catch Exception e :caught))

(def f inc) (try (f 1 2) (catch Exception e :caught))

(defn f [] (keys 1 2)) (try (f) (catch Exception e :caught))

(try (keys 1 2) (catch Exception e :caught))

(defn run [h] (try (h) (catch Exception e :caught))) [(run #(keys 1 2)) (run (fn [] (:a)))]

(defn f [] (keys 1 2)) (defn g [h] (h)) (try (g f) (catch Exception e (.getSimpleName (class e))))

(def run (fn [] (:a))) (try (run) (catch IllegalArgumentException e :caught))

(doall 1)

(dorun :a)

(doall 1 2)

(dorun nil)

(conj 1)

(conj :a nil)

(disj [1])

(disj [1] 1)

(dissoc [1])

(dissoc [1] 0)

(merge "a")

(merge 1 {})

(into 1 nil)

(into 1 [2])

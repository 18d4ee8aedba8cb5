;; ctx
;ctx {"user_id": 7, "name": "Ann", "orders": [{"id": 1, "total": 40.5}, {"id": 2, "total": 2}], "none": null, "big": 12345678901234567890, "deep": {"a": {"b": [1, {"c": true}]}}}
ctx/user_id
;=> 7
ctx/name
;=> "Ann"
ctx/orders
;=> [{"id" 1, "total" 40.5} {"id" 2, "total" 2}]
(map :total ctx/orders)
;=> (40.5 2)
(reduce + (map :total ctx/orders))
;=> 42.5
(:id (first ctx/orders))
;=> 1
(get-in ctx/orders [1 :total])
;=> 2
(get (first ctx/orders) "id")
;=> 1
ctx/none
;=> nil
ctx/big
;=> 12345678901234567890N
(inc ctx/big)
;=> 12345678901234567891N
(get-in ctx/deep [:a :b 1 :c])
;=> true
ctx/missing
;! unknown-ctx-key there is no `ctx/missing` in this mission
ctx/user-id
;! unknown-ctx-key there is no `ctx/user-id` in this mission
ctx/nmae
;! unknown-ctx-key there is no `ctx/nmae` in this mission
(:name ctx)
;=> "Ann"
(keys ctx)
;=> ("user_id" "name" "orders" "none" "big" "deep")
(count ctx)
;=> 6
ctx
;=> {"user_id" 7, "name" "Ann", "orders" [{"id" 1, "total" 40.5} {"id" 2, "total" 2}], "none" nil, "big" 12345678901234567890N, "deep" {"a" {"b" [1 {"c" true}]}}}
(ctx/name)
;! not-callable `ctx/name` is data, not a function
(map :x ctx/orders)
;! unknown-field the record has no field `:x`; its fields are `:id`, `:total`
(map #(:x % nil) ctx/orders)
;=> (nil nil)
(-> ctx :deep :a :b first)
;=> 1
user_id
;! unknown-name `user_id` is not defined
name
;=> #function[name]
orders
;! unknown-name `orders` is not defined
ctx/fail
;=> nil
(let [ctx {:a 1}] (:a ctx))
;=> 1
(def ctx/x 1)
;! bad-form `ctx/x` cannot be defined
(get ctx :name)
;=> "Ann"
(filter (fn [{:keys [id total]}] (> total 10)) ctx/orders)
;=> ({"id" 1, "total" 40.5})
(sort-by :total ctx/orders)
;=> ({"id" 2, "total" 2} {"id" 1, "total" 40.5})
(assoc (first ctx/orders) :id 9)
;=> {"id" 9, "total" 40.5}
(update (first ctx/orders) :total inc)
;=> {"id" 1, "total" 41.5}
(keys (first ctx/orders))
;=> ("id" "total")
(sum-by :total ctx/orders)
;=> 42.5

;; Memory.
memory/a
;=> nil
(memory/get :a)
;=> nil
(memory/get :a 5)
;=> 5
(memory/put :a 1)
;=> 1
memory/a
;=> 1
(memory/get :a)
;=> 1
(memory/get "a")
;=> 1
(memory/put "b" {:x [1 2]})
;=> {:x [1 2]}
(:x memory/b)
;=> [1 2]
memory
;=> {:a 1, "b" {:x [1 2]}}
(do (memory/put :a 2) memory/a)
;=> 2
(do (memory/put :a 3) (/ 1 0))
;! divide-by-zero `/` divides by zero
memory/a
;=> 2
(do (memory/put :a 4) (return :done))
;return :done
memory/a
;=> 4
(do (memory/put :a 5) (fail {:reason :no}))
;fail {:reason :no}
memory/a
;=> 4
(memory/put 5 1)
;! wrong-type `memory/put` expects a keyword or string as its key, found an integer 5
(memory/put :f inc)
;! not-json memory cannot be kept: f: a function has no JSON form
memory/f
;=> nil
(memory/put :nan ##NaN)
;! not-json memory cannot be kept: nan: a not-a-number or infinite float has no JSON form
(memory/put :s #{1})
;=> #{1}
memory/s
;=> #{1}
(memory/put :k :keyword)
;=> :keyword
memory/k
;=> :keyword
(memory/put)
;! wrong-arity `memory/put` takes 2 arguments, not 0
(map (fn [k] (memory/put k (name k))) [:p :q])
;=> ("p" "q")
[memory/p memory/q]
;=> ["p" "q"]
(keys memory)
;=> (:a "b" :s :k :p :q)

;; def is a transaction too.
(def x 1)
;=> #'x
x
;=> 1
(do (def x 2) (/ 1 0))
;! divide-by-zero `/` divides by zero
x
;=> 1
(def x 3) (return x)
;return 3
x
;=> 3
(def x 4) (fail {:reason :no})
;fail {:reason :no}
x
;=> 3
(def y (inc x))
;=> #'y
[x y]
;=> [3 4]
(defn twice [f] (fn [v] (f (f v))))
;=> #'twice
((twice inc) 1)
;=> 3
(def fs {:inc inc})
;=> #'fs
((:inc fs) 1)
;=> 2
(def x (+ x 1))
;=> #'x
x
;=> 4
(def broken (/ 1 0))
;! divide-by-zero `/` divides by zero
broken
;! unknown-name `broken` is not defined
(do (def made 1) made)
;=> 1
made
;=> 1
(if false (def never 1))
;=> nil
never
;! unknown-name `never` is used before it is defined
(defn use-x [] x)
;=> #'use-x
(def x 100)
;=> #'x
(use-x)
;=> 100
(def z 1) (def z (inc z)) z
;=> 2
(def println 5)
;=> #'println
println
;=> 5
(def map {:a 1})
;=> #'map
(:a map)
;=> 1

;; History.
*1
;=> nil
(+ 1 2)
;=> 3
*1
;=> 3
(* *1 10)
;=> 30
[*1 *2 *3]
;=> [30 3 3]
(/ 1 0)
;! divide-by-zero `/` divides by zero
*1
;=> [30 3 3]
(return 5)
;return 5
*1
;=> 5
(fail {:reason :x})
;fail {:reason :x}
*1
;=> 5
nil
;=> nil
*1
;=> nil

;; return and fail
(return 5)
;return 5
(return {:a [1 2]})
;return {:a [1 2]}
(do (return 1) 2)
;return 1
(if false (return 1) 2)
;=> 2
(map (fn [x] (when (= x 2) (return x)) x) [1 2 3])
;return 2
(let [f (fn [] (return :deep))] (+ 1 (f)))
;return :deep
(reduce (fn [a x] (if (> x 2) (return a) (+ a x))) 0 [1 2 3 4])
;return 3
(return)
;! bad-form `return` takes one value, not 0
(return 1 2)
;! bad-form `return` takes one value, not 2
(return inc)
;! not-json a function has no JSON form
(return {:a {:b [1 inc]}})
;! not-json a.b[1]: a function has no JSON form
(return ##NaN)
;! not-json a not-a-number or infinite float has no JSON form
(return #{1 2})
;return #{1 2}
(return :kw)
;return :kw
(return nil)
;return nil
(return (return 1))
;return 1
(fail {:reason :not_found :message "no such user"})
;fail {:reason :not_found, :message "no such user"}
(fail "text")
;fail "text"
(fail :kw)
;fail :kw
(fail nil)
;fail nil
(fail {})
;fail {}
(fail)
;! bad-form `fail` takes one map, not 0 values
(fail 1 2)
;! bad-form `fail` takes one map, not 2 values
(fail {:reason :x :extra [1 2]})
;fail {:reason :x, :extra [1 2]}
(map (fn [x] (fail {:reason :in-map :n x})) [1 2])
;fail {:reason :in-map, :n 1}
(call "return" 5)
;return 5
(call "fail" {:reason :x})
;fail {:reason :x}
return
;! bad-form `return` is a form, not a value
(let [r return] 1)
;! bad-form `return` is a form, not a value
(map return [1])
;! bad-form `return` is a form, not a value
[1 (return 2) 3]
;return 2
(sort (fn [a b] (return :sorting)) [2 1])
;return :sorting

;; Tools.
(call "echo" {:v 1})
;call echo {:v 1}
;=> 1
(call "echo" {:v [1 {:a "b"}]})
;call echo {:v [1 {:a "b"}]}
;=> [1 {:a "b"}]
(call "add" {:a 1 :b 2})
;call add {:a 1, :b 2}
;=> 3
(tool/add {:a 1 :b 2})
;call add {:a 1, :b 2}
;=> 3
(+ (call "add" {:a 1 :b 2}) (call "add" {:a 3 :b 4}))
;call add {:a 1, :b 2}
;call add {:a 3, :b 4}
;=> 10
(map (fn [x] (call "add" {:a x :b 10})) [1 2 3])
;call add {:a 1, :b 10}
;call add {:a 2, :b 10}
;call add {:a 3, :b 10}
;=> (11 12 13)
(map tool/echo [{:v 1} {:v 2}])
;call echo {:v 1}
;call echo {:v 2}
;=> (1 2)
(call "items")
;call items {}
;=> [1 2 3]
(call "items" {})
;call items {}
;=> [1 2 3]
(tool/items)
;call items {}
;=> [1 2 3]
(call "boom" {})
;call boom {}
;! tool-failed tool `boom`: the service is down
(map (fn [x] (call "boom" {:v x})) [1 2])
;call boom {:v 1}
;! tool-failed tool `boom`: the service is down
(try (call "boom" {}) (catch Exception e [(ex-message e) (ex-data e) (class e)]))
;call boom {}
;=> ["tool `boom`: the service is down" {:tool "boom", :kind :tool-failed, :message "the service is down"} clojure.lang.ExceptionInfo]
(pmap (fn [x] (try (if (= x 1) (tool/boom {:v x}) (tool/echo {:v x})) (catch Exception e (:tool (ex-data e))))) [1 2])
;call boom {:v 1}
;call echo {:v 2}
;=> ("boom" 2)
(try (try (tool/boom {}) (catch Exception e (throw e))) (catch Exception e (:kind (ex-data e))))
;call boom {}
;=> :tool-failed
(try (tool/boom {}) (catch Exception e (throw e)))
;call boom {}
;! tool-failed tool `boom`: the service is down
(try (tool/boom {}) (catch Exception e (throw (ex-info "no rates" {:code 1} e))))
;call boom {}
;! thrown no rates
[(if-error (call "boom" {:v 1}) 0) (map #(if-error (tool/boom {:v %}) nil) [2])]
;call boom {:v 1}
;call boom {:v 2}
;=> [0 (nil)]
(call "nope" {})
;! unknown-tool there is no tool `nope`
(call "ech" {})
;! unknown-tool there is no tool `ech`
(tool/nope {})
;! unknown-tool there is no tool `nope`
(call echo {})
;! unknown-name `echo` is not defined
(call :echo {})
;! bad-form a tool is called by its name, a string; found `:echo`
(call {:tool "echo"} {})
;! bad-form a tool is called by its name, a string; found `{:tool "echo"}`
(call (str "ec" "ho") {:v 1})
;call echo {:v 1}
;=> 1
(call (str "echo"))
;call echo {}
;=> nil
(let [t (if (nil? ctx) "items" "echo")] (call t {:v 2}))
;call echo {:v 2}
;=> 2
(map #(call % {:v 3}) ["echo" "items"])
;call echo {:v 3}
;call items {:v 3}
;=> (3 [1 2 3])
(pmap (fn [[tool args]] (call tool args)) [["echo" {:v 1}] ["add" {:a 1 :b 2}]])
;call echo {:v 1}
;call add {:a 1, :b 2}
;=> (1 3)
(defn with-retry [tool args n] (try (call tool args) (catch Exception e (if (pos? n) (with-retry tool args (dec n)) (:kind (ex-data e))))))
;=> #'with-retry
(with-retry "boom" {} 1)
;call boom {}
;call boom {}
;=> :tool-failed
(with-retry "echo" {:v 4} 1)
;call echo {:v 4}
;=> 4
(with-retry "eco" {} 1)
;=> :unknown-tool
(call (str "ech") {})
;! unknown-tool there is no tool `ech`
(try (call (str "ech") {}) (catch Exception e [(ex-message e) (ex-data e) (class e)]))
;=> ["there is no tool `ech`" {:tool "ech", :kind :unknown-tool, :message "there is no tool `ech`"} clojure.lang.ExceptionInfo]
(call (apply str (repeat 100 "a")) {})
;! unknown-tool there is no tool `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…`
(call (str "plan") {})
;! planning-tool the tool `plan` is shown for planning only and cannot be called
(try (call (str "plan") {}) (catch Exception e (:kind (ex-data e))))
;=> :planning-tool
(call (deref (atom :echo)) {})
;! wrong-type a tool is called by its name, a string; found a keyword :echo
(try (call (first []) {}) (catch ClassCastException e (ex-message e)))
;=> "a tool is called by its name, a string; found nil"
(call (str "echo") 5)
;! wrong-type the tool `echo` takes a map of arguments, found an integer 5
(call (str "echo") {} {})
;! wrong-arity a tool takes one map of arguments, not 2 values
(do (call (str "return") {:total 1}) (println "never"))
;return {:total 1}
(map #(call % {:reason :late :message "no"}) ["echo" "fail" "items"])
;call echo {:reason :late, :message "no"}
;fail {:reason :late, :message "no"}
(call (str "return") inc)
;! not-json a function has no JSON form
(let [left (:tool-calls (budget))] (call (str "echo") {}) (- left (:tool-calls (budget))))
;call echo {}
;=> 1
(call (str "echo") {:v (map inc [1 2])})
;call echo {:v (2 3)}
;=> (2 3)
(call (call "echo" {:v "add"}) {:a (call "echo" {:v 1}) :b 2})
;call echo {:v "add"}
;call echo {:v 1}
;call add {:a 1, :b 2}
;=> 3
(call "echo" 5)
;! wrong-type the tool `echo` takes a map of arguments
(call "echo" [1])
;! wrong-type the tool `echo` takes a map of arguments
(call "echo" {:v 1} 2)
;! wrong-arity a tool takes one map of arguments, not 2 values
(let [args 5] (call "echo" args))
;! wrong-type the tool `echo` takes a map of arguments, found int 5
(let [args {:v 5}] (call "echo" args))
;call echo {:v 5}
;=> 5
(call "echo" {:v inc})
;! not-json arguments of the tool `echo`: v: a function has no JSON form
(call "echo" {:v :kw})
;call echo {:v :kw}
;=> :kw
(call)
;! bad-form `call` needs a tool's name
(call "plan" {})
;! planning-tool the tool `plan` is shown for planning only and cannot be called
(echo {:v 1})
;! unknown-name `echo` is not defined
(tool/echo)
;call echo {}
;=> nil
(if (call "echo" {:v false}) :yes :no)
;call echo {:v false}
;=> :no
(println (call "echo" {:v 1}))
;print 1
;call echo {:v 1}
;=> nil
(do (def from-tool (call "echo" {:v 9})) from-tool)
;call echo {:v 9}
;=> 9
from-tool
;=> 9
(call "echo" {"v" 3})
;call echo {"v" 3}
;=> 3
(call "echo" (assoc {} :v 1))
;call echo {:v 1}
;=> 1
tool/echo
;=> #function[fn]
(call "echo" {:v nil})
;call echo {:v nil}
;=> nil

;; what is left
(keys (budget))
;=> (:fuel :tool-calls)
(do (call "echo" {}) (:tool-calls (budget)))
;call echo {}
;=> 255
(let [before (:fuel (budget))] (dotimes [_ 10] nil) (- before (:fuel (budget))))
;=> 10

;; Words of the mission are names like others: a program may call its own things so.
(let [return inc] (return 1))
;=> 2
(defn fail [x] [:failed x]) [(fail 1) (-> 2 fail) (map fail [3])]
;=> [[:failed 1] [:failed 2] ([:failed 3])]
(defn f [call] (call 1)) (f inc)
;=> 2
(let [return inc] (tool/return (return 1)))
;return 2
(let [f (fn [return] (return 1))] (return (f inc)))
;return 2
(def return 5) return
;=> 5
(def recur 5)
;! bad-form `recur` cannot be defined

;; Branches and memory: changes are joined, and two branches that put one key differently are told.
(memory/put :n 0) (pmap (fn [i] (memory/put :n (+ memory/n i))) [1 2 3]) memory/n
;! memory-conflict two branches put different values into memory under `:n`
(do (memory/put :n 0) (try (pmap (fn [i] (memory/put :n i)) [1 2]) (catch IllegalStateException e memory/n)))
;=> 0
(do (pmap (fn [i] (memory/put (str "at" i) (* i i))) [1 2 3]) [memory/at1 memory/at3])
;=> [1 9]
(do (pmap (fn [_] (memory/put :same [1 2])) [1 2 3]) memory/same)
;=> [1 2]
(do (pcalls #(memory/put :a 1) #(memory/put :b 2)) [memory/a memory/b])
;=> [1 2]
(pcalls #(memory/put :c 1) #(memory/put :c 2))
;! memory-conflict two branches put different values into memory under `:c`
(pmap (fn [i] (memory/put :d i) (when (= i 2) (throw (ex-info "two" {})))) [1 2])
;! thrown two
(flow/each [1 2] (fn [i] (memory/put :e i)) {:at-once 2})
;! memory-conflict two branches put different values into memory under `:e`
(pmap (fn [i] (pmap (fn [j] (memory/put (str "g" i j) (+ i j))) [1 2])) [10 20]) memory/g202
;=> 22
(do (pmap (fn [i] (pmap (fn [j] (memory/put :h i)) [1 2])) [7 7]) memory/h)
;=> 7

;; What comes in as JSON.
;ctx {"int": 1, "neg": -5, "float": 1.5, "exp": 1e3, "whole": 2.0, "big": 123456789012345678901234567890, "str": "a\"b\\c\n\u00e9\ud83d\ude00", "t": true, "f": false, "nil": null, "list": [1, [2, []]], "map": {"a b": 1, "c": {}}, "empty": "", "dup": {"k": 1, "k": 2}, "key:colon": 1}
ctx/int
;=> 1
ctx/neg
;=> -5
ctx/float
;=> 1.5
ctx/exp
;=> 1000.0
ctx/whole
;=> 2.0
ctx/big
;=> 123456789012345678901234567890N
ctx/str
;=> "a\"b\\c\né😀"
(count ctx/str)
;=> 8
[ctx/t ctx/f ctx/nil]
;=> [true false nil]
ctx/list
;=> [1 [2 []]]
(vector? ctx/list)
;=> true
ctx/map
;=> {"a b" 1, "c" {}}
(get ctx/map "a b")
;=> 1
ctx/empty
;=> ""
ctx/dup
;=> {"k" 2}
(get ctx "key:colon")
;=> 1
(type ctx/whole)
;=> java.lang.Double
(= ctx/whole 2)
;=> true
(keys ctx/map)
;=> ("a b" "c")
(string? (first (keys ctx/map)))
;=> true
(:c ctx/map)
;=> {}
(assoc ctx/map :c 5)
;=> {"a b" 1, "c" 5}

;; What goes out as JSON.
(return {:a 1 "b" 2})
;return {:a 1, "b" 2}
(return [:k 'sym])
;return [:k sym]
(return {:a ##Inf})
;! not-json a: a not-a-number or infinite float has no JSON form
(return [1 [2 {:x inc}]])
;! not-json [1][1].x: a function has no JSON form
(return #"re")
;! not-json a regular expression has no JSON form
(return {[1 2] 3})
;return {[1 2] 3}
(return {1 2})
;return {1 2}
(return {nil 1})
;return {nil 1}
(return {:a (map inc [1 2])})
;return {:a (2 3)}
(return "text")
;return "text"
(return 123456789012345678901234567890)
;return 123456789012345678901234567890N
(return {:a/b 1})
;return {:a/b 1}
(return (fn [x] x))
;! not-json a function has no JSON form
(return {true 1})
;return {true 1}

;; `clojure.data.json` by its names.
(require '[clojure.data.json :as json]) (json/read-str "{\"a\": [1, 2.5, null]}")
;=> {"a" [1 2.5 nil]}
(require '[clojure.data.json :as j]) [(j/read-str "{\"a\": {\"b\": 1}}" :key-fn keyword) (j/write-str {:a 1})]
;=> [{:a {:b 1}} "{\"a\":1}"]
(ns app (:require [clojure.data.json :as data :refer [read-str]])) [(read-str "[1]") (data/write-str [1])]
;=> [[1] "[1]"]
(clojure.data.json/read-str "{\"a\": 1}" {:key-fn keyword})
;=> {:a 1}
(json/read-str "{\"a b\": {\"c\": 1}}" :key-fn (fn [k] (str/upper-case k)))
;=> {"A B" {"C" 1}}
(json/read-str "{\"a\": {\"b\": 1}, \"c\": [{\"b\": 2}, 3]}" :key-fn #(keyword (str "x-" %)))
;=> {:x-a {:x-b 1}, :x-c [{:x-b 2} 3]}
(json/read-str "{\"a\": 1, \"d\": \"2024-05-01\", \"l\": [{\"d\": \"2024-05-02\"}]}" :key-fn keyword :value-fn (fn [k v] (if (= k :d) (subs v 0 4) v)))
;=> {:a 1, :d "2024", :l [{:d "2024"}]}
(json/read-str "{\"a\": {\"b\": 1}}" :value-fn (fn [k v] [k v]))
;=> {"a" ["a" {"b" ["b" 1]}]}
(defn drop-nils [k v] (if (nil? v) drop-nils v)) (json/read-str "{\"a\": null, \"b\": {\"c\": null, \"d\": 1}}" :value-fn drop-nils)
;=> {"b" {"d" 1}}
(json/read-str "[1, \"a\"]" :value-fn (fn [k v] 0))
;=> [1 "a"]
(json/read-str "{\"a\": 1}" :key-fn identity :value-fn nil)
;=> {"a" 1}
(map (comp class first keys) [(json/read-str "{\"a\": 1}") (json/read-str "{\"a\": 1}" :key-fn keyword)])
;=> (java.lang.String clojure.lang.Keyword)
(:a (json/read-str "{\"a\": 1}"))
;=> 1
(json/read-str "")
;! bad-json `json/read-str` cannot read the text: the text ends where a JSON value is expected at line 1, column 1
(json/read-str " \n" :eof-error? false)
;=> nil
(json/read-str "" :eof-error? false :eof-value :none)
;=> :none
(json/read-str "" :eof-error? true :eof-value :none)
;! bad-json `json/read-str` cannot read the text: the text ends where a JSON value is expected at line 1, column 1
(json/read-str "[1]" :eof-error? false :eof-value :none)
;=> [1]
(json/read-str nil)
;! wrong-type `json/read-str` expects a text of JSON, found nil
(json/read-str 5)
;! wrong-type `json/read-str` expects a text of JSON, found an integer 5
(json/read-str "[1" :eof-error? false)
;! bad-json `json/read-str` cannot read the text: expected `,` or `]` at line 1, column 3
(json/read-str "[1.5]" :bigdec false)
;=> [1.5]
(json/read-str "[1.5]" :bigdec true)
;! not-available `json/read-str` does not support the option `:bigdec`: there is no BigDecimal
(json/read-str "[1]" :key-fn 5)
;! wrong-type `json/read-str` expects a function as `:key-fn`, found an integer 5
(json/read-str "[1]" :key-fn)
;! wrong-type `json/read-str` expects a name and a value for each option, found a keyword :key-fn
(json/read-str "[1]" true)
;! wrong-type `json/read-str` expects a name and a value for each option, found a boolean true
(json/read-str "[1]" :value-fun inc)
;! unknown-option `json/read-str` has no option `:value-fun`
(let [option :value-fun] (json/read-str "[1]" option inc))
;! unknown-option `json/read-str` has no option `:value-fun`
(json/read-str "[1]" :extra-data-fn inc)
;! unknown-option `json/read-str` has no option `:extra-data-fn`
(mapv json/read-str ["1" "[2]"])
;=> [1 [2]]
(try (json/read-str "{") (catch Exception e :bad))
;=> :bad
(json/write-str {:a [1 nil true 2.5 "x"] "b" #{1} :c :d})
;=> "{\"a\":[1,null,true,2.5,\"x\"],\"b\":[1],\"c\":\"d\"}"
(json/write-str {:url "http://a/b" :name "Zoë 😀"})
;=> "{\"url\":\"http:\\/\\/a\\/b\",\"name\":\"Zo\\u00eb \\ud83d\\ude00\"}"
(json/write-str {:url "http://a/b" :name "Zoë 😀"} :escape-slash false :escape-unicode false)
;=> "{\"url\":\"http://a/b\",\"name\":\"Zoë 😀\"}"
(json/write-str "a\u2028b\u2029" :escape-unicode false)
;=> "\"a\\u2028b\\u2029\""
(json/write-str "a\u2028bé" :escape-js-separators false)
;=> "\"a b\\u00e9\""
(= "a\u2028" (json/read-str (json/write-str "a\u2028" :escape-js-separators false :escape-unicode false)))
;=> true
(json/write-str "\"\\\b\f\n\r\t\u0001\u001f \\u0008 \\/")
;=> "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f \\\\u0008 \\\\\\/\""
(= "\"\\\b\f\n\r\t\u0001\u001f \\u0008 \\/é😀" (json/read-str (json/write-str "\"\\\b\f\n\r\t\u0001\u001f \\u0008 \\/é😀")))
;=> true
(json/write-str {:a 1 :b {:c 2}} :key-fn (fn [k] (str/upper-case (name k))))
;=> "{\"A\":1,\"B\":{\"C\":2}}"
(json/write-str {:a/b 1} :key-fn name)
;=> "{\"b\":1}"
(json/write-str {:a 1 :at [{:b 2}]} :value-fn (fn [k v] (if (= k :b) (str v "!") v)))
;=> "{\"a\":1,\"at\":[{\"b\":\"2!\"}]}"
(defn drop-nils [k v] (if (nil? v) drop-nils v)) (json/write-str {:a nil :b [{:c nil :d 1}]} :value-fn drop-nils)
;=> "{\"b\":[{\"d\":1}]}"
(json/write-str {:a (map inc [1 2]) :b (sorted-map :z 1 :y 2)} :key-fn name)
;=> "{\"a\":[2,3],\"b\":{\"y\":2,\"z\":1}}"
(json/write-str {:a (lazy-seq [1 2])})
;=> "{\"a\":[1,2]}"
(json/write-str {:n 3} :value-fn (fn [k v] (take v (iterate inc 1))))
;=> "{\"n\":[1,2,3]}"
(println (json/write-str {:a [1 {:b []}] :c {}} :indent true))
;print {
;print   "a": [
;print     1,
;print     {
;print       "b": []
;print     }
;print   ],
;print   "c": {}
;print }
;=> nil
(json/write-str {:a 1} {:key-fn #(str "k-" (name %))})
;=> "{\"k-a\":1}"
(json/write-str {:a 1} :pretty true)
;! unknown-option `json/write-str` has no option `:pretty`
(json/write-str {:a 1} {:pretty true})
;! unknown-option `json/write-str` has no option `:pretty`
(json/write-str {:a inc})
;! not-json `json/write-str` cannot write the value: a: a function has no JSON form
(json/write-str {:a inc} :value-fn (fn [k v] "fn"))
;=> "{\"a\":\"fn\"}"
(json/write-str {:a ##NaN} :key-fn name)
;! not-json `json/write-str` cannot write the value: a: a not-a-number or infinite float has no JSON form
(json/write-str [1 2] :key-fn "a")
;! wrong-type `json/write-str` expects a function as `:key-fn`, found a string "a"
(map json/write-str [{:a 1} nil])
;=> ("{\"a\":1}" "null")
(apply json/write-str [{:a 1} :key-fn (constantly "z")])
;=> "{\"z\":1}"
(->> {:a 1} json/write-str (#(json/read-str % :key-fn keyword)))
;=> {:a 1}
(try (json/read-str) (catch Exception e (ex-message e)))
;=> "Wrong number of args (0) passed to: clojure.data.json/read-str"

;; `cheshire.core` by its names.
(require '[cheshire.core :as json]) (json/parse-string "{\"a\": {\"b\": [1, null]}}" true)
;=> {:a {:b [1 nil]}}
(require '[cheshire.core :as c]) [(c/parse-string "{\"a\": 1}") (c/generate-string {:a 1})]
;=> [{"a" 1} "{\"a\":1}"]
(require '[cheshire.core :refer [parse-string generate-string]]) (generate-string (parse-string "{\"a\": [1]}" true))
;=> "{\"a\":[1]}"
(cheshire.core/parse-string "{\"a\": 1}" keyword)
;=> {:a 1}
(json/parse-string "{\"a\": {\"b\": 1}}" (fn [k] (keyword (str/upper-case k))))
;=> {:A {:B 1}}
(json/parse-string "{\"a\": {\"b\": 1}}" #(str % "!"))
;=> {"a!" {"b!" 1}}
[(json/parse-string "{\"a\": 1}" false) (json/parse-string "{\"a\": 1}" nil) (json/parse-string "{\"a\": 1}" identity)]
;=> [{"a" 1} {"a" 1} {"a" 1}]
(json/parse-string "{\"a\": 1, \"b\": 2}" {"a" :x})
;=> {:x 1, nil 2}
(json/parse-string "{\"tags\": [1, 1, 2], \"list\": [1, 1, [2, 2]]}" true (fn [field] (if (= field "tags") #{} [])))
;=> {:tags #{1 2}, :list [1 1 [2 2]]}
(json/parse-string "[1, 1, {\"a\": [2, 2]}]" true (fn [field] #{}))
;=> [1 1 {:a #{2}}]
(json/parse-string-strict "[1, 1, {\"a\": [2, 2]}]" true (fn [field] #{}))
;=> #{1 {:a #{2}}}
[(json/parse-string-strict "{\"a\": [1]}" true) (json/parse-string-strict "[1]") (json/parse-string-strict nil)]
;=> [{:a [1]} [1] nil]
[(json/parse-string nil) (json/parse-string nil true) (json/parse-string "") (json/parse-string " \n" true)]
;=> [nil nil nil nil]
(json/parse-string "{\"a\"")
;! bad-json `json/parse-string` cannot read the text: expected `:` after a key at line 1, column 5
(json/parse-string 5)
;! wrong-type `json/parse-string` expects a text of JSON, found an integer 5
(json/parse-string "{}" :key-fn keyword)
;! wrong-type `json/parse-string` expects true or a function as its second argument, found a keyword :key-fn
(json/parse-string "{}" "a")
;! wrong-type `json/parse-string` expects true or a function as its second argument, found a string "a"
(json/parse-string "{}" true 5)
;! wrong-type `json/parse-string` expects a function as its third argument, found an integer 5
(map json/parse-string ["{\"a\": 1}" "2"])
;=> ({"a" 1} 2)
(json/generate-string {:a/b 1 "c" #{2} nil 3 4 5})
;=> "{\"a/b\":1,\"c\":[2],\"nil\":3,\"4\":5}"
(json/generate-string {:url "a/b" :name "Zoë 😀"})
;=> "{\"url\":\"a/b\",\"name\":\"Zoë 😀\"}"
(json/generate-string "é😀\b\f\u0001\u001f/" {:escape-non-ascii true})
;=> "\"\\u00E9\\uD83D\\uDE00\\b\\f\\u0001\\u001F/\""
(json/generate-string {:a {:b 1} "c" 2 3 4} {:key-fn (fn [k] (str/upper-case (name k)))})
;=> "{\"A\":{\"B\":1},\"c\":2,\"3\":4}"
(println (json/generate-string {:a [1 {:b []}] :c {}} {:pretty true}))
;print {
;print   "a": [
;print     1,
;print     {
;print       "b": []
;print     }
;print   ],
;print   "c": {}
;print }
;=> nil
(println (json/generate-string {:a 1} {:pretty true :key-fn name}))
;print {
;print   "a": 1
;print }
;=> nil
(json/generate-string {:a (lazy-seq [1])} {:key-fn name})
;=> "{\"a\":[1]}"
(json/generate-string {:a 1} nil)
;=> "{\"a\":1}"
(json/generate-string {:a 1} {:key-fn 5})
;! wrong-type `json/generate-string` expects a function as `:key-fn`, found an integer 5
(json/generate-string {:a inc} {:key-fn name})
;! not-json `json/generate-string` cannot write the value: a: a function has no JSON form
(json/decode "{\"a\": 1}" true)
;! unknown-name `json/decode` is not defined

;; A function that is given to them may call tools.
(json/read-str "{\"a\": 1, \"b\": {\"c\": 2}}" :key-fn keyword :value-fn (fn [k v] (call "echo" {:v v})))
;call echo {:v 1}
;call echo {:v 2}
;call echo {:v {:c 2}}
;=> {:a 1, :b {:c 2}}
(json/write-str {:a 1 :b 2} :value-fn (fn [k v] (call "echo" {:v (inc v)})))
;call echo {:v 2}
;call echo {:v 3}
;=> "{\"a\":2,\"b\":3}"
(json/parse-string "{\"a\": 1}" (fn [k] (call "echo" {:v k})))
;call echo {:v "a"}
;=> {"a" 1}

;; An object has each name once.
(return {1 10 "1" 20})
;! not-json 1: a map with two keys of this name has no JSON form
(json/generate-string {1 10 "1" 20})
;! not-json `json/generate-string` cannot write the value: 1: a map with two keys of this name has no JSON form

;; libraries are there already
(require '[clojure.string :as str]) (str/upper-case "a")
;=> "A"
(require '[clojure.string :as string-things]) (string-things/join "-" [1 2])
;=> "1-2"
(require '[clojure.string :refer [join split]]) (join "+" (split "a,b" #","))
;=> "a+b"
(require '[clojure.set :as s]) (s/union #{1} #{2})
;=> #{1 2}
(ns my.report (:require [clojure.string :as st] [clojure.walk :as w])) [(st/trim " x ") (w/keywordize-keys {"a" 1})]
;=> ["x" {:a 1}]
(use 'clojure.set) 1
;=> 1
(import '(java.time LocalDate)) (str (LocalDate/of 2024 1 5))
;=> "2024-01-05"
(require 'clojure.string)
;=> nil
(require '[clojure.data.csv :as csv]) (csv/read-csv "a")
;! not-available `clojure.data.csv` is no library of the language
;! unknown-name `csv/read-csv` is not defined
(require '[clojure.string :as str]) (str/nosuch "a")
;! unknown-name `str/nosuch` is not defined

;; looking things up
(with-out-str (doc map))
;=> "map\n(map f coll & colls)\n  f of every item.\n  (map inc [1 2]) => (2 3)\n"
(with-out-str (doc str/join))
;=> "str/join\n(str/join coll)\n(str/join separator coll)\n  The texts of the items with a separator between them.\n  (str/join \", \" [1 2]) => \"1, 2\"\n"
(require '[clojure.string :as s] '[clojure.repl :refer [doc]]) (= (with-out-str (doc s/join)) (with-out-str (doc clojure.string/join)))
;=> true
(with-out-str (doc if))
;=> "if\n(if test then else?)\n  then if the test is true, otherwise else, or nil.\n"
(with-out-str (doc agent))
;=> "agent\n  Not part of the language: there are no threads; `pmap`, `pcalls` and `pvalues` call tools side by side.\n"
(with-out-str (doc mapp))
;=> "mapp\n  There is no such name: did you mean `map`?\n"
(defn area [w h] (* w h)) (with-out-str (doc area))
;=> "area\n  A name of this program.\n"
(with-out-str (clojure.repl/doc Math/PI))
;=> "Math/PI\n  The ratio of a circle's circumference to its diameter.\n  Math/PI => 3.141592653589793\n"
(doc "map")
;! bad-form `doc` takes one name
(let [doc inc] (doc 1))
;=> 2
(apropos "split-")
;=> (split-at split-with str/split-lines)
[(apropos #"^map.$") (apropos 'mapc) (apropos "no such name")]
;=> [(map? mapv) (mapcat) ()]
(apropos 1)
;! wrong-type `apropos` expects a text or a regular expression, found an integer 1
(with-out-str (find-doc "swap-val"))
;=> "apropos\n(apropos text-or-regex)\n  Names of functions and forms that hold a text or match a regex, as symbols.\n  (apropos \"swap-v\") => (swap-vals!)\nswap-vals!\n(swap-vals! atom f & args)\n  Puts f of its value into an atom; gives the old value and the new one.\n  (swap-vals! (atom 1) inc) => [1 2]\n"
(= (with-out-str (find-doc #"swap-val")) (with-out-str (find-doc "swap-val")))
;=> true
[(clojure.core/when-let [x 1] (clojure.core/if x 2 3)) (clojure.core/inc 1)]
;=> [2 2]

;; identifiers of 128 bits
(parse-uuid "B6883C0A-0342-4007-9966-bc2dfa6b109e")
;=> #uuid "b6883c0a-0342-4007-9966-bc2dfa6b109e"
[(parse-uuid "x") (parse-uuid "1-1-1-1-1") (parse-uuid "") (parse-uuid "1-1-1-1-") (parse-uuid nil)]
;=> [nil #uuid "00000001-0001-0001-0001-000000000001" nil nil nil]
(let [id (parse-uuid "b6883c0a-0342-4007-9966-bc2dfa6b109e")] [(uuid? id) (uuid? (str id)) (str id) (= id (parse-uuid (str id))) (get {id 1} id) (class id)])
;=> [true false "b6883c0a-0342-4007-9966-bc2dfa6b109e" true 1 java.util.UUID]
(sort [(parse-uuid "f-1-1-1-1") (parse-uuid "1-1-1-1-1") (parse-uuid "80000000-1-1-1-1")])
;=> (#uuid "80000000-0001-0001-0001-000000000001" #uuid "00000001-0001-0001-0001-000000000001" #uuid "0000000f-0001-0001-0001-000000000001")
(return {:id (parse-uuid "1-2-3-4-5")})
;return {:id #uuid "00000001-0002-0003-0004-000000000005"}
(java.util.UUID/fromString "nothing")
;! bad-number `UUID/fromString` cannot read "nothing" as a UUID
(try (java.util.UUID/fromString "x") (catch IllegalArgumentException e (ex-message e)))
;=> "Invalid UUID string: x"

;; Hashes are those of Clojure.
(map hash [1 -1 0 "a" "" :a :a/b 'a nil true false 1.5 [1 2] '(1 2) [] {} #{1} 100000000000000000000])
;=> (1392991556 1651860712 0 1455541201 0 -2123407586 1482224565 -482876059 0 1231 1237 1073217536 156247261 156247261 -2017569654 -15128758 1038464948 1882487352)
[(= (hash [1 2]) (hash '(1 2))) (= (hash {:a 1 :b 2}) (hash {:b 2 :a 1})) (= (hash 1) (hash 1.0)) (= (hash {"a" 1}) (hash {:a 1}))]
;=> [true true true true]
[(hash {:a 1}) (.hashCode "abc") (.hashCode 5)]
;=> [1772842048 96354 5]
(hash inc)
;! wrong-type `hash` expects a value that is the same in every run, found the function #function[inc]

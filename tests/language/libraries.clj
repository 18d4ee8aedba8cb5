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

;; Identifiers of 128 bits.
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

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

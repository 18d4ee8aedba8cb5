(use 'clojure.set) (union #{1} #{2})

(use 'clojure.string) (reverse "abc")

(use '[clojure.string :only (join)]) (join "," [1 2])

(use '[clojure.string :only [join]]) (reverse "abc")

(use '[clojure.string :exclude [reverse]]) [(reverse "abc") (upper-case "a")]

(use '[clojure.string :rename {reverse rev}]) [(reverse "abc") (rev "abc")]

(use '[clojure.string :only [join] :rename {join j}]) (j "," [1 2])

(use '[clojure.string :only [join] :rename {join j}]) (join "," [1 2])

(ns app.n1 (:use [clojure.string :only (join)])) (join "," [1 2])

(ns app.n2 (:use clojure.set)) (union #{1} #{2})

(ns app.n3 (:use [clojure.set])) (union #{1} #{2})

(ns app.n4 (:require [clojure.string :refer :all])) (join "," [1 2])

(ns app.n5 (:require [clojure.string :refer :all :exclude [join]])) (join "," [1 2])

(ns app.n6 (:require [clojure.string :as s :refer [join] :rename {join j}])) [(j "," [1 2]) (s/trim " a ")]

(require '(clojure [string :as s] set)) [(s/trim " a ") (clojure.set/union #{1} #{2})]

(require '[clojure [string :as s] [set :as t]]) [(s/trim " a ") (t/union #{1} #{2})]

(ns app.n7 (:require (clojure [string :as s] set))) (s/trim " a ")

;; divergence: D7
;; ours: [#{1 2} "a"]
(ns app.n8 (:use (clojure set string))) [(union #{1} #{2}) (trim " a ")]

(require 'clojure.string 'clojure.set) (clojure.set/union #{1} #{2})

(require ['clojure.string :as 's]) (s/trim " a ")

(require (quote [clojure.string :as s])) (s/trim " a ")

(require '[clojure.string :as s] :reload) (s/trim " a ")

(require 'clojure.java.io) 1

(require '[clojure.java.io :as io]) 1

;; divergence: D7
;; ours-error: any
(require '[no.such.library :as x]) (x/y 1)

(refer 'clojure.string :only '[join]) (join "," [1 2])

(alias 's 'clojure.string) (s/trim " a ")

;; divergence: D7
;; ours: 1
(use 'clojure.set) (defn union [a] a) (union 1)

(use 'clojure.set) (let [union inc] (union 1))

(def x 5) user/x

(defn f [x] x) (user/f 1)

(ns app.n11) (defn f [x] x) (app.n11/f 1)

(let [x 1] user/x)

(ns app.n12 (:refer-clojure :exclude [get])) (defn get [x] x) (get 1)

(do (require '[clojure.string :as s]) (s/trim " a "))

;; divergence: D7
;; ours: 1
(require '[clojure.string :refer [nosuch]]) 1

;; divergence: D7
;; ours: 1
(use '[clojure.string :only [nosuch]]) 1

(ns app.n13 (:import java.util.Date)) 1

(use 5)

;; divergence: D7
;; ours: nil
(require 'no.such.library)

;; divergence: D7
;; ours: 1
(require '[no.such.library :as x]) 1

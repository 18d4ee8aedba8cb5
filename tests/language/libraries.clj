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
;! not-available `csv/read-csv` belongs to `clojure.data.csv`, which the language does not have
(require '[clojure.data.csv :as csv]) (csv/read-csv "a") (csv/write-csv 1)
;! not-available `csv/read-csv` belongs to `clojure.data.csv`, which the language does not have
;! not-available `csv/write-csv` belongs to `clojure.data.csv`, which the language does not have
(require '[clojure.data.csv :refer [read-csv]]) (read-csv "a")
;! not-available `read-csv` belongs to `clojure.data.csv`, which the language does not have
(require '[clojure.data.csv :refer [read-csv]]) (defn read-csv [x] [x]) (read-csv "a")
;=> ["a"]
(ns my.app (:require [clojure.java.io :as io] [clojure.test :refer :all])) 1
;=> 1
(require '[clojure.java.io :as str]) (str/join "," [1])
;! not-available `str/join` belongs to `clojure.java.io`, which the language does not have
(require '[clojure.string :refer [nosuch]]) (nosuch 1)
;! unknown-name `nosuch` is not defined
(require "clojure.string")
;! bad-form this is not a library name
(require 5)
;! bad-form this is not a library name
(use 'clojure.string) [(reverse "ab") (with-out-str (doc reverse))]
;=> ["ba" "str/reverse\n(str/reverse text)\n  The characters in reverse order.\n  (str/reverse \"ab\") => \"ba\"\n"]
(require '[clojure.string :as str]) (str/nosuch "a")
;! unknown-name `str/nosuch` is not defined

;; looking things up
(with-out-str (doc map))
;=> "map\n(map f coll & colls)\n  The results of f for every item.\n  (map inc [1 2]) => (2 3)\n"
(with-out-str (doc str/join))
;=> "str/join\n(str/join coll)\n(str/join separator coll)\n  The texts of the items, joined with a separator.\n  (str/join \", \" [1 2]) => \"1, 2\"\n"
(require '[clojure.string :as s] '[clojure.repl :refer [doc]]) (= (with-out-str (doc s/join)) (with-out-str (doc clojure.string/join)))
;=> true
(with-out-str (doc if))
;=> "if\n(if test then else?)\n  then if the test is true, otherwise else, or nil.\n"
(with-out-str (doc agent))
;=> "agent\n  Not part of the language: there are no threads; `pmap`, `pcalls` and `pvalues` call tools concurrently.\n"
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
;=> "apropos\n(apropos text-or-regex)\n  The names of functions and forms that contain a text or match a regex, as symbols.\n  (apropos \"swap-v\") => (swap-vals!)\nswap-vals!\n(swap-vals! atom f & args)\n  Sets an atom to f of its value; returns the old and the new value.\n  (swap-vals! (atom 1) inc) => [1 2]\n"
(= (with-out-str (find-doc #"swap-val")) (with-out-str (find-doc "swap-val")))
;=> true
[(clojure.core/when-let [x 1] (clojure.core/if x 2 3)) (clojure.core/inc 1)]
;=> [2 2]
(defn when [x] [x]) [(when 1) (clojure.core/when true 2)]
;=> [[1] 2]
[(reverse [1 2]) (do (require '[clojure.string :refer [reverse]]) (reverse "ab"))]
;=> [(2 1) "ba"]

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

;; Hashes are those of Clojure, but for keywords: they have those of the strings that they equal (D5).
(map hash [1 -1 0 "a" "" :a :a/b 'a nil true false 1.5 [1 2] '(1 2) [] {} #{1} 100000000000000000000])
;=> (1392991556 1651860712 0 1455541201 0 1455541201 1139302450 -482876059 0 1231 1237 1073217536 156247261 156247261 -2017569654 -15128758 1038464948 1882487352)
[(= (hash [1 2]) (hash '(1 2))) (= (hash {:a 1 :b 2}) (hash {:b 2 :a 1})) (= (hash 1) (hash 1.0)) (= (hash {"a" 1}) (hash {:a 1}))]
;=> [true true true true]
[(hash {:a 1}) (.hashCode "abc") (.hashCode 5)]
;=> [-206765979 96354 5]
(hash inc)
;! wrong-type `hash` expects a value that is the same in every run, found the function #function[inc]

;; Times of day.
(map str [(LocalTime/of 10 30) (LocalTime/of 10 30 5 1000) (LocalTime/parse "10:30:05.5") LocalTime/MIDNIGHT LocalTime/NOON LocalTime/MAX (LocalTime/ofSecondOfDay 3661) (LocalTime/parse "10.30" (DateTimeFormatter/ofPattern "HH.mm"))])
;=> ("10:30" "10:30:05.000001" "10:30:05.500" "00:00" "12:00" "23:59:59.999999999" "01:01:01" "10:30")
(map str [(.plusMinutes (LocalTime/parse "23:50") 20) (.minusHours (LocalTime/parse "01:00") 2) (.withHour (LocalTime/of 9 5) 3) (.atDate (LocalTime/of 1 0) (LocalDate/of 2024 1 5)) (.truncatedTo (LocalTime/of 1 2 3) ChronoUnit/HOURS) (.plus (LocalTime/of 1 0) (Duration/ofMinutes 90))])
;=> ("00:10" "23:00" "03:05" "2024-01-05T01:00" "01:00" "02:30")
[(.getHour (LocalTime/of 10 30)) (.isBefore (LocalTime/of 9 0) (LocalTime/of 17 0)) (compare (LocalTime/of 9 0) (LocalTime/of 17 0)) (.between ChronoUnit/MINUTES (LocalTime/of 9 0) (LocalTime/of 17 30)) (.toSecondOfDay (LocalTime/of 1 0)) (.format (LocalTime/of 9 5) (DateTimeFormatter/ofPattern "h:mm a"))]
;=> [10 true -1 510 3600 "9:05 AM"]
(map str [(Duration/between (LocalTime/of 9 0) (LocalTime/of 17 30)) (.atTime (LocalDate/of 2024 1 5) (LocalTime/of 10 30)) (.toLocalTime (LocalDateTime/of 2024 1 5 10 30)) (LocalDateTime/of (LocalDate/of 2024 1 5) (LocalTime/of 10 30)) (LocalTime/from (LocalDateTime/of 2024 1 5 10 30))])
;=> ("PT8H30M" "2024-01-05T10:30" "10:30" "2024-01-05T10:30" "10:30")
(LocalTime/parse "25:00")
;! bad-date `LocalTime/parse`: the hour is a number from 0 to 23, found 25
(.plusDays (LocalTime/of 1 0) 1)
;! wrong-type `.plusDays` expects a date or a span, found a time of day 01:00
(.getYear (LocalTime/of 1 0))
;! wrong-type `.getYear` expects a date, found a time of day 01:00
(.between ChronoUnit/DAYS (LocalTime/of 9 0) (LocalTime/of 17 30))
;! bad-date a time of day has no days

;; Months of a year.
(map str [(YearMonth/of 2024 2) (YearMonth/parse "2024-02") (YearMonth/from (LocalDate/of 2024 2 5)) (.atDay (YearMonth/of 2024 2) 1) (.atEndOfMonth (YearMonth/of 2024 2)) (.plusMonths (YearMonth/of 2024 12) 1) (.minusYears (YearMonth/of 2024 12) 1) (.getMonth (YearMonth/of 2024 2)) (.withMonth (YearMonth/of 2024 2) 5) (YearMonth/parse "02/2024" (DateTimeFormatter/ofPattern "MM/yyyy"))])
;=> ("2024-02" "2024-02" "2024-02" "2024-02-01" "2024-02-29" "2025-01" "2023-12" "FEBRUARY" "2024-05" "2024-02")
[(.lengthOfMonth (YearMonth/of 2024 2)) (.lengthOfYear (YearMonth/of 2024 2)) (.isLeapYear (YearMonth/of 2023 2)) (.getYear (YearMonth/of 2024 2)) (.isAfter (YearMonth/of 2024 2) (YearMonth/of 2024 1)) (compare (YearMonth/of 2024 2) (YearMonth/of 2024 9)) (compare (YearMonth/of 2024 2) (YearMonth/of 2023 9)) (.between ChronoUnit/MONTHS (YearMonth/of 2024 2) (YearMonth/of 2025 1)) (.format (YearMonth/of 2024 2) (DateTimeFormatter/ofPattern "MMM yyyy"))]
;=> [29 366 false 2024 true -7 1 11 "Feb 2024"]
(YearMonth/of 2024 13)
;! bad-date a month is a number from 1 to 12, found 13
(.getDayOfMonth (YearMonth/of 2024 2))
;! wrong-type `.getDayOfMonth` expects a date, found a month of a year 2024-02
(frequencies (map #(str (YearMonth/from (LocalDate/parse %))) ["2024-01-05" "2024-01-09" "2024-02-01"]))
;=> {"2024-01" 2, "2024-02" 1}

;; Dates with time in a zone: UTC and fixed offsets.
(map str [(OffsetDateTime/parse "2024-01-15T10:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z") (.toInstant (OffsetDateTime/parse "2024-01-15T10:30:00+02:00")) (.toLocalDate (OffsetDateTime/parse "2024-01-15T23:30:00-05:00")) (.getOffset (OffsetDateTime/parse "2024-01-15T23:30:00-05:00")) (.plusDays (OffsetDateTime/parse "2024-01-15T10:30:00+02:00") 20) (.withOffsetSameInstant (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") ZoneOffset/UTC) (.atZoneSameInstant (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (ZoneId/of "UTC"))])
;=> ("2024-01-15T10:30+02:00" "2024-01-15T10:30Z" "2024-01-15T08:30:00Z" "2024-01-15" "-05:00" "2024-02-04T10:30+02:00" "2024-01-15T10:30Z" "2024-01-15T10:30Z[UTC]")
[(.toEpochSecond (OffsetDateTime/parse "2024-01-15T10:30:00+02:00")) (.isBefore (OffsetDateTime/parse "2024-01-15T10:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z")) (= (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z")) (.isEqual (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z")) (compare (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T10:30:00Z")) (.between ChronoUnit/DAYS (OffsetDateTime/parse "2024-01-15T23:30:00-02:00") (OffsetDateTime/parse "2024-01-17T01:30:00Z"))]
;=> [1705307400 true false true 1 1]
(map #(.format (OffsetDateTime/parse %) (DateTimeFormatter/ofPattern "X XX XXX x xx xxx Z ZZZ ZZZZZ")) ["2024-01-15T12:30:00+02:00" "2024-01-15T12:30:00Z"])
;=> ("+02 +0200 +02:00 +02 +0200 +02:00 +0200 +0200 +02:00" "Z Z Z +00 +0000 +00:00 +0000 +0000 Z")
(map str [(OffsetDateTime/of (LocalDateTime/of 2024 1 5 10 30) (ZoneOffset/ofHours 2)) (OffsetDateTime/ofInstant Instant/EPOCH ZoneOffset/UTC) (Duration/between (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") (OffsetDateTime/parse "2024-01-15T18:30:00Z")) (OffsetDateTime/parse "2024-01-15 12:30 +02:00" (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm XXX")) (.truncatedTo (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") ChronoUnit/DAYS) (.withHour (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") 3)])
;=> ("2024-01-05T10:30+02:00" "1970-01-01T00:00Z" "PT8H" "2024-01-15T12:30+02:00" "2024-01-15T00:00+02:00" "2024-01-15T03:30+02:00")
(map str [(ZonedDateTime/parse "2024-01-15T10:30:00Z") (ZonedDateTime/parse "2024-01-15T10:30:00Z[UTC]") (ZonedDateTime/parse "2024-01-15T10:30:00+02:00") (ZonedDateTime/of 2024 1 5 10 30 0 0 ZoneOffset/UTC) (.atZone (Instant/parse "2024-01-15T10:30:00Z") (ZoneId/of "UTC")) (.atZone (LocalDateTime/of 2024 1 5 10 30) (ZoneId/of "UTC")) (.atOffset (Instant/parse "2024-01-15T23:30:00Z") (ZoneOffset/of "+02:00")) (.toOffsetDateTime (.atZone Instant/EPOCH (ZoneId/of "UTC"))) (.withZoneSameInstant (.atZone Instant/EPOCH (ZoneId/of "UTC")) (ZoneId/of "+02:00")) (.atStartOfDay (LocalDate/of 2024 1 5) (ZoneId/of "UTC"))])
;=> ("2024-01-15T10:30Z" "2024-01-15T10:30Z[UTC]" "2024-01-15T10:30+02:00" "2024-01-05T10:30Z" "2024-01-15T10:30Z[UTC]" "2024-01-05T10:30Z[UTC]" "2024-01-16T01:30+02:00" "1970-01-01T00:00Z" "1970-01-01T02:00+02:00" "2024-01-05T00:00Z[UTC]")
(map str [(ZoneOffset/of "Z") (ZoneOffset/of "+2") (ZoneOffset/of "+0230") (ZoneOffset/ofHoursMinutes 5 30) (ZoneId/of "+02:00") (ZoneId/of "GMT") (ZoneId/of "UTC+2") (ZoneId/of "Etc/UTC")])
;=> ("Z" "+02:00" "+02:30" "+05:30" "+02:00" "GMT" "UTC+02:00" "Etc/UTC")
[(= (ZoneId/of "Z") ZoneOffset/UTC) (= (ZoneId/of "UTC") ZoneOffset/UTC) (.getTotalSeconds (ZoneOffset/ofHours 2)) (.getId (ZoneId/of "UTC")) (class ZoneOffset/UTC) (class (ZoneId/of "UTC"))]
;=> [true false 7200 "UTC" java.time.ZoneOffset java.time.ZoneId]
(ZoneId/of "Europe/Berlin")
;! bad-date the time zone "Europe/Berlin" is unknown: there are UTC and fixed offsets only
(ZoneOffset/of "x")
;! bad-date `ZoneOffset/of` cannot read "x" as an offset
(ZoneOffset/ofHours 19)
;! bad-date an offset of 19 hours is out of range
(map str [(LocalDateTime/parse "2024-01-15T10:30:00Z" DateTimeFormatter/ISO_DATE_TIME) (LocalDateTime/parse "2024-01-15T10:30:00+02:00" DateTimeFormatter/ISO_OFFSET_DATE_TIME) (LocalDate/ofInstant Instant/EPOCH (ZoneOffset/ofHours -1)) (.toInstant (LocalDateTime/of 1970 1 1 0 0) (ZoneOffset/ofHours 2)) (Instant/from (OffsetDateTime/parse "2024-01-15T12:30:00+02:00"))])
;=> ("2024-01-15T10:30" "2024-01-15T10:30" "1969-12-31" "1969-12-31T22:00:00Z" "2024-01-15T10:30:00Z")
[(.format DateTimeFormatter/ISO_INSTANT Instant/EPOCH) (.format (.atZone Instant/EPOCH (ZoneId/of "UTC")) (DateTimeFormatter/ofPattern "yyyy-MM-dd HH:mm VV z")) (.format (.atZone Instant/EPOCH (ZoneId/of "UTC")) DateTimeFormatter/ISO_ZONED_DATE_TIME) (.format (LocalDateTime/of 2024 1 5 10 30 0 5000000) DateTimeFormatter/ISO_LOCAL_DATE_TIME) (.format (LocalTime/of 9 5) DateTimeFormatter/ISO_LOCAL_TIME)]
;=> ["1970-01-01T00:00:00Z" "1970-01-01 00:00 UTC UTC" "1970-01-01T00:00:00Z[UTC]" "2024-01-05T10:30:00.005" "09:05:00"]
(return {:at (OffsetDateTime/parse "2024-01-15T12:30:00+02:00") :time (LocalTime/of 10 30) :month (YearMonth/of 2024 2)})
;return {:at #object[java.time.OffsetDateTime "2024-01-15T12:30+02:00"], :time #object[java.time.LocalTime "10:30"], :month #object[java.time.YearMonth "2024-02"]}
(.toInstant (LocalDateTime/of 2024 1 5 10 30))
;! wrong-type `.toInstant` expects a date with time and zone, found a date with time 2024-01-05T10:30
(.toLocalDate Instant/EPOCH)
;! wrong-type `.toLocalDate` expects a date with time, found an instant 1970-01-01T00:00:00Z
(DateTimeFormatter/ofPattern "HH#")
;! bad-format the date format "HH#" has a reserved sign: {, } or #

;; Messages of exceptions about dates.
(map (fn [f] (try (f) (catch DateTimeException e [(.getSimpleName (class e)) (ex-message e)]))) [#(LocalDate/parse "2024-02-30") #(LocalDate/parse "2024-13-01") #(LocalDate/parse "x") #(LocalDate/parse "2024-01") #(LocalDate/parse "2024-01-15T10:30") #(LocalDate/of 2024 2 30) #(LocalDate/of 2023 2 29) #(LocalDateTime/parse "2024-01-01") #(LocalDateTime/parse "2024-01-01T25:00") #(Instant/parse "x") #(Duration/parse "x") #(Period/parse "x") #(LocalTime/of 25 0) #(YearMonth/parse "2024-2") #(OffsetDateTime/parse "2024-01-15T10:30:00") #(ZoneId/of "nowhere")])
;=> (["DateTimeParseException" "Text '2024-02-30' could not be parsed: Invalid date 'FEBRUARY 30'"] ["DateTimeParseException" "Text '2024-13-01' could not be parsed: Invalid value for MonthOfYear (valid values 1 - 12): 13"] ["DateTimeParseException" "Text 'x' could not be parsed at index 0"] ["DateTimeParseException" "Text '2024-01' could not be parsed at index 7"] ["DateTimeParseException" "Text '2024-01-15T10:30' could not be parsed, unparsed text found at index 10"] ["DateTimeException" "Invalid date 'FEBRUARY 30'"] ["DateTimeException" "Invalid date 'February 29' as '2023' is not a leap year"] ["DateTimeParseException" "Text '2024-01-01' could not be parsed at index 10"] ["DateTimeParseException" "Text '2024-01-01T25:00' could not be parsed: Invalid value for HourOfDay (valid values 0 - 23): 25"] ["DateTimeParseException" "Text 'x' could not be parsed at index 0"] ["DateTimeParseException" "Text cannot be parsed to a Duration"] ["DateTimeParseException" "Text cannot be parsed to a Period"] ["DateTimeException" "Invalid value for HourOfDay (valid values 0 - 23): 25"] ["DateTimeParseException" "Text '2024-2' could not be parsed at index 5"] ["DateTimeParseException" "Text '2024-01-15T10:30:00' could not be parsed at index 19"] ["ZoneRulesException" "Unknown time-zone ID: nowhere"])

;; What names no library.
(alias 1)
;! bad-form `alias` takes a name and a library

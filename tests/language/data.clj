;; Rounding: a half goes away from zero, in the decimals that print. Not in Clojure.
[(round 2.5) (round -2.5) (round 0.5) (round -0.4) (round 7) (round 1e20) (round 0.49999999999999994)]
;=> [3 -3 1 0 7 100000000000000000000N 0]
;clj N3 error
[(round 1.005 2) (round 2.675 2) (round -2.675 2) (round 1.115 2) (round 0.285 2) (round 8.345 2)]
;=> [1.01 2.68 -2.68 1.12 0.29 8.35]
;clj N3 error
[(round 2.5 0) (round 2.567 1) (round 5 2) (round 1234.5 -2) (round 1250 -2) (round -1250 -2) (round 49 -2) (round 50 -2)]
;=> [3.0 2.6 5 1200.0 1300 -1300 0 100]
;clj N3 error
[(round -0.001 2) (round 1e-300 2) (round 1e300 2) (round 123456789012345678901234567890 -10) (round 12345678901234567890N 3)]
;=> [0.0 0.0 1.0E300 123456789012345678900000000000N 12345678901234567890N]
;clj N3 error
[(round 0.1 20) (round 1e22 -21) (round 5e-324 100) (round ##Inf 2) (round ##NaN 2)]
;=> [0.1 1.0E22 0.0 ##Inf ##NaN]
;clj N3 error
(= (round 2.0 1) 2)
;=> true
;clj N3 error
(map #(round % 2) [19.999 0.005 1.0 -0.005])
;=> (20.0 0.01 1.0 -0.01)
;clj N3 error
(-> 10 (/ 3) (round 3))
;=> 3.333
;clj N3 error
(round ##NaN)
;! number-range `round` cannot convert ##NaN to an integer
(round ##-Inf)
;! number-range `round` cannot convert ##-Inf to an integer
(round nil 2)
;! wrong-type `round` expects numbers, its first argument is nil
(round "2.5")
;! wrong-type `round` expects numbers, its first argument is a string "2.5"
(round 2 2.675)
;! wrong-type `round` expects a number of decimals from -100 to 100, found a float 2.675
(round 2.675 101)
;! wrong-type `round` expects a number of decimals from -100 to 100, found an integer 101
(round 2 2370)
;! wrong-type `round` expects a number of decimals from -100 to 100, found an integer 2370
(require '[clojure.math :refer [round]]) [(round 2.5) (round -2.5)]
;=> [3 -2]

;; Sums are exact, and do not depend on the order of floats.
[(sum []) (sum nil) (sum [1 2 3]) (sum [1 2.5]) (sum #{1 2}) (sum (range 101)) (sum (take 5 (iterate inc 1)))]
;=> [0 0 6 3.5 3 5050 15]
[(sum [0.1 0.2]) (reduce + [0.1 0.2]) (sum (repeat 10 0.1)) (sum [1e16 1.0 -1e16]) (sum [0.1 -0.1])]
;=> [0.3 0.30000000000000004 1.0 1.0 0.0]
[(sum [9223372036854775807 1]) (sum [9223372036854775808N -1]) (sum [100000000000000000000N 0.5]) (sum [1e308 1e308]) (sum [5e-324 5e-324])]
;=> [9223372036854775808N 9223372036854775807 1.0E20 ##Inf 1.0E-323]
[(sum [1 nil 2]) (sum [nil]) (sum [##Inf 1]) (sum [##Inf ##-Inf]) (sum [1 ##NaN])]
;=> [3 0 ##Inf ##NaN ##NaN]
[(sum [19.99 5.01 0.1]) (sum-by :n [{:n 0.1} {:n 0.2} {}]) (avg-by :n [{:n 0.1} {:n 0.2} {:n nil}])]
;=> [25.1 0.3 0.15]
(sum ["1" 2])
;! wrong-type `sum` expects numbers, the item at position 0 is a string "1"
(sum [1 {:n 2}])
;! wrong-type `sum` expects numbers, the item at position 1 is a map {:n 2}
(sum {:a 1})
;! wrong-type `sum` expects numbers, the item at position 0 is a vector [:a 1]
(sum "12")
;! wrong-type `sum` expects numbers, the item at position 0 is a string "1"
(sum 5)
;! wrong-type expected a collection, found an integer 5
(sum 1 2)
;! wrong-arity `sum` takes 1 argument, not 2
(sum-by :n [{:n 1} {:n "2"}])
;! wrong-type `sum-by` expects numbers, found a string "2"

;; Statistics.
[(mean [1 2]) (mean [1 3]) (mean [0.1 0.2 0.3]) (mean [1 nil 2]) (mean []) (mean nil) (mean [nil]) (mean [0.1]) (mean [-1 -1 -2])]
;=> [1.5 2 0.2 1.5 nil nil nil 0.1 -1.3333333333333333]
;clj N3 error
[(mean [9223372036854775807 9223372036854775807]) (mean [1e308 1e308]) (mean [##Inf 1.0]) (mean [2.5])]
;=> [9223372036854775807 1.0E308 ##Inf 2.5]
;clj N3 error
[(median [5 1 2]) (median [1 2]) (median [1 3]) (median [0.1 0.2]) (median []) (median [3 nil 1 2]) (median [7]) (median [1 2.5 3])]
;=> [2 1.5 2 0.15 nil 2 7 2.5]
;clj N3 error
[(median [##NaN 1]) (median [##-Inf 1]) (median [1 ##Inf]) (median [1 2 ##Inf])]
;=> [##NaN ##-Inf ##Inf 2]
;clj N3 error
[(percentile 0 [3 1 2]) (percentile 100 [3 1 2]) (percentile 50 [3 1 2]) (percentile 95 (range 1 11)) (percentile 90 [1 2 3 4 5]) (percentile 25 [1 2 3 4])]
;=> [1 3 2 9.55 4.6 1.75]
;clj N3 error
[(percentile 99.9 (range 1001)) (percentile 95.5 [1.5 2.5]) (percentile 10 [0.1 0.2]) (percentile 95 []) (percentile 95 nil) (percentile 5 [9])]
;=> [999 2.455 0.11 nil nil 9]
;clj N3 error
[(stdev [2 4 4 4 5 5 7 9]) (stdev [1.1 1.1 1.1]) (stdev [1]) (stdev []) (stdev [1 nil 3]) (stdev [1 ##Inf])]
;=> [2.138089935299395 0.0 nil nil 1.4142135623730951 ##NaN]
;clj N3 error
(percentile [1 2] 95)
;! wrong-type `percentile` takes its collection last, found an integer 95 there
(percentile 101 [1 2])
;! wrong-type `percentile` expects a number from 0 to 100, found an integer 101
(percentile -1 [])
;! wrong-type `percentile` expects a number from 0 to 100, found an integer -1
(percentile "95" [1])
;! wrong-type `percentile` expects a number from 0 to 100, found a string "95"
(mean ["1"])
;! wrong-type `mean` expects numbers, the item at position 0 is a string "1"
(mean [1 :a])
;! wrong-type `mean` expects numbers, the item at position 1 is a keyword :a
(median [1 "2"])
;! wrong-type `median` expects numbers, the item at position 1 is a string "2"
(stdev [1 [2]])
;! wrong-type `stdev` expects numbers, the item at position 1 is a vector [2]

;; Rows.
(find-first even? [1 2 4])
;=> 2
;clj N3 error
[(find-first even? [1 3]) (find-first even? []) (find-first even? nil) (find-first false? [true false]) (find-first :a [{} {:a 1}]) (find-first #{3} #{1 2 3})]
;=> [nil nil nil false {:a 1} 3]
;clj N3 error
(find-first #(> % 100) (iterate inc 1))
;=> 101
;clj N3 error
(find-first #(> (val %) 1) {:a 1 :b 2})
;=> [:b 2]
;clj N3 error
(let [seen (atom 0)] [(find-first #(do (swap! seen inc) (> % 2)) [1 2 3 4 5]) @seen])
;=> [3 3]
;clj N3 error
(find-first even? 5)
;! wrong-type expected a collection, found an integer 5
(where {:state "open"} [{:id 1 :state "open"} {:id 2 :state "shut"} {:id 3}])
;=> ({:id 1, :state "open"})
;clj N3 error
[(where {:state :open :n 1} [{:state "open" :n 1.0} {:state "open" :n 2}]) (where {:due nil} [{:id 1} {:id 2 :due 3}]) (where {} [{:a 1}]) (where {:a 1} nil) (where {:a 1} [nil 5 "a" {:a 1}])]
;=> [({:state "open", :n 1.0}) ({:id 1}) ({:a 1}) () ({:a 1})]
;clj N3 error
(->> [{:s "a" :n 1} {:s "b" :n 2} {:s "a" :n 3}] (where {:s "a"}) (sum-by :n))
;=> 4
;clj N3 error
(where #(> % 1) [1 2])
;! wrong-type `where` expects a map of fields first, found the function #function[fn]
(where :state [{:state 1}])
;! wrong-type `where` expects a map of fields first, found a keyword :state
(count-by :city [{:city "Ulm"} {:city "Bonn"} {:city "Ulm"} {}])
;=> {"Ulm" 2, "Bonn" 1, nil 1}
;clj N3 error
[(count-by odd? (range 5)) (count-by first ["ab" "ac" "b"]) (count-by identity nil) (count-by identity [:a "a"])]
;=> [{false 3, true 2} {"a" 2, "b" 1} {} {:a 2}]
;clj N3 error
(top-by 2 :n [{:n 1} {:n 3} {:n nil} {:n 3.5}])
;=> ({:n 3.5} {:n 3})
;clj N3 error
[(top-by 0 :n [{:n 1}]) (top-by 9 identity [2 3 1]) (top-by 2 identity nil) (top-by 2 val {:a 1 :b 3 :c 2}) (top-by 1 :d [{:d "2024-01-01"} {:d "2024-02-01"}])]
;=> [() (3 2 1) () ([:b 3] [:c 2]) ({:d "2024-02-01"})]
;clj N3 error
(map :id (top-by 2 :n [{:id 1 :n 5} {:id 2 :n 5} {:id 3 :n 5}]))
;=> (1 2)
;clj N3 error
(map :id (top-by 6 :n (map-indexed (fn [i n] {:id i :n n}) [5 nil 7.5 5 9 1 7.5 2 9 3])))
;=> (4 8 2 6 0 3)
;clj N3 error
(top-by 2 :n [{:n 1} {:n "a"}])
;! wrong-type a string "a" and an integer 1 cannot be compared
(top-by :n 2 [{:n 1}])
;! wrong-type `top-by` expects a number of items first, found a keyword :n
(aggregate-by :k :n sum [{:k 1 :n 2} {:k 2 :n 5} {:k 1 :n 0.5}])
;=> {1 2.5, 2 5}
;clj N3 error
[(aggregate-by :k :n mean [{:k 1 :n 2} {:k 1 :n 4}]) (aggregate-by :k identity count [{:k 1} {:k 2} {:k 1}]) (aggregate-by :k :n #(apply max %) [{:k "a" :n 2} {:k "a" :n 4}]) (aggregate-by :k :n sum nil)]
;=> [{1 3} {1 2, 2 1} {"a" 4} {}]
;clj N3 error
[(filter-vals odd? {:a 1 :b 2}) (filter-vals #(> % 1) (count-by identity "aab")) (filter-vals odd? {}) (filter-vals odd? nil) (filter-vals some? (sorted-map :b 1 :a nil))]
;=> [{:a 1} {"a" 2} {} nil {:b 1}]
;clj N3 error

;; Dates in their usual forms.
(map str (map parse-date ["2024-03-15" "2024/03/15" "2024.3.5" "20240315" "15.03.2024" "5.3.2024" "15 March 2024" "15 Mar 2024" "15-Mar-2024" "March 15, 2024" "Mar 15 2024" "Sept. 5, 2024" "1st May 2024" "May 22nd, 2024" "Friday, March 15, 2024" "2024-Mar-15" " 2024-03-15 "]))
;=> ("2024-03-15" "2024-03-15" "2024-03-05" "2024-03-15" "2024-03-15" "2024-03-05" "2024-03-15" "2024-03-15" "2024-03-15" "2024-03-15" "2024-03-15" "2024-09-05" "2024-05-01" "2024-05-22" "2024-03-15" "2024-03-15" "2024-03-15")
;clj N3 error
(map str (map parse-date ["2024-03-15T10:30" "2024-03-15 10:30:05" "2024-03-15T10:30:05.123456789123" "15.03.2024 10:30" "March 15, 2024 1:05 PM" "Mar 15, 2024, 12:30 am" "15/03/2024 10:30"]))
;=> ("2024-03-15T10:30" "2024-03-15T10:30:05" "2024-03-15T10:30:05.123456789" "2024-03-15T10:30" "2024-03-15T13:05" "2024-03-15T00:30" "2024-03-15T10:30")
;clj N3 error
(map str (map parse-date ["2024-03-15T10:30:00Z" "2024-03-15T10:30:00+02:00" "2024-03-15 10:30:00 -0500" "2024-03-15T10:30+02" "2024-03-15T10:30:00.5z" "Fri, 15 Mar 2024 10:30:00 GMT" "Fri, 15 Mar 2024 10:30:00 +0100" "2024-03-15 10:30 UTC" "2024-03-15 10:30 UTC+01:00"]))
;=> ("2024-03-15T10:30Z" "2024-03-15T10:30+02:00" "2024-03-15T10:30-05:00" "2024-03-15T10:30+02:00" "2024-03-15T10:30:00.500Z" "2024-03-15T10:30Z" "2024-03-15T10:30+01:00" "2024-03-15T10:30Z" "2024-03-15T10:30+01:00")
;clj N3 error
(map class (map parse-date ["2024-03-15" "2024-03-15T10:30" "2024-03-15T10:30Z"]))
;=> (java.time.LocalDate java.time.LocalDateTime java.time.OffsetDateTime)
;clj N3 error
(map str (map parse-date ["13/04/2024" "04/13/2024" "02/02/2024" "25-12-2024"]))
;=> ("2024-04-13" "2024-04-13" "2024-02-02" "2024-12-25")
;clj N3 error
(map parse-date ["" "soon" "2024-02-30" "2024-13-01" "31.04.2024" "13/13/2024" "15.03.24" "2024-03" "10:30" "2024-03-15T25:00" "2024-03-15T10:30 EST" "2024-03-15x" "123456789" "Mai 5, 2024" "15 March" "2024-03-15T" "2024-03-15T10:30:00." "1.2.3" "May" "é" "2024-03-15T13:00 PM"])
;=> (nil nil nil nil nil nil nil nil nil nil nil nil nil nil nil nil nil nil nil nil nil)
;clj N3 error
(map str (map parse-date ["2024-03-15T10:30:00+01:00[Europe/Berlin]" "2024-03-15T10:30Z[UTC]" "2024-03-15[UTC]" "2024-03-15T10:30[UTC]"]))
;=> ("2024-03-15T10:30+01:00" "2024-03-15T10:30Z" "" "")
;clj N3 error
(map parse-date [nil :a [] true])
;=> (nil nil nil nil)
;clj N3 error
(parse-date "03/04/2024")
;! bad-date `parse-date` cannot tell the day from the month in a string "03/04/2024"
(parse-date "3-4-2024 10:30")
;! bad-date `parse-date` cannot tell the day from the month in a string "3-4-2024 10:30"
(parse-date 1710000000)
;! wrong-type `parse-date` expects a date, its first argument is an integer 1710000000
(map str (map #(parse-date % "dd/MM/yyyy") ["03/04/2024" "31/12/2023"]))
;=> ("2024-04-03" "2023-12-31")
;clj N3 error
(map #(parse-date % "dd/MM/yyyy") ["2024-04-03" "31/02/2024" "" nil])
;=> (nil nil nil nil)
;clj N3 error
(map str [(parse-date "04/03/24 10:30" "MM/dd/yy HH:mm") (parse-date "2024-03-15 10:30 +02:00" "yyyy-MM-dd HH:mm XXX") (parse-date "3/4/2024" "M/d/yyyy")])
;=> ("2024-04-03T10:30" "2024-03-15T10:30+02:00" "2024-03-04")
;clj N3 error
(parse-date "03/04/2024" "%d/%m/%Y")
;! bad-format the letters of the pattern "%d/%m/%Y" are those of another language
(parse-date "03/04/2024" "dd/QQQQQ")
;=> nil
;clj N3 error
(parse-date "03/04/2024" :dd)
;! wrong-type `parse-date` expects a pattern such as "dd/MM/yyyy", found a keyword :dd
(= (parse-date "2024-03-15") (parse-date "15.03.2024") (parse-date (parse-date "2024-03-15")) (LocalDate/parse "2024-03-15"))
;=> true
;clj N3 error

;; Dates subtract, compare and shift.
[(time-between "2024-01-30" "2024-03-01" :days) (time-between "2024-03-01" "2024-01-30" :days) (time-between "2024-01-31" "2024-02-29" :months) (time-between "2020-02-29" "2024-02-28" :years) (time-between "2024-01-01" "2024-01-15" :weeks) (time-between "2024-01-01" "2024-01-02" :hours)]
;=> [31 -31 0 3 2 24]
;clj N3 error
[(time-between "2024-01-05T10:00" "2024-01-05T11:30" :minutes) (time-between "2024-01-05T10:00" "2024-01-05T11:59" :hours) (time-between "2024-01-05T10:00" "2024-01-05T09:00:00.5" :seconds) (time-between "2024-01-05T10:00" "2024-01-05T10:00:01.5" :millis)]
;=> [90 1 -3599 1500]
;clj N3 error
[(time-between "2024-01-05T10:00:00Z" "2024-01-05T12:00:00+02:00" :minutes) (time-between "2024-01-05" "2024-01-07T12:00:00Z" :days) (time-between "2024-01-31T10:00Z" "2024-02-29T12:00+02:00" :months) (time-between "2024-01-05" "2024-01-07T12:00" :hours)]
;=> [0 2 0 60]
;clj N3 error
[(time-between (Instant/ofEpochSecond 0) "1970-01-02T00:00Z" :hours) (time-between (parse-date "2024-01-01") (LocalDate/of 2025 1 1) :year) (time-between "2024-01-01" "2024-01-03" "days") (time-between "2024-01-01" "2024-01-03" ChronoUnit/DAYS)]
;=> [24 1 2 2]
;clj N3 error
(time-between "2024-01-05T10:00" "2024-01-05T10:00Z" :hours)
;! wrong-type `time-between` cannot relate 2024-01-05T10:00 and 2024-01-05T10:00Z: only one of them has an offset from UTC
(time-between nil "2024-01-05" :days)
;! wrong-type `time-between` expects a date, its first argument is nil
(time-between "2024-01-05" "soon" :days)
;! bad-date `time-between` cannot read its second argument, a string "soon", as a date
(time-between "2024-01-05" "03/04/2024" :days)
;! bad-date `time-between` cannot tell the day from the month in a string "03/04/2024"
(time-between "2024-01-05" 1710000000 :days)
;! wrong-type `time-between` expects a date, its second argument is an integer 1710000000
(time-between "2024-01-05" {:d 1} :days)
;! wrong-type `time-between` expects a date, its second argument is a map {:d 1}
(time-between "2024-01-05" "2024-01-06" :fortnights)
;! wrong-type `time-between` expects a unit of time, found a keyword :fortnights
(time-between "2024-01-05" "2024-01-06")
;! wrong-arity `time-between` takes 3 arguments, not 2
[(time-between "09:00" "17:30" :minutes) (time-between "22:15" "06:00" :hours) (time-between (LocalTime/of 9 0) "1:05 PM" :minutes) (time-between "9:00:00" "9:00:01.5" :millis) (time-between "00:00" "23:59" :days)]
;=> [510 -16 245 1500 0]
;clj N3 error
(time-between "09:00" "2024-01-05T10:00" :hours)
;! wrong-type `time-between` cannot relate 09:00 and 2024-01-05T10:00: only one of them has a date
(time-between "25:00" "09:00" :hours)
;! bad-date `time-between` cannot read its first argument, a string "25:00", as a date
(map str [(date-add "2024-01-31" 1 :months) (date-add "2024-01-31" -1 :days) (date-add "2024-02-29" 1 :year) (date-add "2024-01-05T10:00" 90 :minutes) (date-add "2024-01-05T23:00:00+02:00" 2 :hours) (date-add (parse-date "5 Jan 2024") 2 :weeks) (date-add (Instant/ofEpochSecond 0) 1 :months)])
;=> ("2024-02-29" "2024-01-30" "2025-02-28" "2024-01-05T11:30" "2024-01-06T01:00+02:00" "2024-01-19" "1970-02-01T00:00Z")
;clj N3 error
(map str [(date-add "23:30" 45 :minutes) (date-add (LocalTime/of 9 0) -2 :hours)])
;=> ("00:15" "07:00")
;clj N3 error
(date-add "09:00" 1 :days)
;! bad-date a time of day has no days
(date-add "2024-01-05" 1 :hours)
;! bad-date a date has no hours
(date-add "2024-01-05" 1.5 :days)
;! wrong-type `date-add` expects a whole number of units, found a float 1.5
(date-add "9999-12-31" 1 :days)
;! bad-date the date or duration is out of range
(let [a (parse-date "2024-01-05") b (parse-date "2024-03-01")] [(< a b) (<= a a) (> a b) (>= b a) (< a b a) (str (max a b)) (str (min b a)) (compare a b) (str (apply max [a b]))])
;=> [true true false true false "2024-03-01" "2024-01-05" -2 "2024-03-01"]
;clj N3 error
[(< (parse-date "2024-01-05") (parse-date "2024-01-05T00:01")) (< (parse-date "2024-01-05T10:00Z") (parse-date "2024-01-05T10:00+02:00")) (<= (parse-date "2024-01-05T10:00Z") (parse-date "2024-01-05T12:00+02:00") (Instant/parse "2024-01-05T10:00:00Z")) (< (Duration/ofHours 1) (Duration/ofDays 1)) (< (LocalTime/of 9 0) (LocalTime/of 10 0))]
;=> [true false true true true]
;clj N3 error
(map str [(- (parse-date "2024-03-01") (parse-date "2024-01-05")) (- (parse-date "2024-01-05T12:00Z") (parse-date "2024-01-05T10:30Z")) (.toDays (- (parse-date "2024-03-01") (parse-date "2024-01-05")))])
;=> ("PT1344H" "PT1H30M" "56")
;clj N3 error
(map str [(- (parse-date "2024-03-01") (Duration/ofDays 2)) (+ (parse-date "2024-03-01") (Period/ofMonths 1)) (+ (Duration/ofHours 1) (parse-date "2024-03-01T10:00")) (+ (Duration/ofHours 1) (Duration/ofMinutes 5)) (- (Duration/ofHours 1) (Duration/ofMinutes 5)) (reduce + [(Duration/ofHours 1) (Duration/ofHours 2)])])
;=> ("2024-02-28" "2024-04-01" "2024-03-01T11:00" "PT1H5M" "PT55M" "PT3H")
;clj N3 error
(sort-by :due [{:due (parse-date "2024-03-01")} {:due (parse-date "5 Jan 2024")}])
;=> ({:due #object[java.time.LocalDate "2024-01-05"]} {:due #object[java.time.LocalDate "2024-03-01"]})
;clj N3 error
(< (parse-date "2024-01-05") "2024-01-06")
;! wrong-type `<` expects two dates, its second argument is a string "2024-01-06"
(< "2024-01-05" (parse-date "2024-01-06"))
;! wrong-type `<` expects two dates, its first argument is a string "2024-01-05"
(< (parse-date "2024-01-05") (Duration/ofDays 1))
;! wrong-type `<` cannot compare a date with a duration
(< (parse-date "2024-01-05T10:00") (parse-date "2024-01-05T10:00Z"))
;! wrong-type `<` cannot relate 2024-01-05T10:00 and 2024-01-05T10:00Z: only one of them has an offset from UTC
(+ (parse-date "2024-01-05") 1)
;! wrong-type `+` expects numbers, its first argument is a date 2024-01-05
(- (parse-date "2024-01-05") 1)
;! wrong-type `-` expects numbers, its first argument is a date 2024-01-05
(+ (parse-date "2024-01-05") (parse-date "2024-01-06"))
;! wrong-type `+` expects a duration or a period, found a date 2024-01-06
(* (parse-date "2024-01-05") 2)
;! wrong-type `*` expects numbers, its first argument is a date 2024-01-05
(max (parse-date "2024-01-05") 1)
;! wrong-type `max` orders values of one kind, found a text or date and a number
(max 1 (parse-date "2024-01-05"))
;! wrong-type `max` orders values of one kind, found a number and a text or date
(apply max [(parse-date "2024-01-05") 1])
;! wrong-type `max` expects only dates, found an integer 1
(apply max [1 (parse-date "2024-01-05")])
;! wrong-type `max` expects numbers, its one argument is a date 2024-01-05
(< (parse-date "2024-01-05") nil)
;! wrong-type `<` expects numbers, its first argument is a date 2024-01-05
(return {:due (date-add "2024-01-05" 30 :days)})
;return {:due #object[java.time.LocalDate "2024-02-04"]}
;clj N3 error

;; A value or a default.
[(if-error (/ 1 0) :none) (if-error (/ 4 2) :none) (if-error nil :none) (if-error (throw (ex-info "x" {})) nil) (if-error (nth [1] 5) (+ 1 1)) (if-error (assert false) 0)]
;=> [:none 2 nil nil 2 0]
;clj N3 error
(map #(if-error (time-between % "2024-01-05" :days) nil) ["2024-01-01" "soon" nil])
;=> (4 nil nil)
;clj N3 error
(if-error (if-error (/ 1 0) (/ 2 0)) 3)
;=> 3
;clj N3 error
(let [x 1] (if-error (do (println "before") (/ x 0)) (println "default")))
;print before
;print default
;=> nil
;clj N3 error
(if-error (return 5) 1)
;return 5
;clj N3 error
(if-error (fail {:reason :no :message "stop"}) 1)
;fail {:reason :no, :message "stop"}
;clj N3 error
(if-error (range 1e12) 1)
;! fuel-limit the program used up its fuel of 30000000 units of work
(if-error 1)
;! bad-form `if-error` takes a value and a default
(if-error 1 2 3)
;! bad-form `if-error` takes a value and a default
(-> 0 (->> (/ 1)) (if-error :none))
;=> :none
;clj N3 error

;; Names of these functions can be taken by programs.
(let [sum 3 mean 4 round 5 where {:a 1}] [(+ sum mean round) (:a where) (where :a)])
;=> [12 1 1]
(defn sum [xs] (str "own " (count xs))) (sum [1 2])
;=> "own 2"
(sum [1 2 3])
;=> "own 3"
(aggregate-by :k :n sum [{:k 1 :n 2}])
;=> {1 "own 1"}
;clj N3 error
(aggregate-by :k :n mean [{:k 1 :n 2} {:k 1 :n 4}])
;=> {1 3}
;clj N3 error
(defn mean [& xs] :own) (mean 1)
;=> :own
(defn total [sum] (* 2 sum)) (total 4)
;=> 8
(reduce (fn [sum x] (+ sum x)) 0 [1 2])
;=> 3
(loop [sum 0 xs [1 2 3]] (if (seq xs) (recur (+ sum (first xs)) (rest xs)) sum))
;=> 6
(defn round [x places] [x places]) (round 1 2)
;=> [1 2]
(def median 5) median
;=> 5
(let [{:keys [sum mean]} {:sum 1 :mean 2}] [sum mean])
;=> [1 2]

;; Maps in maps.
(deep-merge {:a {:b 1 :c 2} :d 4} {:a {:b 3}} {:a {:e {:f 5}}})
;=> {:a {:b 3, :c 2, :e {:f 5}}, :d 4}
[(deep-merge) (deep-merge nil) (deep-merge nil {:a 1} nil) (deep-merge {:a {:b 1}})]
;=> [nil nil {:a 1} {:a {:b 1}}]

;; Only maps are merged: a vector, nil or a scalar replaces the value that was there, and a map replaces those.
[(deep-merge {:a [1 2]} {:a [3]}) (deep-merge {:a {:b 1}} {:a nil}) (deep-merge {:a 1} {:a {:b 2}})]
;=> [{:a [3]} {:a nil} {:a {:b 2}}]
(deep-merge {"a" {"b" 1}} {:a {:c 2}})
;=> {"a" {"b" 1, :c 2}}
(deep-merge {:a 1} 5)
;! wrong-type `merge-with` expects maps, found an integer 5
(merge-deep {:a 1} {:b 2})
;! unknown-name `merge-deep` is not defined
(defn deep-merge [a b] [a b]) (deep-merge 1 2)
;=> [1 2]

;; Names of other languages.
(avg [1])
;! unknown-name `avg` is not defined
(average [1])
;! unknown-name `average` is not defined
(stddev [1])
;! unknown-name `stddev` is not defined
(round-to 1.5 1)
;! unknown-name `round-to` is not defined
(sum-of [1])
;! unknown-name `sum-of` is not defined
(nlargest 2 [1])
;! unknown-name `nlargest` is not defined
(days-between "2024-01-01" "2024-01-02")
;! unknown-name `days-between` is not defined
(strptime "2024-01-01")
;! unknown-name `strptime` is not defined
(add-days "2024-01-01" 1)
;! unknown-name `add-days` is not defined
(or-else 1 2)
;! unknown-name `or-else` is not defined

;; A comparator is a function, everywhere.
(sort-by :n :desc [{:n 1} {:n 2}])
;! wrong-type sorting expects a function that compares two values, found a keyword :desc
(sort-by :n {} [{:n 1} {:n 2}])
;! wrong-type sorting expects a function that compares two values, found an empty map
(let [order (first [:desc])] (sort-by :n order [{:n 1} {:n 2}]))
;! wrong-type sorting expects a function that compares two values, found a keyword :desc
(sort :desc [1 2])
;! wrong-type sorting expects a function that compares two values, found a keyword :desc
(sorted-map-by :desc 1 2)
;! wrong-type sorting expects a function that compares two values, found a keyword :desc
(sort-by :n > [{:n 1} {:n 2}])
;=> ({:n 2} {:n 1})
(sort-by :n nil [{:n 2} {:n 1}])
;=> ({:n 1} {:n 2})

;; `where` takes sets; predicates are refused.
(where {:city #{"Ulm" "Bonn"}} [{:city "Ulm"} {:city "Kiel"} {:city "Bonn"} {}])
;=> ({:city "Ulm"} {:city "Bonn"})
(where {:tags #{:a}} [{:tags #{:a}} {:tags #{:b}}])
;=> ({:tags #{:a}})
(where {:city #(= % "Ulm")} [{:city "Ulm"}])
;! wrong-type `where` expects values to compare with, found the function #function[fn]
(find-first {:id 1} [{:id 1}])
;! wrong-type `find-first` expects a predicate first, found a map {:id 1}

;; Numbers as text are in no useful order.
(max-by :n [{:n "9"} {:n "10"}])
;! wrong-type `max-by` found numbers as text: as text, "10" is before "9"
(min-by :n [{:n "9"} {:n "10"}])
;! wrong-type `min-by` found numbers as text: as text, "10" is before "9"
(top-by 1 :n [{:n "9"} {:n "10"} {:n "8"}])
;! wrong-type `top-by` found numbers as text: as text, "10" is before "8"
(max-by :year [{:year "2023"} {:year "2024"}])
;=> {:year "2024"}
(top-by 1 :at [{:at "2024-05-01"} {:at "2024-11-02"}])
;=> ({:at "2024-11-02"})

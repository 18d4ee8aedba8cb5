;; Arithmetic.
(+)
;=> 0
(*)
;=> 1
(+ 1)
;=> 1
(+ 1 2)
;=> 3
(+ 1 2.5)
;=> 3.5
(+ 1 2 3 4)
;=> 10
(- 5)
;=> -5
(- 10 1 2)
;=> 7
(- -5)
;=> 5
(* 2 3)
;=> 6
(* 2 0.5)
;=> 1.0
(/ 10 2)
;=> 5
(/ 10 4)
;=> 2.5
;clj D4 5/2
(/ 7 2)
;=> 3.5
;clj D4 7/2
(/ 1 3)
;=> 0.3333333333333333
;clj D4 1/3
(/ 4)
;=> 0.25
;clj D4 1/4
(/ 1)
;=> 1
(/ 6 3 2)
;=> 1
(/ 1 0)
;! divide-by-zero `/` divides by zero
(/ 1.0 0)
;=> ##Inf
(/ 0.0 0)
;=> ##NaN
(do (fn [x] x) ##NaN)
;=> ##NaN
(/ 1 0.0)
;=> ##Inf
(/ -1 0.0)
;=> ##-Inf
(/ 0 5)
;=> 0
(+ 0.1 0.2)
;=> 0.30000000000000004
(inc 1)
;=> 2
(inc 1.5)
;=> 2.5
(dec 0)
;=> -1
(inc nil)
;! wrong-type `inc` expects numbers, its first argument is nil
(inc "1")
;! wrong-type `inc` expects numbers, its first argument is a string "1"
(+ 1 nil)
;! wrong-type `+` expects numbers, its second argument is nil
(+ "a" "b")
;! wrong-type `+` expects numbers, its first argument is a string "a"
(+ 1 "2")
;! wrong-type `+` expects numbers, its second argument is a string "2"
(+ :a 1)
;! wrong-type `+` expects numbers, its first argument is a keyword :a
(- "5")
;! wrong-type `-` expects numbers, its first argument is a string "5"
(* 2 nil)
;! wrong-type `*` expects numbers, its second argument is nil
(+ nil)
;=> nil
(-)
;! wrong-arity `-` takes at least 1 argument, not 0
(/)
;! wrong-arity `/` takes at least 1 argument, not 0

;; Large integers.
(+ 9223372036854775807 1)
;=> 9223372036854775808N
;clj D4 error
(- -9223372036854775808 1)
;=> -9223372036854775809N
;clj D4 error
(* 9223372036854775807 2)
;=> 18446744073709551614N
;clj D4 error
(inc 9223372036854775807)
;=> 9223372036854775808N
;clj D4 error
(dec -9223372036854775808)
;=> -9223372036854775809N
;clj D4 error
(- -9223372036854775808)
;=> 9223372036854775808N
;clj D4 error
(* 99999999999 99999999999)
;=> 9999999999800000000001N
;clj D4 error
(- (+ 9223372036854775807 1) 1)
;=> 9223372036854775807
;clj D4 error
(= (- (+ 9223372036854775807 1) 1) 9223372036854775807)
;=> true
;clj D4 error
(reduce * (range 1 26))
;=> 15511210043330985984000000N
;clj D4 error
(quot 100000000000000000000 3)
;=> 33333333333333333333N
(rem 100000000000000000000 7)
;=> 2
(mod -100000000000000000000 7)
;=> 5
(/ 100000000000000000000 10)
;=> 10000000000000000000N
(/ 100000000000000000000 3)
;=> 3.333333333333333E19
;clj D4 100000000000000000000/3
(+ 100000000000000000000 0.5)
;=> 1.0E20
(< 100000000000000000000 1e30)
;=> true
(= 100000000000000000000 1e20)
;=> true
;clj D4 false
(abs -9223372036854775808)
;=> 9223372036854775808N
;clj D4 -9223372036854775808
(quot -9223372036854775808 -1)
;=> 9223372036854775808N
;clj D4 -9223372036854775808
(/ -9223372036854775808 -1)
;=> 9223372036854775808N
;clj D4 -9223372036854775808
(str 100000000000000000000)
;=> "100000000000000000000"
(int? 100000000000000000000)
;=> false
(integer? 100000000000000000000)
;=> true
(even? 100000000000000000000)
;=> true
(max 100000000000000000000 1)
;=> 100000000000000000000N

;; quot, rem, mod
(quot 7 2)
;=> 3
(quot -7 2)
;=> -3
(quot 7 -2)
;=> -3
(rem 7 2)
;=> 1
(rem -7 2)
;=> -1
(rem 7 -2)
;=> 1
(mod 7 2)
;=> 1
(mod -7 2)
;=> 1
(mod 7 -2)
;=> -1
(mod -10 3)
;=> 2
(mod 10 5)
;=> 0
(mod -10 5)
;=> 0
(mod 5.5 2)
;=> 1.5
(mod -5.5 2)
;=> 0.5
(quot 5.5 2)
;=> 2.0
(rem 5.5 2)
;=> 1.5
(quot 1 0)
;! divide-by-zero `quot` divides by zero
(mod 1 0)
;! divide-by-zero `mod` divides by zero
(rem 1.0 0)
;! divide-by-zero `rem` divides by zero
(mod 1 nil)
;! wrong-type `mod` expects numbers, its second argument is nil

;; Comparing.
(= 1 1)
;=> true
(= 1 1.0)
;=> true
;clj D4 false
(= 1 1 1)
;=> true
(= 1 1 2)
;=> false
(= 1)
;=> true
(=)
;! wrong-arity `=` takes at least 1 argument, not 0
(== 1 1.0)
;=> true
(== 1 "1")
;! wrong-type `==` expects numbers, its one argument is a string "1"
(not= 1 2)
;=> true
(not= 1 1 1)
;=> false
(= "1" 1)
;=> false
(= 0.0 -0.0)
;=> true
(= ##NaN ##NaN)
;=> false
(= :a "b")
;=> false
(= nil false)
;=> false
(= [1 2] '(1 2))
;=> true
(= [1 2] #{1 2})
;=> false
(= {:a 1} {:a 1.0})
;=> true
;clj D4 false
(= {:a 1} {"a" 1})
;=> true
;clj D5 false
(= [] nil)
;=> false
(= [] ())
;=> true
(= {} #{})
;=> false
(= #{1 2} #{2 1})
;=> true
(< 1 2 3)
;=> true
(< 1 3 2)
;=> false
(<= 1 1 2)
;=> true
(> 3 2 1)
;=> true
(>= 2 2 1)
;=> true
(< 1)
;=> true
(< 1 2.5)
;=> true
(< 1 nil)
;! wrong-type `<` expects numbers, its second argument is nil
(< "a" "b")
;! wrong-type `<` expects numbers, its first argument is a string "a"
(> nil 1)
;! wrong-type `>` expects numbers, its first argument is nil
(< ##NaN 1)
;=> false
(max 1 3 2)
;=> 3
(max 1 2.0)
;=> 2.0
(max 2 2.0)
;=> 2.0
(min 3 1 2)
;=> 1
(max 1 nil)
;! wrong-type `max` expects numbers, its one argument is nil
(max)
;! wrong-arity `max` takes at least 1 argument, not 0
(max ##NaN 1)
;=> ##NaN
(compare 1 2)
;=> -1
(compare 2 1)
;=> 1
(compare 1 1.0)
;=> 0
(compare "a" "b")
;=> -1
(compare "a" "c")
;=> -2
(compare :a :b)
;=> -1
(compare nil 1)
;=> -1
(compare 1 nil)
;=> 1
(compare nil nil)
;=> 0
(compare [1 2] [1 3])
;=> -1
(compare [1 2] [1])
;=> 1
(compare true false)
;=> 1
(compare 1 "a")
;! wrong-type an integer 1 and a string "a" cannot be compared
(compare {} {})
;=> 0
(compare 'a 'b)
;=> -1

;; Tests.
(zero? 0)
;=> true
(zero? 0.0)
;=> true
(pos? 1)
;=> true
(neg? -1)
;=> true
(even? 2)
;=> true
(odd? 2)
;=> false
(odd? -3)
;=> true
(even? 1.5)
;! wrong-type `even?` expects an integer, found a float 1.5
(zero? nil)
;! wrong-type `zero?` expects numbers, its first argument is nil
(pos? "1")
;! wrong-type `pos?` expects numbers, its first argument is a string "1"
(number? 1.5)
;=> true
(integer? 1.0)
;=> false
(int? 1)
;=> true
(float? 1.0)
;=> true
(double? 1)
;=> false
(pos-int? 1)
;=> true
(neg-int? 0)
;=> false
(nat-int? 0)
;=> true
(NaN? ##NaN)
;=> true
(infinite? ##-Inf)
;=> true
(rational? 1)
;=> true
(ratio? 1)
;=> false

;; Conversion.
(int 2.9)
;=> 2
(int -2.9)
;=> -2
(long 2.5)
;=> 2
(int \a)
;=> 97
(int \5)
;=> 53
(map int "57a")
;=> (53 55 97)
(- (int (first "7")) (int \0))
;=> 7
(long (.charAt "5" 0))
;=> 53
(int (nth "57" 1))
;=> 55
(int (get "5" 0))
;=> 53
(for [c "57"] (unchecked-int c))
;=> (53 55)
(let [[c] "5"] (byte c))
;=> 53
(short (char 53))
;=> 53
(int "5")
;! wrong-type `int` expects a number, found a string "5"
(long "5")
;! wrong-type `long` expects a number, found a string "5"
(short "5")
;! wrong-type `short` expects a number, found a string "5"
(unchecked-int "5")
;! wrong-type `unchecked-int` expects a number, found a string "5"
(int (str 5))
;! wrong-type `int` expects a number, found a string "5"
(int (subs "57" 1))
;! wrong-type `int` expects a number, found a string "7"
(sum (map #(long (:qty %)) [{:qty "5"} {:qty "7"}]))
;! wrong-type `long` expects a number, found a string "5"
(= \5 "5")
;=> true
(let [digit "5" char \5] [(int char) (try (int digit) (catch Exception _ :text))])
;=> [53 :text]
(int nil)
;! wrong-type `int` expects a number, found nil
(int ##NaN)
;=> 0
(int ##Inf)
;! number-range `int` cannot convert ##Inf to an integer
(long 1e20)
;=> 100000000000000000000N
;clj D4 error
(double 2)
;=> 2.0
(double nil)
;! wrong-type `double` expects numbers, its first argument is nil
(float 1.5)
;=> 1.5
(parse-long "42")
;=> 42
(parse-long "-42")
;=> -42
(parse-long "+42")
;=> 42
(parse-long "42abc")
;=> nil
(parse-long " 42")
;=> nil
(parse-long "")
;=> nil
(parse-long "4.2")
;=> nil
(parse-long "9223372036854775808")
;=> nil
(parse-long 42)
;=> nil
;clj D8 error
(parse-long nil)
;=> nil
;clj D8 error
(parse-double "2.5")
;=> 2.5
(parse-double "2")
;=> 2.0
(parse-double "1e3")
;=> 1000.0
(parse-double ".5")
;=> 0.5
(parse-double "x")
;=> nil
(parse-double "")
;=> nil
(parse-double " 2.5 ")
;=> 2.5
(parse-double nil)
;=> nil
;clj D8 error
(parse-double "NaN")
;=> ##NaN
(parse-double "Infinity")
;=> ##Inf
(parse-boolean "true")
;=> true
(parse-boolean "True")
;=> nil
(parse-boolean nil)
;=> nil
;clj D8 error
(str 1.0)
;=> "1.0"
(str 1e7)
;=> "1.0E7"
(str 1e21)
;=> "1.0E21"
(str 0.0001)
;=> "1.0E-4"
(str 1e-3)
;=> "0.001"
(str 100.0)
;=> "100.0"
(str 123456789.5)
;=> "1.234567895E8"
(str 1/1)
;=> "1"
(str ##Inf)
;=> "Infinity"
(str ##NaN)
;=> "NaN"
(boolean nil)
;=> false
(boolean 0)
;=> true

;; Math.
(abs -3)
;=> 3
(abs -2.5)
;=> 2.5
(abs nil)
;! wrong-type `abs` expects numbers, its first argument is nil
(Math/abs -3)
;=> 3
(Math/sqrt 9)
;=> 3.0
(Math/sqrt -1)
;=> ##NaN
(Math/pow 2 10)
;=> 1024.0
[(Math/pow 1.1 7) (Math/pow 0.7 32) (Math/pow -3 3) (Math/pow 1e60 4)]
;=> [1.9487171000000012 1.1044276742439184E-5 -27.0 9.999999999999998E239]
(Math/pow 2 0.5)
;=> 1.4142135623730951
(Math/floor 2.7)
;=> 2.0
(Math/floor -2.7)
;=> -3.0
(Math/ceil 2.1)
;=> 3.0
(Math/ceil -0.5)
;=> -0.0
(Math/round 2.5)
;=> 3
(Math/round -2.5)
;=> -2
(Math/round 2.4)
;=> 2
(Math/round 3)
;=> 3
;clj D4 error
(Math/round 1e300)
;=> 9223372036854775807
(Math/log 1)
;=> 0.0
(Math/log10 1000)
;=> 3.0
(Math/exp 0)
;=> 1.0
(Math/max 1 2)
;=> 2
(Math/min 1 2)
;=> 1
(Math/sqrt "9")
;! wrong-type `Math/sqrt` expects numbers, its first argument is a string "9"
(Math/sin 0)
;=> 0.0
(Math/PI)
;=> 3.141592653589793
Math/PI
;=> 3.141592653589793
(bit-and 6 3)
;=> 2
(rationalize 0.5)
;! not-available `rationalize` is not part of the language
;clj D4 1/2

;; range
(range 5)
;=> (0 1 2 3 4)
(range 0)
;=> ()
(range -3)
;=> ()
(range 2 5)
;=> (2 3 4)
(range 5 2)
;=> ()
(range 0 10 3)
;=> (0 3 6 9)
(range 10 0 -2)
;=> (10 8 6 4 2)
(range 0 1 0.25)
;=> (0 0.25 0.5 0.75)
(range 1.5 4)
;=> (1.5 2.5 3.5)
(range 0 5 -1)
;=> ()
(range 3 3)
;=> ()
(range 0 10 0)
;! endless-sequence `range` with a step of 0 never ends
;clj D2 (0 0 0 …)
(range nil)
;! wrong-type `range` expects numbers, its second argument is nil
(range)
;! endless-sequence the program needs all items of a sequence that never ends
;clj D2 (0 1 2 …)
(range "a")
;! wrong-type `range` expects numbers, its second argument is a string "a"
(count (range 1000))
;=> 1000
(reduce + (range 101))
;=> 5050
(nth (range 10) 5)
;=> 5

;; Remainders of floats are what the rounded quotient leaves, as on the JVM.
[(rem 5 0.1) (mod 1.1 0.2) (rem 1e20 3) (quot -5 ##Inf)]
;=> [0.0 0.10000000000000009 0.0 0.0]
(rem 5 ##NaN)
;! number-range the quotient of 5 and ##NaN in `rem` is not finite

;; clojure.math.numeric-tower.
[(numeric-tower/expt 2 10) (numeric-tower/expt 2 -1) (numeric-tower/expt 2.0 3) (numeric-tower/expt 2 0.5) (numeric-tower/expt 0 0) (numeric-tower/expt -1 1000001) (numeric-tower/expt 3 50)]
;=> [1024 0.5 8.0 1.4142135623730951 1 -1 717897987691852588770249N]
(require '[clojure.math.numeric-tower :as math]) [(math/expt 10 3) (math/gcd 12 -18) (math/lcm 4 -6) (math/lcm 0 5) (math/gcd 0 0) (math/abs -5)]
;=> [1000 6 12 0 0 5]
[(numeric-tower/floor 2) (numeric-tower/floor -2.5) (numeric-tower/ceil 2.1) (numeric-tower/round 2.5) (numeric-tower/round 7)]
;=> [2 -3.0 3.0 3 7]
[(numeric-tower/sqrt 16) (numeric-tower/sqrt 2) (numeric-tower/sqrt -4) (numeric-tower/sqrt 0.25) (numeric-tower/exact-integer-sqrt 15) (numeric-tower/sqrt 100000000000000000000000000000000)]
;=> [4 1.4142135623730951 ##NaN 0.5 [3 6] 10000000000000000]
(numeric-tower/gcd 1.5 2)
;! wrong-type `numeric-tower/gcd` expects two integers, found a float 1.5
(numeric-tower/exact-integer-sqrt -1)
;! wrong-type `numeric-tower/exact-integer-sqrt` expects an integer that is not negative, found an integer -1
(numeric-tower/expt "2" 3)
;! wrong-type `numeric-tower/expt` expects numbers, its first argument is a string "2"
(numeric-tower/expt 2 10000000000)
;! fuel-limit the program used up its fuel of 30000000 units of work
(numeric-tower/expt 7 (numeric-tower/expt 10 30))
;! fuel-limit the program used up its fuel of 30000000 units of work
(expt 2 3)
;! unknown-name `expt` is not defined
(.pow 2N 10000000000)
;! fuel-limit the program used up its fuel of 30000000 units of work
(.modPow 3N (.pow 2N 100000) (.pow 7N 100000))
;! fuel-limit the program used up its fuel of 30000000 units of work
(.shiftLeft 1N 100000000000)
;! fuel-limit the program used up its fuel of 30000000 units of work
(.add 1 "2")
;! wrong-type `.add` expects an integer, found a string "2"

;; A float and an integer: the integer is as exact as it can be, and comparisons are exact.
(map (fn [[a b]] [(+ a b) (- a b) (* a b) (/ a b) (< a b) (<= a b) (= a b) (not= a b)]) [[1 0.5] [0.1 3] [2 2.0] [1.5 0] [0 2.5] [9007199254740993 9007199254740992.0]])
;=> ([1.5 0.5 0.5 2.0 false false false true] [3.1 -2.9 0.30000000000000004 0.03333333333333333 true true false true] [4.0 0.0 4.0 1.0 false true true false] [1.5 1.5 0.0 ##Inf false false false true] [2.5 -2.5 0.0 0.0 true true false true] [1.8014398509481984E16 0.0 8.112963841460668E31 1.0 false false false true])

(map (fn [[a b]] [(/ a b) (< a b) (not= a b)]) [[1 ##NaN] [##NaN 1] [9223372036854775807 1.0]])
;=> ([##NaN false true] [##NaN false true] [9.223372036854776E18 false true])

;; Quotients of integers are exact or floats (D4).
(map (fn [[a b]] (/ a b)) [[7 2] [8 2] [7 -1] [0 5] [-9223372036854775808 -1] [9223372036854775807 2] [100000000000000000000 3] [100000000000000000000 10] [10 100000000000000000000]])
;=> (3.5 4 -7 0 9223372036854775808N 4.611686018427388E18 3.333333333333333E19 10000000000000000000N 1.0E-19)

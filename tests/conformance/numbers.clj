42

-17

+5

0

-0

007

0x1F

0xff

2r1011

36rZZ

1.5

-2.25

1e5

1.23e-4

1E3

6.02e23

100000000.0

12345678.9

9999999.0

10000000.0

0.001

0.0001

1.0E-5

-0.0

##Inf

##-Inf

##NaN

9223372036854775807

-9223372036854775808

(+ 1 2)

(+)

(+ 5)

(+ 1 2 3 4 5)

(+ 1 2.5)

(+ 0.1 0.2)

(+ 1.5 1.5)

(-)

(- 5)

(- 5 3)

(- 10 1 2 3)

(- 1.5)

(- 0)

(- 0.0)

(*)

(* 7)

(* 2 3 4)

(* 2 0.5)

(* -1 0)

(/ 10 2)

(/ 6 3)

(/ 7 2)

(/ 1 3)

(/ 2 3)

(/ -7 2)

(/ 7 2.0)

(/ 7.0 2)

(/ 2)

(/ 4.0)

(/ 100 5 2)

(/ 100 3 2)

(double (/ 1 4))

(float (/ 1 2))

(/ 0 5)

(/ 0.0 5)

(quot 7 2)

(quot -7 2)

(quot 7 -2)

(quot 7.5 2)

(rem 7 3)

(rem -7 3)

(rem 7 -3)

(rem 7.5 2)

(mod 7 3)

(mod -7 3)

(mod 7 -3)

(mod -7 -3)

(mod 7.5 2)

(mod -7.5 2)

(mod 0 5)

(mod 10 2.5)

(inc 1)

(inc 1.5)

(inc -1)

(dec 1)

(dec 0)

(dec 0.5)

(max 1 2 3)

(max 1)

(max 1 2.0)

(max 3.0 2)

(min 1 2 3)

(min -1 -1.5)

(min 4)

(abs -5)

(abs 5)

(abs -2.5)

(abs 0)

(int 3.7)

(int -3.7)

(int 3)

(long 3.99)

(long -0.5)

(double 3)

(double 1/2)

(float 1.5)

(num 5)

(zero? 0)

(zero? 0.0)

(zero? -0.0)

(zero? 1)

(pos? 1)

(pos? 0)

(pos? 0.1)

(neg? -1)

(neg? 0)

(neg? -0.0)

(even? 4)

(even? 3)

(even? 0)

(even? -2)

(odd? 3)

(odd? -3)

(odd? 0)

(number? 1)

(number? 1.5)

(number? "1")

(number? nil)

(integer? 1)

(integer? 1.0)

(int? 1)

(int? 1.0)

(nat-int? 0)

(nat-int? -1)

(pos-int? 1)

(pos-int? 0)

(neg-int? -1)

(neg-int? 1)

(float? 1.0)

(float? 1)

(double? 1.0)

(double? 1)

(rational? 1)

(rational? 1.5)

(ratio? 1)

(decimal? 1.5)

(NaN? ##NaN)

(NaN? 1.0)

(infinite? ##Inf)

(infinite? ##-Inf)

(infinite? 1.0)

(parse-long "42")

(parse-long "-42")

(parse-long "+42")

(parse-long "4.2")

(parse-long "")

(parse-long "abc")

(parse-long "42abc")

(parse-long " 42")

(parse-long "9223372036854775807")

(parse-double "3.14")

(parse-double "3")

(parse-double "1e3")

(parse-double "-0.5")

(parse-double ".5")

(parse-double "5.")

(parse-double "abc")

(parse-double "")

(parse-double "NaN")

(parse-double "Infinity")

(parse-double " 1.5 ")

(parse-boolean "true")

(parse-boolean "false")

(parse-boolean "yes")

(parse-boolean "TRUE")

;; divergence: D8
;; ours: nil
(parse-long 42)

;; divergence: D8
;; ours: nil
(parse-long nil)

;; divergence: D8
;; ours: nil
(parse-long :a)

;; divergence: D8
;; ours: nil
(parse-double 4.2)

;; divergence: D8
;; ours: nil
(parse-double nil)

;; divergence: D8
;; ours: nil
(parse-boolean true)

;; divergence: D8
;; ours: nil
(parse-boolean nil)

;; divergence: D8
;; ours: nil
(parse-uuid nil)

;; divergence: D8
;; ours: [1 nil 3]
(mapv parse-long ["1" 2 "3"])

(mapv parse-long ["1" "x" "3"])

(keep parse-long ["1" "x" "3"])

(or (parse-long "x") 0)

(reduce + (keep parse-double ["1.5" "n/a" "2.5"]))

(read-string "42")

(+ (parse-long "40") 2)

(/ (Math/round (* 100 3.14159)) 100.0)

(/ (Math/round (* 3.14159 100.0)) 100.0)

(* 1.0 (/ (reduce + [1 2 3 4]) 4))

(/ (reduce + [1 2 3]) 3)

(/ (reduce + [1 2 4]) 2.0)

(double (/ (reduce + [90 85 77]) 3))

(int (* 100 (/ 3 8)))

(/ (+ 10 20) (count [1 2 3 4]))

(- (* 1.1 3) 3.3)

(* 19.99 3)

(+ 19.99 5.01)

(* 0.15 200)

(- 100 0.1)

(mod ##Inf 1)

(mod ##-Inf 1)

(mod 5 ##Inf)

(mod -5 ##Inf)

(mod 5 ##-Inf)

(rem 5 ##Inf)

(rem -5 ##Inf)

(rem ##Inf 5)

(rem ##NaN 5)

(rem 5 ##NaN)

(mod 5 ##NaN)

(mod ##NaN 5)

(quot ##Inf 5)

(quot 5 ##Inf)

(quot -5 ##Inf)

(quot ##NaN 5)

(quot 5 ##NaN)

(quot 1e300 1e-300)

(rem 1e300 1e-300)

(mod 1e300 1e-300)

(quot 5.5 0)

(rem 5.5 0.0)

(mod 5.5 0.0)

(quot 1e20 3)

(rem 1e20 3)

(mod 1e20 7)

(rem 1e300 7)

(mod -1e20 7)

(mod 5.5 -2)

(mod -5.5 2)

(mod 6.0 -3)

(rem 1e16 3.3)

(rem 5 0.1)

(mod 5 0.1)

(mod 1 0.1)

(rem 1 0.1)

(mod 2.3 0.1)

(quot 2.3 0.1)

(mod -0.1 3)

(rem -4.0 2)

(mod -4.0 2)

(mod -1e-20 3)

(rem 5 1e-300)

(rem 7N 2.5)

(mod 100000000000000000000 3.5)

(quot 1 (range))

(mod 5 3)

(mod -5 3)

(mod 5 -3)

(mod 5.5 2)

(rem -5.5 2)

(rem 10 3.5)

(quot -7.5 2)

(quot 7 2.5)

(mod 0.0 5)

(mod 1e15 7)

(rem 1e15 7)

(mod 1.1 0.2)

(mod -1 2.5)

(quot 1e25 10)

(rem 1e25 10)

(mod 3 0.0)

(mod 3.0 0)

(rem 3 0)

(quot 3.0 0)

(mod 2 nil)

(mod "a" 2)

(mod 1e308 1e-10)

(Math/abs -5)

(Math/abs -5.5)

(Math/sqrt 16)

(Math/sqrt 2)

(Math/cbrt 27)

(Math/pow 2 10)

(Math/pow 2 0.5)

(Math/pow 2 -1)

(Math/pow 10 2)

(long (Math/pow 2 40))

(Math/floor 2.7)

(Math/floor -2.3)

(Math/floor 5)

(Math/ceil 2.1)

(Math/ceil -2.7)

(int (Math/ceil 2.1))

(int (Math/floor 2.9))

(Math/round 2.5)

(Math/round 2.4)

(Math/round -2.5)

(Math/round -2.6)

(Math/round 3.0)

(Math/round 1e18)

(Math/rint 2.5)

(Math/rint 3.5)

(Math/max 1 2)

(Math/max 1.5 2.0)

(Math/min 1 2)

(Math/min -1.0 1.0)

(Math/signum -2.5)

(Math/signum 0.0)

(Math/exp 0)

(Math/exp 1)

(Math/log 1)

(Math/log Math/E)

(Math/log10 1000)

(Math/log10 2)

(Math/log1p 0)

(Math/expm1 0)

(Math/hypot 3 4)

(Math/sin 0)

(Math/cos 0)

(Math/tan 0)

(Math/sin (/ Math/PI 2))

(Math/cos Math/PI)

(Math/asin 1)

(Math/acos 1)

(Math/atan 1)

(Math/atan2 1 1)

(Math/sinh 0)

(Math/cosh 0)

(Math/tanh 0)

(Math/toRadians 180)

(Math/toDegrees Math/PI)

Math/PI

Math/E

(Math/floorDiv 7 2)

(Math/floorDiv -7 2)

(Math/floorMod -7 3)

(Math/floorMod 7 3)

(Math/abs 0)

(Math/abs -0.0)

(Math/sqrt -1)

(Math/log 0)

(Math/log -1)

(Math/pow 0 0)

(Math/pow ##Inf 0)

(Math/round ##NaN)

(Math/round ##Inf)

(Math/floor ##Inf)

(Math/abs -9223372036854775807)

(Math/addExact 1 2)

(Math/multiplyExact 3 4)

(map #(Math/round %) [1.2 1.5 1.7])

(map #(Math/sqrt %) [1 4 9])

(/ (Math/round (* 2.345 100)) 100.0)

(Math/round (* 100 0.285))

(* Math/PI 4)

(double (Math/round 2.5))

(reduce max (map #(Math/abs %) [-5 3]))

(Math/round (/ 7 2.0))

(Math/floor (/ 7 2))

(Math/sqrt (+ (* 3 3) (* 4 4)))

(let [d (fn [[x1 y1] [x2 y2]] (Math/sqrt (+ (Math/pow (- x2 x1) 2) (Math/pow (- y2 y1) 2))))] (d [0 0] [3 4]))

(Math/abs (- 3 10))

(Math/pow 1.05 10)

(* 1000 (Math/pow (+ 1 (/ 0.05 12)) 12))

(Math/log 8)

(/ (Math/log 8) (Math/log 2))

(Math/sqrt "4")

(Math/abs nil)

(Math/sqrt nil)

(Math/nosuch 1)

(Math/floor "x")

;; divergence: D4
;; ours: 2
(Math/round 2)

(int (Math/sqrt 17))

(long (Math/floor 3.99))

(Math/ceil (/ 10 3))

(int (Math/ceil (/ 10 3.0)))

Long/MAX_VALUE

Long/MIN_VALUE

Integer/MAX_VALUE

Integer/MIN_VALUE

Double/MAX_VALUE

Double/MIN_VALUE

Double/POSITIVE_INFINITY

Double/NEGATIVE_INFINITY

Double/NaN

(Double/isNaN ##NaN)

(Double/isNaN 1.0)

(Double/isInfinite ##Inf)


(require '[clojure.math :as math]) [(math/sqrt 2) (math/pow 2 0.5) (math/floor 2.7) (math/ceil 2.1) (math/round 2.5) (math/round -2.5)]

(require '[clojure.math :as math]) [(math/floor-div -7 2) (math/floor-mod -7 2) (math/signum -2.0) (math/rint 2.5) (math/hypot 3 4) (math/cbrt 27)]

(require '[clojure.math :as math]) [(math/to-radians 180) (math/to-degrees math/PI) (math/log10 1000) (math/log1p 0.0) (math/expm1 0.0) math/E]

(require '[clojure.math :as math]) [(math/add-exact 1 2) (math/subtract-exact 1 2) (math/multiply-exact 3 2) (math/negate-exact 3) (math/increment-exact 3) (math/decrement-exact 3)]

(require '[clojure.math :as math]) (math/add-exact Long/MAX_VALUE 1)

(require '[clojure.math :as math]) [(math/copy-sign 2.0 -1.0) (math/get-exponent 8.5) (math/next-after 1.0 2.0) (math/next-up 1.0) (math/next-down 1.0) (math/scalb 1.5 3) (math/ulp 1.0) (math/IEEE-remainder 5 3)]

(require '[clojure.math :as math]) [(math/sin 0) (math/cos 0) (math/tan 0) (math/asin 0) (math/acos 1) (math/atan 1) (math/atan2 1 1) (math/sinh 0) (math/cosh 0) (math/tanh 0) (math/exp 0) (math/log 1)]

(require '[clojure.math :as math]) (let [r (math/random)] (and (<= 0.0 r) (< r 1.0)))

(require '[clojure.math :as math]) [(math/round ##NaN) (math/round 1e300) (math/floor -0.5)]

[(every? #(<= 0 % 5) (repeatedly 50 #(rand-int 6))) (rand-int 0) (rand-nth [7]) (rand-nth nil)]

[(vector? (shuffle [1 2 3])) (sort (shuffle [3 1 2])) (shuffle []) (random-sample 1 [1 2]) (random-sample 0 [1 2])]

(shuffle {:a 1})

(shuffle nil)

(shuffle "abc")

(rand-nth [])

(rand-nth {:a 1})

(rand-int "6")

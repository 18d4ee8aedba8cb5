;; Widths and precisions.
(format "%1000000000d" 1)
;! fuel-limit
(format "%01000000000d" 1)
;! fuel-limit
(format "%-1000000000s" "a")
;! fuel-limit
(format "%.1000000000f" 1.0)
;! fuel-limit
(format "%.1000000f" 1e300)
;=> "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000… 1000307 characters
(format "%99999999999999999999d" 1)
;! fuel-limit
(format "%1.99999999999999999999f" 1.0)
;! fuel-limit
(format "%.1000000e" 1.5)
;=> "1.5000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000… 1000011 characters
(format "%,1000000000d" 1)
;! fuel-limit
(format (str/join (repeat 100000 "%1000d")) 1)
;! bad-format
(apply format (str/join (repeat 10000 "%100000s")) (range 10000))
;! fuel-limit
(let [s (str/join (repeat 100000 "x"))] (format (str/join (repeat 10000 "%1$s")) s))
;! memory-limit
(format "%5.1000000000s" "abc")
;! fuel-limit
(printf "%1000000000d" 1)
;! fuel-limit
(String/format "%1000000000d" (into-array [1]))
;! not-available
(format "%999999999999$s" 1)
;! bad-format
(format (str "%" (str/join (repeat 100000 "0")) "d") 1)
;! bad-format
(dotimes [i 10000000] (format "%10000d" 1))
;! fuel-limit
(format "%x" (reduce * (repeat 2000 9223372036854775807)))
;! fuel-limit
(dotimes [i 10000000] (format "%.300f" 1e-300))
;! fuel-limit

(format "%s" "a")

(format "%s" 5)

(format "%s" nil)

(format "%s" :a)

(format "%s" [1 "a"])

(format "%s" {:a 1})

(format "%s" 2.5)

(format "%s" true)

(format "%d" 42)

(format "%d" -42)

(format "%5d" 42)

(format "%-5d|" 42)

(format "%05d" 42)

(format "%,d" 1234567)

(format "%+d" 5)

(format "%+d" -5)

(format "%(d" -5)

(format "% d" 5)

(format "%x" 255)

(format "%X" 255)

(format "%o" 8)

(format "%04x" 255)

(format "%f" 3.14159)

(format "%.2f" 3.14159)

(format "%.2f" 2.0)

(format "%.0f" 2.5)

(format "%.0f" 3.5)

(format "%.1f" 0.25)

(format "%.1f" 0.35)

(format "%.2f" 1.005)

(format "%.2f" 2.675)

(format "%.3f" -1.23456)

(format "%8.2f" 3.14159)

(format "%-8.2f|" 3.14159)

(format "%08.2f" 3.14159)

(format "%,.2f" 1234567.891)

(format "%+.1f" 2.0)

(format "%.2f" 1e10)

(format "%.2f" 0.0)

(format "%.2f" -0.001)

(format "%e" 12345.678)

(format "%.2e" 12345.678)

(format "%E" 0.00012)

(format "%g" 12345.678)

(format "%10s|" "hi")

(format "%-10s|" "hi")

(format "%.2s" "hello")

(format "%5.1s|" "hello")

(format "%S" "hi")

(format "%b" true)

(format "%b" nil)

(format "%b" 5)

(format "%c" \a)

(format "%%")

(format "100%%")

(format "%d%%" 50)

(format "%n")

(format "a%nb")

(format "%s is %d years" "Bob" 30)

(format "%2$s %1$s" "a" "b")

(format "%1$s %1$s" "a")

(format "%s %s" 1 2)

(format "%s" '(1 2))

(format "%s" #{1})

(format "%-15s %8.2f" "Widget" 19.99)

(format "%3d. %s" 1 "x")

(format "%02d:%02d" 5 7)

(format "%04d-%02d-%02d" 2024 1 5)

(format "$%.2f" 12.5)

(format "$%,.2f" 1234.5)

(format "%.1f%%" 45.678)

(format "no args")

(format "" )

(format "extra" 1 2)

(format "%s %s" 1)

(format "%d" 1.5)

(format "%d" "1")

(format "%f" 1)

(format "%.2f" 1)

(format "%.2f" "x")

(format "%q" 1)

(format "%d" nil)

(format "%.2f" nil)

(format "%5s|" nil)

(format "%x" -1)

;; divergence: D4
;; ours: "123456789012345678901234567890"
(format "%d" 123456789012345678901234567890)

(format "%,d" -1234)

(format "%s" 1e10)

(format "%s" 100.0)

(format "%.3f" (/ 1.0 3))

(format "%.2f" (double 5))

(format "%.2f" (float 5))

(format "%.2f" (/ 10 4.0))

(format "%.10f" 0.1)

(format "%.15f" 0.1)

(format "%.20f" 0.1)

(format "%.2f" 12345678901234.567)

(format "%.2f" ##Inf)

(format "%f" ##NaN)

(format "%s" ##Inf)

(format nil)

(format "%-5s%5s" "ab" "cd")

(format "%s" "ünï")

(format "%6s|" "ünï")

(format "%,d" 999)

(format "%,d" 1000)

(format "%,15.2f|" 9876543.21)

(format "[%s]" (str/join ", " ["a" "b"]))

(apply format "%s-%s" ["a" "b"])

(map #(format "%02d" %) [1 10])

(str/join "\n" (map (fn [[k v]] (format "%-6s %5.1f" k v)) [["ab" 1.25] ["cdef" 22.0]]))

(format "%s: %s" (name :total) (format "%.2f" 5.0))

(with-out-str (printf "%d-%s" 1 "a"))

(format "%5b|" true)

(format "%-6b|" false)

(format "%#x" 255)

(format "%03d" -5)

(format "%s %d %.1f %s" "a" 1 2.0 :b)

(format "%d items" (count [1 2]))

;; divergence: D2
;; ours: "(2)"
(format "%s" (map inc [1]))

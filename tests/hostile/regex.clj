;; Patterns that blow up where matching goes back and forth.
;; data: long
(re-find #"(a+)+b" ctx/text)
;=> nil
(re-matches #"(a|aa)+b" ctx/text)
;=> nil
(re-find #"(x+x+)+y" ctx/text)
;=> nil
(re-find #"(.*)*=(.*)*" ctx/text)
;! fuel-limit
(count (re-seq #"(\w*)*" ctx/text))
;! fuel-limit
(re-matches #"(a?){30}a{30}" "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
;=> ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" ""]
(re-find #"^(([a-z])+.)+[A-Z]([a-z])+$" ctx/text)
;! fuel-limit

;; Repetitions.
;; data: long
(re-find #"é{1000}" ctx/accents)
;! fuel-limit
(count (re-seq #"é{1000}" ctx/accents))
;! fuel-limit
(re-find #"[ab]*a[ab]{28}" ctx/ab)
;! fuel-limit
(re-find #"[ab]*a[ab]{200}" ctx/ab)
;! fuel-limit
(re-find #"(?:a{0,100}){0,100}" ctx/ab)
;! fuel-limit
(count (re-seq #"(?:a{0,100}){0,100}" ctx/ab))
;! fuel-limit
(str/replace ctx/accents #"é{1000}" "e")
;! fuel-limit
(str/replace ctx/accents #"é{1000}" (fn [_] "e"))
;! fuel-limit
(str/split ctx/accents #"é{1000}")
;! fuel-limit
(re-matches #"(?:é{100}|e){100}" ctx/accents)
;! fuel-limit
(.replaceAll ctx/accents "é{1000}" "e")
;! fuel-limit
(.split ctx/accents "é{1000}")
;! fuel-limit
(.matches ctx/accents "é{5000}")
;=> false
(let [m (re-matcher #"é{1000}" ctx/accents)] (while (re-find m)))
;! fuel-limit
(dotimes [i 1000000] (re-find #"\p{L}{20}" "a"))
;! fuel-limit

;; Each of many matches looks at all that follows.
;; data: long
(count (re-seq #"(?:a[^z]*z)?" ctx/ab))
;! fuel-limit
(count (re-seq #"a[^z]*z|a" ctx/ab))
;! fuel-limit
(str/replace ctx/ab #"a[^z]*z|a" "")
;! fuel-limit
(str/replace ctx/ab #"a[^z]*z|a" (fn [_] ""))
;! fuel-limit
(count (str/split ctx/ab #"b[^z]*z|b"))
;! fuel-limit
(count (re-seq #"\d+\.\d+|\d" ctx/digits))
;! fuel-limit

;; Expressions that are too large.
#"a{1000000}"
;! bad-regex
#"((a{100}){100}){100}"
;! bad-regex
#"\p{L}{1000}"
;! bad-regex
(re-pattern "a{1000000}")
;! bad-regex
(re-pattern (str/join (repeat 100000 "(a)")))
;! fuel-limit
(re-pattern (str/join (repeat 10000 "(")))
;! bad-regex
(re-pattern (str/join (repeat 50000 "a|")))
;! bad-regex
(str "ab" (re-pattern (str "[" (str/join (repeat 10000 "a-z")) "]")))
;=> "ab[a-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-za-z… 30009 characters
(.matches "a" "(a{1,1000}){1,1000}")
;! bad-regex
(.replaceAll "a" "(\\p{L}{500})" "b")
;! bad-regex
#"(?:){1000000}"
;=> #"(?:){1000000}"
#"(?<=a)b"
;! bad-regex
#"(a)\1"
;! bad-regex

;; Compiling one takes long, however short it is.
(dotimes [i 10000000] (re-pattern "a"))
;! fuel-limit
(dotimes [i 10000000] (re-pattern (str i)))
;! fuel-limit
(dotimes [i 10000000] (re-pattern "(?i)\\p{L}"))
;! fuel-limit
(dotimes [i 10000000] (.matches "a" "b"))
;! fuel-limit
(dotimes [i 10000000] (.replaceAll "a" "b" "c"))
;! fuel-limit
(dotimes [i 10000000] (read-string "#\"\\\\p{L}{9}\""))
;! fuel-limit
(dotimes [i 10000000] (find-doc "zzzz"))
;! fuel-limit

;; Groups.
;; data: long
(count (re-find (re-pattern (str/join (repeat 300 "(a?)"))) ctx/ab))
;! fuel-limit
(count (re-seq (re-pattern (str/join (repeat 300 "(a?)"))) ctx/ab))
;! fuel-limit
(str/replace ctx/ab (re-pattern (str/join (repeat 50 "(a?)"))) "$1$2$3")
;! fuel-limit
(re-find #"((((((((((a*)*)*)*)*)*)*)*)*)*)*" ctx/ab)
;=> ["aa" "aa" "aa" "aa" "aa" "aa" "aa" "aa" "aa" "aa" "aa"]

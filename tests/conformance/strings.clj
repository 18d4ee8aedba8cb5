"hello"

"a\nb"

"tab\there"

"quote \" inside"

"back\\slash"

"\u0041\u00e9"

""

(str)

(str nil)

(str "a")

(str "a" "b" 1 :c nil 2.5 true)

(str 1)

(str 1.0)

(str :kw)

(str 'sym)

(str true)

(str [1 "a" :b nil])

(str '(1 2))

(str {:a 1 :b "x"})

(str #{1})

(str {"k" [1 2]})

(str [nil])

(str "")

(str nil nil)

(str 1 2 3)

(str [])

(str {})

(str ())

(str (range 3))

;; divergence: D2
;; ours: "(2 3)"
(str (map inc [1 2]))

;; divergence: D2
;; ours: "ids: (1 2)"
(str "ids: " (filter pos? [1 -1 2]))

(str (vec (map inc [1 2])))

(str (doall (range 2)))

(str (list 1 2))

(str (seq [1 2]))

(str (rest [1 2 3]))

(str (sort [2 1]))

(str (keys {:a 1}))

(str (reverse [1 2 3]))

(apply str ["a" "b" "c"])

(apply str [1 2 3])

(apply str (interpose ", " [1 2 3]))

(apply str (reverse "hello"))

(apply str (map str [1 2 3]))

(apply str (repeat 3 "ab"))

(apply str nil)

(count "hello")

(count "")

(count "héllo")

;; divergence: D3
;; ours: 1
(count "😀")

;; divergence: D3
;; ours: "😀b"
(subs "a😀b" 1 3)

;; divergence: D3
;; ours: 3
(count (mapv str "a😀b"))

(count nil)

(subs "hello" 1)

(subs "hello" 1 3)

(subs "hello" 0 0)

(subs "hello" 5)

(subs "hello" 6)

(subs "hello" 2 1)

(subs "hello" -1)

(subs "hello" 0 10)

(subs nil 1)

(subs "héllo wörld" 1 8)

(seq "abc")

(seq "")

(first "abc")

(first "")

(last "abc")

(rest "abc")

(next "a")

(second "abc")

(nth "abc" 1)

(nth "abc" 9)

(nth "abc" 9 nil)

(get "abc" 0)

(get "abc" 9)

(get "abc" 9 :none)

(vec "abc")

(set "aab")

(map str "abc")

(mapv str "abc")

(map identity "ab")

(filter #{\a \b} "abcab")

(apply str (filter #{\a \b} "abcab"))

(apply str (remove #{\space} "a b c"))

(frequencies "aabbb")

(sort-by key (frequencies "banana"))

(into (sorted-map) (frequencies (map str "banana")))

(get (frequencies "hello") \l)

(distinct "aabbc")

(apply str (distinct "aabbc"))

(apply str (sort "hello"))

(reverse "abc")

(partition 2 "abcd")

(map #(apply str %) (partition-all 2 "abcde"))

(map (partial apply str) (partition-by identity "aabbbc"))

(reduce (fn [acc c] (str c acc)) "" "abc")

(every? #{\a \b} "abba")

(some #{\x} "abc")

(some #{\b} "abc")

(contains? (set "abc") \a)

(contains? "abc" 1)

(contains? "abc" 5)

(= \a (first "abc"))

;; divergence: D3
;; ours: true
(= "a" (first "abc"))

;; divergence: D3
;; ours: true
(= "a" \a)

;; divergence: D3
;; ours: 2
(count (filter #(= % "a") "abca"))

;; divergence: D3
;; ours: true
(string? (first "abc"))

;; divergence: D3
;; ours: "\"a\""
(pr-str \a)

;; divergence: D3
;; ours: "\" \""
(pr-str \space)

(str \a)

(str \newline)

\a

\newline

\space

(str \a \b)

(int \a)

(int \A)

(char 97)

(str (char 65))

(map int "abc")

(apply str (map #(char (inc (int %))) "HAL"))

(- (int \7) (int \0))

(string? "a")

(string? :a)

(string? nil)

(= "abc" "abc")

(= "abc" "ABC")

(compare "apple" "banana")

(empty? "")

(empty? "a")

(empty? " ")

(not-empty "")

(not-empty "a")

(name "abc")

(keyword "abc")

(symbol "abc")

(interpose "," "abc")

(apply str (interpose "-" "abc"))

(map-indexed vector "ab")

(zipmap "abc" [1 2 3])

(take 2 "hello")

(apply str (take 3 "hello"))

(apply str (drop 2 "hello"))

(apply str (take-last 2 "hello"))

(apply str (butlast "hello"))

(apply str (concat "ab" "cd"))

(str "a" \b 'c :d)

(into [] "abc")

(into #{} "aa")

(concat "ab" [1])

(conj [] "abc")

(mapcat identity ["ab" "cd"])

(apply str (mapcat #(str % %) "abc"))

(into {} (map (fn [c] [(str c) (int c)]) "ab"))

(group-by count ["a" "bb" "c"])

(max-key count "apple" "fig")

(str (subs "2024-01-15" 0 7))

(subs "2024-01-15" 8 10)

(let [s "John Smith"] (str (subs s 0 1) "."))

(str "Total: $" (+ 10 5.5))

(str "Count: " (count [1 2 3]) " items")

(str "x=" 1 ", y=" 2.0)

(str (quote (a "b" :c)))

(str ["a" ["b"]])

(str {:a {:b "c"}})

(str {:a nil})

(str \" "quoted" \")

(pr-str "a\"b")

(pr-str "line\nbreak")

(count "line\nbreak")

(first "")

(boolean "")

(if "" :truthy :falsy)

(hash-map "a" 1)

(sort ["banana" "apple" "Cherry"])

(sort-by count ["ccc" "bb" "a"])

(subs "abcdef" 1.5)

(subs "abcdef" 1.5 3.9)

(subs "abcdef" 1 ##NaN)

(subs "abcdef" -0.5)

(subs "abc" 1 nil)

(subs (range) 1)

(str/index-of "abcabc" "a" 1.5)

(str/last-index-of "abcabc" "a" 4.5)

(str/split "a,b,c" #"," 1.5)

(subs "abc" 4)

(str/split "a,b" #"," nil)

(str/split "a,b" #"," "x")

(str/split "a,b" #"," 1.0)

(str/index-of "abc" "c" nil)

(str/index-of "abc" "c" :x)

(str/index-of "abc" "c" -1)

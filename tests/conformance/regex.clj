(re-find #"\d+" "abc123def456")

(re-find #"\d+" "abc")

(re-find #"(\d+)-(\d+)" "10-20")

(re-find #"(\d+)-(\d+)?" "10-")

(re-find #"^a" "ba")

(re-find #"" "abc")

(re-find #"a|b" "xb")

(re-matches #"\d+" "123")

(re-matches #"\d+" "123a")

(re-matches #"(\d+)-(\d+)" "10-20")

(re-matches #"(\w+)@(\w+)\.com" "bob@site.com")

(re-matches #"a(b)?c" "ac")

(re-matches #"" "")

(re-seq #"\d+" "1 22 333")

(re-seq #"\d+" "none")

(re-seq #"(\w)(\d)" "a1 b2")

(re-seq #"\w+" "the quick fox")

(re-seq #"." "ab")

(re-seq #"a*" "aab")

(map second (re-seq #"(\w+)=" "a=1 b=2"))

(map parse-long (re-seq #"-?\d+" "x -1 y 22"))

(count (re-seq #"o" "foo boo"))

(re-pattern "\\d+")

(re-find (re-pattern "\\d+") "a1")

(re-find (re-pattern (str "a" "b")) "xab")

(str #"\d+")

(pr-str #"a\.b")

#"abc"

(re-find #"(?i)HELLO" "say hello")

(re-find #"(?s)a.b" "a\nb")

(re-find #"a.b" "a\nb")

(re-seq #"(?m)^\w" "ab\ncd")

(re-find #"[^,]+" ",,ab,")

(re-find #"\bfoo\b" "a foo b")

(re-find #"\bfoo\b" "afoob")

(re-find #"x{2,3}" "xxxx")

(re-find #"x{2,3}?" "xxxx")

(re-find #"a+?" "aaa")

(re-find #"<(.+?)>" "<a><b>")

(re-find #"<(.+)>" "<a><b>")

(re-find #"[\w.]+@[\w.]+" "mail: a.b@c.org!")

(re-find #"\$(\d+\.\d{2})" "cost $12.50 now")

(second (re-find #"id=(\d+)" "x?id=42&y=1"))

(let [[_ y m d] (re-matches #"(\d{4})-(\d{2})-(\d{2})" "2024-01-15")] [y m d])

(if-let [[_ n] (re-find #"#(\d+)" "issue #17")] (parse-long n) :none)

(if-let [[_ n] (re-find #"#(\d+)" "issue")] (parse-long n) :none)

(boolean (re-find #"err" "error"))

(some #(re-find #"b" %) ["a" "b"])

(filter #(re-find #"^a" %) ["ab" "ba" "ac"])

(filter (partial re-matches #"\d+") ["1" "a" "22"])

(keep #(second (re-find #"v(\d+)" %)) ["v1" "x" "v22"])

(re-find #"é" "café")

(re-find #"\p{L}+" "über1")

(re-find #"\p{Lu}" "aBc")

(re-find #"[а-я]+" "abc где")

(re-find #"\s" "a b")

(re-find #"\S+" "  ab ")

(re-find #"\D+" "12ab34")

(re-find #"\W" "ab-c")

(re-find #"[a-z&&[^b]]+" "abc")

(re-find #"\Qa.b\E" "xa.b")

(re-find #"\t" "a\tb")

(re-find #"\u0041" "xA")

(re-find #"\x41" "xA")

(re-find #"(?:ab)+" "ababx")

(re-find #"(?<year>\d{4})" "in 2024")

(re-find #"(a)|(b)" "b")

(re-find #"((a)(b))" "ab")

(re-find #"^$" "")

(re-find #"a$" "ba")

(re-find #"a$" "ba\n")

(re-find #"\Aa" "ab")

(re-find #"b\z" "ab")

(re-find #"[-a]" "-")

(re-find #"[]]" "a]")

(re-find #"\\" "a\\b")

(re-find #"\"" "say \"hi\"")

(re-find #"[\"']" "it's")

;; divergence: D9
;; ours-error: any
(re-find #"foo(?=bar)" "foobar")

;; divergence: D9
;; ours-error: any
(re-find #"foo(?!bar)" "foobaz")

;; divergence: D9
;; ours-error: any
(re-find #"(?<=\$)\d+" "$42")

;; divergence: D9
;; ours-error: any
(re-find #"(?<!\$)\d+" "$42 17")

;; divergence: D9
;; ours-error: any
(re-find #"(\w)\1" "hello")

;; divergence: D9
;; ours-error: any
(clojure.string/replace "1234567" #"(?<=\d)(?=(\d{3})+$)" ",")

(re-find "a" "abc")

(re-find #"a" nil)

(re-matches #"a" 5)

(re-seq #"a" nil)

(re-pattern "(")

(re-pattern "[")

(re-find (re-pattern "*") "a")

(= #"a" #"a")

(let [r #"a"] (= r r))

(mapv #(re-matches #"(?i)(yes|no)" %) ["YES" "maybe"])

(->> "key1=val1;key2=val2" (re-seq #"(\w+)=(\w+)") (map (fn [[_ k v]] [k v])) (into {}))

(->> ["2024-01-05 ERROR x" "2024-01-05 INFO y"] (map #(re-find #"^(\S+) (\w+) (.*)$" %)) (mapv rest))

(let [m (re-find #"(\w+) (\w+)?" "ab ")] m)

(re-find #"\d{1,3}(\.\d{1,3}){3}" "ip 10.0.0.1 ok")

(re-seq #"[A-Z][a-z]+" "HelloWorldFoo")

(re-seq #"\b\w" "hello big world")

(apply str (re-seq #"[A-Z]" "Hello World"))

(clojure.string/join (map second (re-seq #"\b(\w)" "as soon as")))

(re-find #"(?x) a b # comment" "ab")

(re-seq #"(?i)the" "The the THE")

(vec (re-seq #"\w+@\w+" "a@b, c@d"))

(re-find #"^(?:GET|POST) (\S+)" "POST /api/x HTTP")

(re-matches #"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}" "x.y@z.co")

(re-matches #"\+?\d[\d -]{7,}\d" "+49 170 1234567")

(let [m (re-matcher #"\d+" "1 2")] [(re-find m) (re-find m) (re-find m)])

(re-groups (doto (re-matcher #"(a)(b)" "ab") (re-find)))

(re-find #"a" (range))

(let [m (re-matcher #"\d" "1a2")] [(re-find m) (re-find m) (re-find m) (re-find m)])

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) [(nth m 0) (nth m 1) (nth m 2)])

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) (nth m 3))

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) (nth m 3 :d))

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) [(nth m 0 :d) (nth m 1 :d) (nth m 2 :d)])

(let [m (re-matcher #"(\d)(a)?" "1a2")] (nth m 0))

(let [m (re-matcher #"(\d)(a)?" "1a2")] (nth m 0 :d))

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) (nth m -1))

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) (nth m -1 :d))

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) (let [[a b c] m] [a b c]))

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) (let [[a & c] m] [a c]))

(let [m (re-matcher #"(\d)(a)?" "1a2")] (re-find m) (re-find m) (re-find m) (re-groups m))

(let [m (re-matcher #"(\d)" "x")] (re-find m) (nth m 0))

(let [m (re-matcher #"x*" "a")] [(re-find m) (re-find m) (re-find m) (re-find m)])

(let [m (re-matcher #"x*" "a")] (re-find m) (re-find m) (re-find m) (re-groups m))

(let [m (re-matcher #"x*" "a")] (re-find m) (re-find m) (re-find m) (nth m 0))

(let [m (re-matcher #"(\d)" "12")] (re-find m) [(re-groups m) (re-groups m)])

(let [m (re-matcher #"\d" "12")] (re-find m) (count m))

(let [m (re-matcher #"\d" "12")] (re-find m) (first m))

(let [m (re-matcher #"\d" "12")] (re-find m) (get m 0))

(let [m (re-matcher #"\d" "12")] (re-find m) (seq m))

(let [m (re-matcher #"\d" "12")] (re-find m) (nth m 0.5))

(let [m (re-matcher #"\d" "12")] (re-find m) (nth m nil))

(re-find nil)

(re-groups nil)

(re-matcher nil "a")

(clojure.string/upper-case "hello")

(clojure.string/lower-case "HeLLo")

(clojure.string/capitalize "hELLO world")

(clojure.string/capitalize "")

(clojure.string/capitalize "a")

(str/upper-case "straße")

(str/lower-case "ÀÉ")

(str/upper-case :kw)

(str/trim "  a b  ")

(str/trim "\n\ta\r\n")

(str/triml "  a ")

(str/trimr " a  ")

(str/trim "")

(str/trim-newline "abc\r\n\n")

(str/trim-newline "abc")

(str/trim nil)

(str/blank? "")

(str/blank? "  \t\n")

(str/blank? nil)

(str/blank? "a")

(str/join ["a" "b"])

(str/join ", " ["a" "b" "c"])

(str/join ", " [])

(str/join ", " nil)

(str/join ", " ["a"])

(str/join "," [1 2.5 :k nil "x"])

(str/join " " '(a b))

(str/join "-" "abc")

(str/join \, [1 2])

(str/join "," #{1})

(str/join ", " (map :name [{:name "A"} {:name "B"}]))

(str/join "\n" (map #(str "- " %) ["x" "y"]))

(str/join ";" {:a 1})

(str/join ", " (sort (map name [:b :a])))

(str/join nil ["a" "b"])

(str/split "a,b,c" #",")

(str/split "a,b,,c,," #",")

(str/split "a,b,,c,," #"," -1)

(str/split "a,b,c,d" #"," 2)

(str/split "" #",")

(str/split "abc" #",")

(str/split "abc" #"")

(str/split "a1b2c3" #"\d")

(str/split ",a" #",")

(str/split "  a  b " #"\s+")

(str/split "a b  c" #"\s+")

(str/split "a b  c" #" ")

(str/split "2024-01-15" #"-")

(str/split "a.b.c" #"\.")

(str/split "a|b" #"\|")

(str/split "k1=v1&k2=v2" #"[&=]")

(str/split "one, two,three" #",\s*")

(str/split nil #",")

(str/split "a,b" ",")

(str/split-lines "a\nb\r\nc")

(str/split-lines "a\n\nb\n\n")

(str/split-lines "")

(str/split-lines "single")

(str/replace "hello" "l" "L")

(str/replace "hello" \l \r)

(str/replace "hello" #"l+" "L")

(str/replace "a.b.c" "." "-")

(str/replace "aaa" "aa" "b")

(str/replace "hello world" #"(\w+) (\w+)" "$2 $1")

(str/replace "abc" #"[ab]" {"a" "1" "b" "2"})

(str/replace "abc" #"b" str/upper-case)

(str/replace "a1b22" #"\d+" #(str "<" % ">"))

(str/replace "x1y2" #"([a-z])(\d)" (fn [[_ a b]] (str b a)))

(str/replace "price" "$" "USD")

(str/replace "cost 5" "5" "$5")

(str/replace "cost 5" #"5" "\\$5")

(str/replace "hello" "" "-")

(str/replace "hello" "x" "y")

(str/replace "a  b   c" #"\s+" " ")

(str/replace "Hello World" #"[aeiou]" "*")

(str/replace "foo_bar_baz" "_" "-")

(str/replace "CamelCaseString" #"([A-Z])" "_$1")

(str/replace "2024-01-15" #"(\d+)-(\d+)-(\d+)" "$3/$2/$1")

(str/replace nil "a" "b")

(str/replace-first "aaa" "a" "b")

(str/replace-first "aaa" #"a+" "b")

(str/replace-first "abc" "x" "y")

(str/replace-first "a1b2" #"\d" #(str "[" % "]"))

(str/replace-first "foo bar" #"(\w+)" "<$1>")

(str/reverse "hello")

(str/reverse "")

(str/starts-with? "hello" "he")

(str/starts-with? "hello" "x")

(str/starts-with? "hello" "")

(str/ends-with? "hello" "lo")

(str/ends-with? "hello" "x")

(str/includes? "hello" "ell")

(str/includes? "hello" "")

(str/includes? "hello" "xyz")

(str/includes? "Hello" "hello")

(str/includes? nil "a")

(str/starts-with? nil "a")

(str/includes? (str/lower-case "URGENT: fix") "urgent")

(str/index-of "hello" "l")

(str/index-of "hello" "l" 3)

(str/index-of "hello" "x")

(str/index-of "hello" "")

(str/index-of "hello" "l" 4)

(str/index-of "hello" \e)

(str/last-index-of "hello" "l")

(str/last-index-of "hello" "l" 2)

(str/last-index-of "hello" "x")

(str/escape "<a&b>" {\< "&lt;" \> "&gt;" \& "&amp;"})

(str/escape "abc" {\b "[B]"})

(str/re-quote-replacement "$1")

(str/replace "a" #"a" (str/re-quote-replacement "$x"))

(str/upper-case nil)

(str/upper-case 5)

(str/lower-case nil)

(str/join ", " (map str/capitalize ["alice" "bob"]))

(map str/trim (str/split " a , b ,c " #","))

(mapv str/upper-case ["a" "b"])

(filter #(str/starts-with? % "a") ["apple" "banana" "avocado"])

(remove str/blank? ["a" "" nil " " "b"])

(->> (str/split "the quick brown fox" #" ") (map str/capitalize) (str/join " "))

(->> "the cat the dog" (re-seq #"\w+") frequencies (sort-by (juxt (comp - val) key)) first)

(-> "  Hello, World!  " str/trim str/lower-case (str/replace #"[^a-z]+" "-"))

(-> "my file name.TXT" (str/split #"\.") first (str/replace " " "_"))

(let [[user domain] (str/split "bob@example.com" #"@")] {:user user :domain domain})

(into {} (map #(str/split % #"=") (str/split "a=1;b=2" #";")))

(into {} (for [p (str/split "a=1;b=2" #";") :let [[k v] (str/split p #"=")]] [(keyword k) (parse-long v)]))

(apply str (map str/capitalize (str/split "snake_case_name" #"_")))

(count (str/split "one two three" #"\s"))

(str/join (reverse (map str "abc")))

(= "racecar" (str/reverse "racecar"))

(str/split "a\tb\tc" #"\t")

(str/split "1,2,3" (re-pattern ","))

(mapv parse-long (str/split "1,2,3" #","))

(reduce + (map parse-long (str/split "1 2 3" #" ")))

(last (str/split "/usr/local/bin" #"/"))

(str/split "/usr/local/bin" #"/")

(str/split "a--b" #"-")

(str/split "a,b;c" #"[,;]")

(str/split "aXbXc" #"X" 0)

(str/split "aXbXc" #"X" 1)

(clojure.string/join "," (range 5))

(clojure.string/join ", " (map (fn [[k v]] (str (name k) "=" v)) {:a 1 :b 2}))

(str/join "," [[1 2] {:a 1}])

(str/join "," [true false nil])

(str/trim "\u00a0x")

(str/includes? "abc" nil)

(str/capitalize "über alles")

(str/split-lines "a\r\nb")

(str/index-of "a.b" ".")

(subs "key: value" (+ 2 (str/index-of "key: value" ": ")))

(subs "path/to/file" (inc (str/last-index-of "path/to/file" "/")))

(str/ends-with? "report.csv" ".csv")

(every? #(str/includes? % "o") ["foo" "bob"])

(some #(when (str/starts-with? % "b") %) ["apple" "bat" "bee"])

(str/replace "a\\b" "\\" "/")

(str/replace "tel: 555-1234" #"\D" "")

(str/replace "  x  " #"^\s+|\s+$" "")

(str/replace "aBc" #"(?i)b" "-")

(str/replace "x" #"x" "$0$0")

(str/replace "ab" #"(?<first>a)" "<${first}>")

(str/replace "ab" #"(a)" "$2")


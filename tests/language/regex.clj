;; re-find
(re-find #"\d+" "a12b34")
;=> "12"
(re-find #"x" "abc")
;=> nil
(re-find #"(\d)-(\d)" "1-2")
;=> ["1-2" "1" "2"]
(re-find #"(a)(b)?" "a")
;=> ["a" "a" nil]
(re-find (re-pattern "(\\d+)-(\\d+)") "10-20")
;=> ["10-20" "10" "20"]
(re-find #"(?i)ABC" "xabc")
;=> "abc"
(re-find #"(?m)^b" "a\nb")
;=> "b"
(re-find #"^b" "a\nb")
;=> nil
(re-find #"é+" "caféé")
;=> "éé"
(re-find #"\p{L}+" "1héllo")
;=> "héllo"
(re-find #"(?<year>\d{4})" "in 2024")
;=> ["2024" "2024"]
(re-find #"" "a")
;=> ""
(re-find "a" "abc")
;! wrong-type `re-find` expects a regular expression first, found a string "a"
(re-find #"a" nil)
;! wrong-type `re-find` expects a string, found nil
(re-find #"\bfoo\b" "a foo b")
;=> "foo"
(re-find #"[^,]+" "a,b")
;=> "a"
(re-find #"a|b" "xb")
;=> "b"
(re-find #"a{2,3}" "aaaa")
;=> "aaa"
(re-find #"a+?" "aaa")
;=> "a"
(re-find #"\." "a.b")
;=> "."
(re-find #"\s" "a b")
;=> " "

;; re-matches
(re-matches #"\d+" "12")
;=> "12"
(re-matches #"\d+" "12a")
;=> nil
(re-matches #"(\w)(\d)" "a1")
;=> ["a1" "a" "1"]
(re-matches #"a|ab" "ab")
;=> "ab"
(re-matches #"" "")
;=> ""
(re-matches #"a" nil)
;! wrong-type `re-matches` expects a string, found nil
(re-matches #"(?i)abc" "ABC")
;=> "ABC"
(re-matches #"a.*" "abc\n")
;=> nil
(re-matches #"x*" "")
;=> ""
(re-matches #"^\d$" "5")
;=> "5"

;; re-seq
(re-seq #"\d" "1a2")
;=> ("1" "2")
(re-seq #"(\w)(\d)" "a1b2")
;=> (["a1" "a" "1"] ["b2" "b" "2"])
(re-seq #"x" "abc")
;=> nil
(re-seq #"\w+" "one two")
;=> ("one" "two")
(re-seq #"" "ab")
;=> ("" "" "")
(map second (re-seq #"(\w)=" "a=1 b=2"))
;=> ("a" "b")
(count (re-seq #"a" "banana"))
;=> 3

;; Making them.
(re-pattern "a+")
;=> #"a+"
(re-pattern #"a")
;=> #"a"
(re-pattern "(")
;! bad-regex `(` is not a regular expression: unclosed group
(re-pattern "(?=a)")
;! bad-regex `(?=a)` is not a regular expression: look-around, including look-ahead and look-behind, is not supported
;clj D9 #"(?=a)"
(re-pattern "(?<!a)b")
;! bad-regex `(?<!a)b` is not a regular expression: look-around, including look-ahead and look-behind, is not supported
;clj D9 #"(?<!a)b"
(re-pattern "(a)\\1")
;! bad-regex `(a)\1` is not a regular expression: backreferences are not supported
;clj D9 #"(a)\1"
(re-pattern nil)
;! wrong-type `re-pattern` expects a text, found nil
(re-find (re-pattern (str "a" "b")) "cab")
;=> "ab"
(= #"a" #"a")
;=> false
(str/split "2024-01-02" #"-")
;=> ["2024" "01" "02"]
(map parse-long (re-seq #"\d+" "1, 22, 333"))
;=> (1 22 333)
(when-let [[_ k v] (re-find #"(\w+)=(\w+)" "a=b")] {k v})
;=> {"a" "b"}
(boolean (re-find #"a" "b"))
;=> false
(some #(re-find #"b" %) ["a" "b"])
;=> "b"
(filter #(re-matches #"[a-c]" %) ["a" "d" "c"])
;=> ("a" "c")
(re-groups 1)
;! wrong-type `re-groups` expects a matcher, found an integer 1

;; Expressions are written and searched as in Java.
[(re-seq #"\w+" "né 5x") (re-seq #"\d" "5٣") (re-seq #"[\W]" "aé") (re-seq #"[^\W]" "aé_")]
;=> [("n" "5x") ("5") ("é") ("a" "_")]
[(re-find #"\Qa.b\E" "xa.b") (re-find #"[\Q]^\E]" "^") (re-seq #"\p{Punct}" "a$+!") (re-seq #"\p{IsAlphabetic}" "é1")]
;=> ["a.b" "^" ("$" "+" "!") ("é")]
[(re-find #"a$" "ba\n") (re-find #"a$" "ba\r\n") (re-find #"a\z" "ba\n") (re-find #"a\Z" "ba\n") (re-matches #"a$" "a\n")]
;=> ["a" "a" nil "a" nil]
[(re-seq #"a*" "aab") (re-seq #"$" "a\n") (re-seq #"\s*$" "a \n") (re-seq #"." "a\rb\nc")]
;=> [("aa" "" "") ("" "") (" \n" "") ("a" "b" "c")]
[(str/replace "aab" #"a*" "x") (str/replace "a\n" #"$" "!") (str/split "aab" #"a*") (str/split "ab" #"" -1)]
;=> ["xxbx" "a!\n!" ["" "" "b"] ["a" "b" ""]]
[(re-find #"\0101" "A") (re-find #"[a-z&&[^b]]+" "bac") (re-seq #"\h" " \t") (str #"\Qa\E") (pr-str #"\d")]
;=> ["A" "ac" (" " "\t") "\\Qa\\E" "#\"\\d\""]
(re-find #"\y" "y")
;! bad-regex `\y` is not a regular expression: unrecognized escape sequence
(let [m (re-matcher #"\d+" "1 22")] [(re-find m) (re-groups m) (re-find m) (re-find m)])
;=> ["1" "1" "22" nil]
(re-groups (doto (re-matcher #"(a)(b)" "ab") (re-find)))
;=> ["ab" "a" "b"]
(try (re-groups (re-matcher #"a" "b")) (catch IllegalStateException e (ex-message e)))
;=> "No match found"
(re-find (re-matcher #"a*" "b"))
;=> ""
(re-find "a")
;! wrong-type `re-find` expects a matcher, found a string "a"
(return (re-matcher #"a" "a"))
;! not-json a matcher has no JSON form
[(instance? java.util.regex.Pattern #"a") (class (re-matcher #"a" "b"))]
;=> [true java.util.regex.Matcher]

;; A matcher has the groups of its last match at their positions.
(let [m (re-matcher #"(a)(b)" "ab")] (re-find m) (let [[whole a b] m] [whole a b (nth m 9 :none)]))
;=> ["ab" "a" "b" :none]
(let [m (re-matcher #"(a)(b)" "ab")] (nth m 0))
;! bad-regex `nth` expects a matcher that has found a match
(let [m (re-matcher #"(a)(b)" "ab")] (re-find m) (nth m 5))
;! out-of-bounds there is no item at position 5; the collection has 3 items

;; str and kin
(str)
;=> ""
(str nil)
;=> ""
(str "a" 1 nil :k)
;=> "a1:k"
(str 1.0)
;=> "1.0"
(str [1 "a" \b nil :k])
;=> "[1 \"a\" \"b\" nil :k]"
;clj D3 "[1 \"a\" \\b nil :k]"
(str {:a "x"})
;=> "{:a \"x\"}"
(str '(1 2))
;=> "(1 2)"
(str #{1})
;=> "#{1}"
(str true)
;=> "true"
(str "a" "b" "c")
;=> "abc"
(str [nil])
;=> "[nil]"
(str (range 3))
;=> "(0 1 2)"
(str 'sym)
;=> "sym"
(pr-str "a" [1])
;=> "\"a\" [1]"
(pr-str "a\"b\n")
;=> "\"a\\\"b\\n\""
(pr-str nil)
;=> "nil"
(pr-str :a 'b \c)
;=> ":a b \"c\""
;clj D3 ":a b \\c"
(pr-str {:a "b"})
;=> "{:a \"b\"}"
(pr-str)
;=> ""
(name :a)
;=> "a"
(name "a")
;=> "a"
(name 'a)
;=> "a"
(name :a/b)
;=> "b"
(name nil)
;! wrong-type `name` expects a keyword, a symbol or a string, found nil
(name 5)
;! wrong-type `name` expects a keyword, a symbol or a string, found an integer 5
(namespace :a/b)
;=> "a"
(keyword "a")
;=> :a
(keyword :a)
;=> :a
(keyword 'a)
;=> :a
(keyword nil)
;=> nil
(keyword "a" "b")
;=> :a/b
(keyword "a b")
;=> :a b
(keyword 5)
;=> nil
(symbol "a")
;=> a

;; Parts.
(subs "hello" 1 3)
;=> "el"
(subs "hello" 2)
;=> "llo"
(subs "hello" 5)
;=> ""
(subs "hello" 6)
;! out-of-bounds `subs` from 6 to its end is out of range: the text has 5 characters
(subs "hello" 3 1)
;! out-of-bounds `subs` from 3 to 1 is out of range: the text has 5 characters
(subs "hello" -1)
;! out-of-bounds `subs` from -1 to its end is out of range: the text has 5 characters
(subs "hello" 0 9)
;! out-of-bounds `subs` from 0 to 9 is out of range: the text has 5 characters
(subs nil 0)
;! wrong-type `subs` expects a string, found nil
(subs "héllo" 1 3)
;=> "él"
(count (subs "a😀b" 0 2))
;=> 2
(count "a😀b")
;=> 3
;clj D3 4
(get "héllo" 1)
;=> "é"
(nth "abc" 2)
;=> "c"
(nth "abc" 5)
;! out-of-bounds there is no item at position 5; the collection has 3 items
(first "abc")
;=> "a"
(last "abc")
;=> "c"
(rest "abc")
;=> ("b" "c")
(seq "ab")
;=> ("a" "b")
(reverse "abc")
;=> ("c" "b" "a")
(map identity "ab")
;=> ("a" "b")
(apply str (reverse "abc"))
;=> "cba"
(vec "ab")
;=> ["a" "b"]
(contains? "abc" 0)
;=> true
(take 2 "abc")
;=> ("a" "b")
(sort "bca")
;=> ("a" "b" "c")
(frequencies "hello")
;=> {"h" 1, "e" 1, "l" 2, "o" 1}
(into #{} "aab")
;=> #{"a" "b"}

;; clojure.string
(str/join ", " [1 2 3])
;=> "1, 2, 3"
(str/join [1 2])
;=> "12"
(str/join "," [])
;=> ""
(str/join "," nil)
;=> ""
(str/join "," [nil 1 nil])
;=> ",1,"
(str/join "," "abc")
;=> "a,b,c"
(str/join \- [1 2])
;=> "1-2"
(str/join ", " {:a 1})
;=> "[:a 1]"
(str/join "," 5)
;! wrong-type expected a collection, found an integer 5
(str/split "a,b,c" #",")
;=> ["a" "b" "c"]
(str/split "a,,b" #",")
;=> ["a" "" "b"]
(str/split "a,b,," #",")
;=> ["a" "b"]
(str/split ",a" #",")
;=> ["" "a"]
(str/split "" #",")
;=> [""]
(str/split "abc" #"")
;=> ["a" "b" "c"]
(str/split "a,b,c" #"," 2)
;=> ["a" "b,c"]
(str/split "a,b,," #"," -1)
;=> ["a" "b" "" ""]
(str/split "a,b" ",")
;! wrong-type `str/split` expects a regular expression, found a string ","
(str/split "a1b22c" #"\d+")
;=> ["a" "b" "c"]
(str/split nil #",")
;! wrong-type `str/split` expects a string, found nil
(str/split "a  b" #"\s+")
;=> ["a" "b"]
(str/split "aa" #"a")
;=> []
(str/split "," #",")
;=> []
(str/split "a" #"a" -1)
;=> ["" ""]
(str/split "aXbXc" #"X" 1)
;=> ["aXbXc"]
(str/split "abc" #"" 2)
;=> ["a" "bc"]
(str/split " a b " #" ")
;=> ["" "a" "b"]
(str/split-lines "\n\n")
;=> []
(str/split-lines "a\nb\r\nc")
;=> ["a" "b" "c"]
(str/split-lines "a\n\n")
;=> ["a"]
(str/split-lines "")
;=> [""]
(str/trim " a b ")
;=> "a b"
(str/trim "\n\ta ")
;=> "a"
(str/triml " a ")
;=> "a "
(str/trimr " a ")
;=> " a"
(str/trim nil)
;! wrong-type `str/trim` expects a string, found nil
(str/trim-newline "a\n\r\n")
;=> "a"
(str/upper-case "aé")
;=> "AÉ"
(str/lower-case "AÉ")
;=> "aé"
(str/upper-case :a)
;=> ":A"
(str/upper-case nil)
;! wrong-type `str/upper-case` expects a string, found nil
(str/lower-case nil)
;! wrong-type `str/lower-case` expects a string, found nil
(str/capitalize nil)
;! wrong-type `str/capitalize` expects a string, found nil
(str/capitalize "aBC")
;=> "Abc"
(str/capitalize "")
;=> ""
(str/reverse "abc")
;=> "cba"
(str/reverse [1])
;! wrong-type `str/reverse` expects a string, found a vector [1]
(str/blank? " ")
;=> true
(str/blank? nil)
;=> true
(str/blank? "a")
;=> false
(str/starts-with? "abc" "ab")
;=> true
(str/starts-with? "abc" "")
;=> true
(str/starts-with? nil "a")
;! wrong-type `str/starts-with?` expects a string, found nil
(str/ends-with? "abc" "bc")
;=> true
(str/includes? "abc" "b")
;=> true
(str/includes? "abc" "")
;=> true
(str/includes? "abc" nil)
;! wrong-type `str/includes?` expects a string, found nil
(str/index-of "hello" "l")
;=> 2
(str/index-of "hello" "l" 3)
;=> 3
(str/index-of "hello" "z")
;=> nil
(str/index-of "héllo" "l")
;=> 2
(str/index-of "hello" "l" 99)
;=> nil
(str/last-index-of "hello" "l")
;=> 3
(str/last-index-of "hello" "z")
;=> nil
(str/replace "aaa" "a" "b")
;=> "bbb"
(str/replace "a.b" "." "-")
;=> "a-b"
(str/replace "abc" #"[ab]" "x")
;=> "xxc"
(str/replace "a1b2" #"(\w)(\d)" "$2$1")
;=> "1a2b"
(str/replace "abc" #"b" str/upper-case)
;=> "aBc"
(str/replace "a1" #"(\w)(\d)" (fn [[all a b]] (str b a)))
;=> "1a"
(str/replace "abc" "" "-")
;=> "-a-b-c-"
(str/replace "aXb" \X \Y)
;=> "aYb"
(str/replace "a$b" "$" "\\")
;=> "a\\b"
(str/replace "ab" #"a" "\\$")
;=> "$b"
(str/replace nil "a" "b")
;! wrong-type `str/replace` expects a string, found nil
(str/replace "abc" "b" 5)
;! wrong-type `str/replace` expects a text as the replacement of a text, found an integer 5
(str/replace "x" #"x" "$1")
;! bad-regex the replacement names a group that the expression does not have
(str/replace-first "aa" "a" "b")
;=> "ba"
(str/replace-first "a1b2" #"\d" "!")
;=> "a!b2"
(str/replace-first "abc" #"z" "!")
;=> "abc"
(str/replace-first "abab" #"(b)" (fn [[m g]] (str "<" g ">")))
;=> "a<b>ab"
(clojure.string/join "-" [1 2])
;=> "1-2"
(string/join "-" [1 2])
;=> "1-2"
;clj N2 error
(join "-" [1 2])
;! unknown-name `join` is not defined
(str/escape "a" {})
;=> "a"
(str/pad "a" 5)
;! unknown-name `str/pad` is not defined
(format "%d" 5)
;=> "5"

;; Comparing and ordering text.
(= "a" "a")
;=> true
(= "a" \a)
;=> true
;clj D3 false
(compare "a" "b")
;=> -1
(sort ["b" "A" "a"])
;=> ("A" "a" "b")
(< "a" "b")
;! wrong-type `<` expects numbers, its first argument is a string "a"
(max "a" "b")
;! wrong-type `max` expects numbers, its one argument is a string "a"
(sort-by str/lower-case ["b" "A"])
;=> ("A" "b")
(compare "apple" "banana")
;=> -1
(compare "é" "f")
;=> 131

;; Numbers.
42
;=> 42
-17
;=> -17
+5
;=> 5
0
;=> 0
-0
;=> 0
007
;=> 7
1.5
;=> 1.5
-0.0
;=> -0.0
1e5
;=> 100000.0
1.23e-4
;=> 1.23E-4
1E3
;=> 1000.0
1.
;=> 1.0
0xff
;=> 255
-0xFF
;=> -255
2r1010
;=> 10
36rZZ
;=> 1295
9223372036854775807
;=> 9223372036854775807
9223372036854775808
;=> 9223372036854775808N
-9223372036854775809
;=> -9223372036854775809N
5N
;=> 5
##NaN
;=> ##NaN
##Inf
;=> ##Inf
##-Inf
;=> ##-Inf
1/2
;=> 0.5
;clj D4 1/2
1.5M
;! bad-token `1.5M` is a BigDecimal, and the language has none
;clj D4 1.5M
.5
;! unknown-name `.5` is not defined
1x
;! bad-token `1x` is not a number
08
;! bad-token `08` is not a number
1_000
;! bad-token `1_000` is not a number
##Foo
;! bad-token `##Foo` is not a number
12abc
;! bad-token `12abc` is not a number

;; Strings and characters.
"plain"
;=> "plain"
"a\nb\tc\\d\"e"
;=> "a\nb\tc\\d\"e"
"two
  lines"
;=> "two\n  lines"
"\u0041\u00e9"
;=> "Aé"
"\ud83d\ude00"
;=> "😀"
"\101"
;=> "A"
"é日本😀"
;=> "é日本😀"
""
;=> ""
"\q"
;! bad-token `\q` is not a string escape
"\u12"
;! bad-token `\u` is not a string escape
"open
;! unclosed-string this string is never closed; the program ends first
\a
;=> "a"
\newline
;=> "\n"
\space
;=> " "
\tab
;=> "\t"
\u0041
;=> "A"
\é
;=> "é"
\nope
;! bad-token `\nope` is not a character
[\a \b]
;=> ["a" "b"]
(str \a \b)
;=> "ab"

;; Keywords, symbols, nil, booleans.
:a
;=> :a
:a/b
;=> :a/b
:a-b.c?
;=> :a-b.c?
:1
;=> :1
::a
;=> :user/a
::s/a
;! bad-token `::s/a`: `s` is not an alias of a library
[::a/ ::]
;! bad-token `::a/` is not a keyword
;! bad-token `::` is not a keyword
:::a
;! bad-token `:::a` is not a keyword
(ns my.app (:require [no.such.library :as n])) [::a ::n/b '::c (quote [::d]) #{::e}]
;=> [:my.app/a :no.such.library/b :my.app/c [:my.app/d] #{:my.app/e}]
{::a 1 :user/a 2}
;! bad-form this map has a duplicate key
(read-string "::a")
;! bad-token `read-string`: a keyword with two colons needs a namespace, and a text has none
:
;! bad-token `:` is not a keyword
:a:
;! bad-token `:a:` is not a keyword
nil
;=> nil
true
;=> true
false
;=> false
nilly
;! unknown-name `nilly` is not defined
'sym
;=> sym
'a/b
;=> a/b
'nil
;=> nil
'true
;=> true
'a.b
;=> a.b

;; Collections and white space.
[1,2,,3]
;=> [1 2 3]
[1 [2 [3]]]
;=> [1 [2 [3]]]
{:a 1, :b 2}
;=> {:a 1, :b 2}
{:a 1, :b}
;! odd-map a map needs a value for every key; this key has none
{}
;=> {}
#{}
;=> #{}
#{1 2}
;=> #{1 2}
()
;=> ()
'()
;=> ()
'(1 2)
;=> (1 2)
'(a [b {:c d}])
;=> (a [b {:c d}])
'[a 'b]
;=> [a (quote b)]
`a
;! bad-token a backquote is not part of the language
;clj D7 user/a
~a
;! bad-token `~` is not allowed here
#_only
;! empty-program the program has no form
;clj D1 nil
[1 ; one
  2]
;=> [1 2]
[1 #_2 3]
;=> [1 3]
[1 #_(a b c) 3]
;=> [1 3]
[#_#_1 2 3]
;=> [3]
^:private [1]
;=> [1]
^{:doc "x"} [1]
;=> [1]
#!shebang
;! empty-program the program has no form
;clj D1 nil
(comment anything (at all))
;=> nil
1 2 3
;=> 3

;; Duplicates in literals.
{:a 1 :a 2}
;! bad-form this map has a duplicate key
#{1 1 2}
;! bad-form this set has a duplicate member

;; Delimiters.
(+ 1 2
;! unclosed-delimiter `(+ …` is never closed; the program ends first
(+ 1 2))
;! unexpected-delimiter `)` closes nothing: all forms before it are closed
[1 2)
;! unexpected-delimiter `)` does not close `[1 …` of line 1, column 1
(+ 1 [2 3)
;! unexpected-delimiter `)` does not close `[2 …` of line 1, column 6
)
;! unexpected-delimiter `)` closes nothing: all forms before it are closed
{:a 1
;! unclosed-delimiter `{:a …` is never closed; the program ends first
#{1
;! unclosed-delimiter `#{1 …` is never closed; the program ends first
#(+ 1
;! unclosed-delimiter `#(+ …` is never closed; the program ends first
(let [x 1
  y 2] (+ x y)
;! unclosed-delimiter `[x …` is never closed; line 2 begins left of its inside, so it should end at line 1, column 10
;! unexpected-delimiter `]` does not close `(let …` of line 1, column 1
'
;! bad-token `'` needs a form after it
@
;! bad-token `@` needs a form after it
#'
;! bad-token `#'` needs a form after it
#_
;! bad-token `#_` needs a form after it
[#_]
;! bad-token `#_` needs a form after it

;; Several problems at once.
[1x 2y 3z]
;! bad-token `1x` is not a number
;! bad-token `2y` is not a number
;! bad-token `3z` is not a number
(1x 2) (3y
;! bad-token `1x` is not a number
;! bad-token `3y` is not a number
;! unclosed-delimiter `(3y …` is never closed; the program ends first
["a\q" 08 :]
;! bad-token `\q` is not a string escape
;! bad-token `08` is not a number
;! bad-token `:` is not a keyword

;; Dispatch characters that are left out.
#?(:clj 1)
;! bad-token `#` is not allowed here
;clj D7 #?(:clj 1)
#inst "2024-01-01"
;! bad-token `#` is not allowed here
;clj D7 #inst "2024-01-01T00:00:00.000-00:00"
#=(+ 1 2)
;! bad-token `#` is not allowed here
;clj D7 3
#<x>
;! bad-token `#` is not allowed here
“quoted”
;! bad-token `“` is not allowed here
;! bad-token `”` is not allowed here

;; Regular expressions.
#"\d+"
;=> #"\d+"
#"a\"b"
;=> #"a\"b"
#"(?=x)"
;! bad-regex `(?=x)` is not a regular expression: look-around, including look-ahead and look-behind, is not supported
;clj D9 #"(?=x)"
#"("
;! bad-regex `(` is not a regular expression: unclosed group
(str #"\d")
;=> "\\d"

;; Names and what stands beside them.
(let [a' 1 +a 2 -a 3 a#b 4 é 5 aé 6 nil? 7 true-x 8] [a' +a -a a#b é aé nil? true-x])
;=> [1 2 3 4 5 6 7 8]
[:a':a#b:+1 :+ :nil :true :-a :é :aé :a:b]
;=> [:a':a#b:+1 :+ :nil :true :-a :é :aé :a:b]
[1,2	3 4, ,5] ; a comment
;=> [1 2 3 4 5]
:a:
;! bad-token `:a:` is not a keyword
a:
;! bad-token `a:` is not a name

;; Nothing.
(do)
;=> nil

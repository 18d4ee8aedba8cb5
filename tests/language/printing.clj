;; println and kin
(println "a" 1)
;print a 1
;=> nil
(println)
;print 
;=> nil
(println nil)
;print nil
;=> nil
(println "a" nil :k [1 "s"])
;print a nil :k [1 s]
;=> nil
(println [nil "x" \c])
;print [nil x c]
;=> nil
(println 1.0 ##NaN)
;print 1.0 ##NaN
;=> nil
(prn "a" 1)
;print "a" 1
;=> nil
(prn nil)
;print nil
;=> nil
(prn [1 "a"])
;print [1 "a"]
;=> nil
(print "x")
;print x
;=> nil
(do (println 1) (println 2) 3)
;print 1
;print 2
;=> 3
(println "a\nb")
;print a
;print b
;=> nil
(println {:a "x"} #{"y"} '("z"))
;print {:a x} #{y} (z)
;=> nil
(map println [1 2])
;print 1
;print 2
;=> (nil nil)
(println (map inc [1 2]))
;print (2 3)
;=> nil
(println (str "a" nil))
;print a
;=> nil
(pr "a")
;print "a"
;=> nil
(println inc)
;print #function[inc]
;=> nil
(println #"a+")
;print #"a+"
;=> nil
(println "")
;print 
;=> nil
(dotimes [i 2] (println "line" i))
;print line 0
;print line 1
;=> nil
(println (println 1))
;print 1
;print nil
;=> nil

;; Values as they are shown.
nil
;=> nil
"text"
;=> "text"
\a
;=> "a"
[1 "a" :k nil true 1.5]
;=> [1 "a" :k nil true 1.5]
{:a 1, :b {:c [1 2]}}
;=> {:a 1, :b {:c [1 2]}}
#{1 2}
;=> #{1 2}
'(1 2)
;=> (1 2)
()
;=> ()
(quote (a "b" :c))
;=> (a "b" :c)
1e100
;=> 1.0E100
1.0E-10
;=> 1.0E-10
123456.789
;=> 123456.789
1234567.0
;=> 1234567.0
12345678.0
;=> 1.2345678E7
0.001
;=> 0.001
0.00099
;=> 9.9E-4
100000000000000000000
;=> 100000000000000000000N
-0.0
;=> -0.0
"quote \" backslash \\ newline \n tab \t"
;=> "quote \" backslash \\ newline \n tab \t"
"unicode é 😀"
;=> "unicode é 😀"
"\u0001\u007f"
;=> ""
"\b\f"
;=> "\b\f"
inc
;=> #function[inc]
(fn [x] x)
;=> #function[fn]
#(+ % 1)
;=> #function[fn]
(fn named [] 1)
;=> #function[named]
#"re\d"
;=> #"re\d"
(re-pattern "a\"b")
;=> #"a\"b"
{:f inc}
;=> {:f #function[inc]}
[##Inf ##-Inf ##NaN]
;=> [##Inf ##-Inf ##NaN]
(partial + 1)
;=> #function[fn]
(comp inc dec)
;=> #function[fn]
(defn shown [] 1)
;=> #'shown
(def d 1)
;=> #'d
{nil nil}
;=> {nil nil}
{"a b" 1}
;=> {"a b" 1}
:a/b
;=> :a/b
'a/b
;=> a/b
[[] {} #{} ()]
;=> [[] {} #{} ()]
(keyword "a b")
;=> :a b
(symbol "a b")
;=> a b

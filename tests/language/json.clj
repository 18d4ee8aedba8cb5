;; What comes in as JSON.
;ctx {"int": 1, "neg": -5, "float": 1.5, "exp": 1e3, "whole": 2.0, "big": 123456789012345678901234567890, "str": "a\"b\\c\n\u00e9\ud83d\ude00", "t": true, "f": false, "nil": null, "list": [1, [2, []]], "map": {"a b": 1, "c": {}}, "empty": "", "dup": {"k": 1, "k": 2}, "key:colon": 1}
ctx/int
;=> 1
ctx/neg
;=> -5
ctx/float
;=> 1.5
ctx/exp
;=> 1000.0
ctx/whole
;=> 2.0
ctx/big
;=> 123456789012345678901234567890N
ctx/str
;=> "a\"b\\c\né😀"
(count ctx/str)
;=> 8
[ctx/t ctx/f ctx/nil]
;=> [true false nil]
ctx/list
;=> [1 [2 []]]
(vector? ctx/list)
;=> true
ctx/map
;=> {"a b" 1, "c" {}}
(get ctx/map "a b")
;=> 1
ctx/empty
;=> ""
ctx/dup
;=> {"k" 2}
(get ctx "key:colon")
;=> 1
(type ctx/whole)
;=> java.lang.Double
(= ctx/whole 2)
;=> true
(keys ctx/map)
;=> ("a b" "c")
(string? (first (keys ctx/map)))
;=> true
(:c ctx/map)
;=> {}
(assoc ctx/map :c 5)
;=> {"a b" 1, "c" 5}

;; What goes out as JSON.
(return {:a 1 "b" 2})
;return {:a 1, "b" 2}
(return [:k 'sym])
;return [:k sym]
(return {:a ##Inf})
;! not-json a: a not-a-number or infinite float has no JSON form
(return [1 [2 {:x inc}]])
;! not-json [1][1].x: a function has no JSON form
(return #"re")
;! not-json a regular expression has no JSON form
(return {[1 2] 3})
;return {[1 2] 3}
(return {1 2})
;return {1 2}
(return {nil 1})
;return {nil 1}
(return {:a (map inc [1 2])})
;return {:a (2 3)}
(return "text")
;return "text"
(return 123456789012345678901234567890)
;return 123456789012345678901234567890N
(return {:a/b 1})
;return {:a/b 1}
(return (fn [x] x))
;! not-json a function has no JSON form
(return {true 1})
;return {true 1}

()

'()

'(1 2 3)

(list)

(list 1 2 3)

(list nil)

(list* 1 2 [3 4])

(list* [1 2])

(list* 1 nil)

(list? '(1))

(list? ())

(list? [1])

(list? (rest '(1 2)))

(list? (map inc [1]))

(list? (conj '(1) 0))

(list? (reverse [1 2]))

(seq? '(1))

(seq? (map inc [1]))

(seq? [1])

(seq? nil)

(seq? ())

(count '(1 2 3))

(count ())

(first '(1 2))

(first ())

(rest '(1 2))

(rest ())

(next '(1))

(peek '(1 2))

(peek ())

(pop '(1 2))

(pop ())

(conj '(1 2) 0)

(conj '(1) 2 3)

(conj () 1)

(conj nil 1 2)

(cons 0 '(1 2))

(cons 1 nil)

(cons 1 (cons 2 nil))

(into () [1 2 3])

(into '(0) [1 2])

(nth '(1 2 3) 1)

(nth '(1 2) 5)

(nth '(1 2) 5 :none)

(get '(1 2) 0)

(get '(1 2) 0 :none)

(last '(1 2 3))

(second '(1 2))

(reverse '(1 2 3))

(reverse nil)

(empty? ())

(empty '(1 2))

(= '(1 2) [1 2])

(= () [])

(= () nil)

(list 1 'a :b "c")

'(a (b c) [d] {:e f})

'(1 . 2)

(first '((1 2) 3))

(apply list [1 2])

(vec '(1 2))

(set '(1))

(concat '(1) '(2))

(map inc '(1 2))

(list (+ 1 2) (* 2 3))

(contains? '(1 2) 1)

(some #{2} '(1 2))

(assoc '(1 2) 0 :a)

('(1 2) 0)

(1 2)

(nil)

("a" 1)

(true 1)

((list 1 2) 0)

(.indexOf '(1 2 3) 3)

(list '(1) '(2))

(conj (rest [1 2 3]) 0)

(conj (map inc [1 2]) 0)

(conj (seq [1 2]) 0)

(conj (range 3) :x)

(conj (filter odd? [1 2 3]) 9)

(conj (cons 1 [2]) 0)

(sort '(3 1 2))

(nthnext '(1 2 3) 1)

(coll? ())

(sequential? ())

(associative? '(1))

(counted? '(1))

(boolean ())

(if () :yes :no)

(if (seq ()) :yes :no)


(peek (range 3))

(pop (range 3))

(peek (map inc [1]))

(pop (map inc [1]))

(peek (rest '(1 2 3)))

(pop (pop '(1 2 3)))

(peek (rest [1]))

(peek (into () [1 2]))

(pop (conj (list 1) 2))

(peek (reverse [1 2]))

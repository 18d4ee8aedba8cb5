((fn [x] (* x 2)) 4)

((fn [] 5))

(#(+ %1 %2) 1 2)

(#(* % %) 3)

(#(vector %&) 1 2)

(#(vector % %&) 1 2 3)

(#(vec [%2 %1]) 1 2)

(#(do 5))

(#(identity {:a %}) 1)

(#(str "x" %) 1)

((fn [& xs] xs) 1 2)

((fn [& xs] xs))

((fn [x & xs] [x xs]) 1)

((fn [x & xs] [x xs]) 1 2 3)

((fn ([] 0) ([x] x) ([x y] (+ x y))) 1 2)

((fn ([] 0) ([x] x)))

((fn ([x] :one) ([x & more] :many)) 1 2 3)

((fn ([x] :one) ([x & more] :many)) 1)

(defn f ([x] (f x 10)) ([x y] (+ x y))) (f 5)

(defn f ([] :zero) ([x & more] [x more])) [(f) (f 1) (f 1 2)]

(defn greet ([] (greet "World")) ([n] (str "Hello, " n "!"))) [(greet) (greet "Bob")]

(defn sum [& xs] (reduce + 0 xs)) [(sum) (sum 1) (sum 1 2 3)]

(defn fact [n] (if (<= n 1) 1 (* n (fact (dec n))))) (fact 10)

(defn fact [n] (if (zero? n) 1N (* n (fact (dec n))))) (str (fact 25))

(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 15)

((fn fact [n] (if (zero? n) 1 (* n (fact (dec n))))) 5)

(defn depth [n] (if (zero? n) 0 (inc (depth (dec n))))) (depth 5000)

(defn ev? [n] (if (zero? n) true (not (ev? (dec n))))) (ev? 100)

(defn add [a] (fn [b] (+ a b))) ((add 1) 2)

(let [add (fn [a] #(+ a %))] ((add 5) 3))

(let [x 10 f (fn [y] (+ x y))] (f 5))

(let [x 1 f (fn [] x) x 2] (f))

(def counter (let [n (atom 0)] (fn [] (swap! n inc)))) (counter) (counter)

(let [fs (map (fn [i] (fn [] i)) [1 2 3])] (map #(%) fs))

(apply + 1 2 [3 4])

(apply str "a" ["b" "c"])

(apply (fn [a b] (- a b)) [5 3])

(apply f [])

(apply max 1 [5 3])

(apply hash-map [:a 1])

(apply + nil)

(apply + [])

(apply map vector [[1 2] [3 4]])

(apply #(vector %1 %2) [1 2])

(apply (fn [& xs] (count xs)) (range 100))

(apply (fn [a & more] [a (count more)]) (range 10))

(fn? inc)

(fn? :a)

(fn? {})

(fn? #(inc %))

(ifn? inc)

(ifn? :a)

(ifn? {})

(ifn? #{})

(ifn? [])

(ifn? "a")

(ifn? 'a)

((fn [x] x))

((fn [x] x) 1 2)

((fn [] 1) 2)

((fn [x y & z] x) 1)

((fn ([x] x) ([x y z] z)) 1 2)

(defn f [x] x) (f)

(defn f [x] x) (f 1 2)

(defn f ([x] x) ([x y] y)) (f 1 2 3)

(#(+ %1 %2) 1)

(#(inc %) 1 2)

((constantly 5))

((constantly 5) 1 2 3)

((complement even?) 3)

((complement nil?) nil)

((comp inc #(* 2 %)) 5)

((comp) 5)

((comp str inc) 1)

((comp first rest) [1 2 3])

((comp :b :a) {:a {:b 1}})

((comp - +) 1 2 3)

((partial + 10) 5)

((partial + 1 2) 3 4)

((partial str "a") "b" "c")

((partial map inc) [1 2])

((partial get {:a 1}) :a)

((juxt inc dec) 5)

((juxt :a :b) {:a 1 :b 2})

((juxt first last count) [1 2 3])

((juxt + * min max) 2 3)

((fnil inc 0) nil)

((fnil inc 0) 5)

((fnil + 1 2) nil nil)

((fnil conj []) nil 1)

((fnil str "a" "b" "c") nil nil nil)

((every-pred pos? even?) 4)

((every-pred pos? even?) 3)

((every-pred pos? even?) 2 4 6)

((every-pred pos? even?) 2 -4)

((every-pred :a :b) {:a 1 :b nil})

((some-fn pos? even?) -2)

((some-fn :a :b) {:b 5})

((some-fn :a :b) {})

((some-fn #{1} #{2}) 2)

((some-fn nil? empty?) [])

(identity nil)

(map (fn [x] [x (* x x)]) [1 2])

(map #(assoc % :b 1) [{:a 1}])

(map #(-> % inc str) [1 2])

(filter #(and (> % 1) (< % 4)) [1 2 3 4])

(sort-by #(- %) [1 3 2])

(reduce #(+ %1 (:n %2)) 0 [{:n 1} {:n 2}])

(map #(hash-map :x %) [1 2])

(map (fn [{:keys [a]}] a) [{:a 1}])

(def square #(* % %)) (map square [1 2 3])

(def add5 (partial + 5)) (add5 1)

(defn compose [& fs] (reduce comp fs)) ((compose inc inc) 1)

(defn apply-twice [f x] (f (f x))) (apply-twice #(* 3 %) 2)

(defn f [x] {:pre [(pos? x)]} x) (f 1)

(defn f [x] {:pre [(pos? x)]} x) (f -1)

(defn f [x] {:post [(pos? %)]} x) (f -1)

(defn f [x] {:a 1}) (f 1)

(defn f [^String s ^long n] (str s n)) (f "a" 1)

(defn ^String g [x] (str x)) (g 1)

(defn f [] "only doc?") (f)

(defn f [x] (when x) x) (f 1)

(defn f []) (f)

((fn []))

(let [f (fn self [n acc] (if (zero? n) acc (self (dec n) (+ acc n))))] (f 100 0))

(trampoline (fn f [n] (if (zero? n) :done #(f (dec n)))) 100)

((memoize inc) 1)

(let [m {:inc inc :dec dec}] ((:inc m) 1))

(let [ops {"+" + "-" -}] ((get ops "-") 5 3))

(((fn [] inc)) 1)

((if true + -) 5 3)

((or nil inc) 1)

(map (fn [f] (f 10)) [inc dec #(* 2 %)])

((first [inc dec]) 1)

(let [[f g] [inc dec]] (g (f 1)))

(#(%1 %2) inc 5)

((fn [f & args] (apply f args)) + 1 2 3)

((fn [a b & {:keys [c]}] [a b c]) 1 2 :c 3)

(map #(%) [(constantly 1)])

(map #(map inc %) [[1] [2]])

(#(#(inc %) %) 1)

(nil 1)

((:missing {}) 1)

(let [f nil] (f 1))

(defn f [x] {:pre (pos? x)} x) (f 1)

(defn f [x] {:pre (pos? x)} x) (f -1)

(defn f [x] {:pre (nope? x)} x) (f -1)

(defn f [x] {:pre true} x) (f -1)

(defn f [x] {:pre x} x) (f -1)

(defn f [x] {:pre nil} x) (f -1)

(defn f [x] {:pre #{(pos? x)}} x) (f -1)

(defn f [x] {:post (pos? %)} x) (f -1)

(defn f [x] {:pre {:a 1}} x) (f -1)

(defn f [x] {:pre (> x 0)} x) (f -1)

(defn f [x] {:pre (false x)} x) (f -1)

(defn f [x] {:pre "abc"} x) (f -1)

(defn f [x] {:pre 'x} x) (f -1)

(defn f [x] {:pre :a} x) (f -1)

(defn f [x] {:pre ()} x) (f -1)

((defn f [x] x) 1)

(map (defn f [x] (inc x)) [1 2])

(let [g (defn f [x] (inc x))] (g 1))

((def x {:a 1}) :a)

((def x {:a 1}))

(apply (defn f [x] x) [1])

(fn? (defn f []))

(ifn? (defn f []))

(var? (def x 1))

((comp inc (defn f [x] x)) 1)

((partial (defn f [a b] (+ a b)) 1) 2)

((defn f [x] x))

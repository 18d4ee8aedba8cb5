(if true 1 2)

(if false 1 2)

(if nil 1 2)

(if 0 1 2)

(if "" 1 2)

(if [] 1 2)

(if false 1)

(if true 1)

(if-not false 1 2)

(if-not nil 1)

(when true 1 2 3)

(when false 1)

(when true)

(when nil 1)

(when-not false :a :b)

(when-not true :a)

(do 1 2 3)

(do)

(do (def x 1) (inc x))

(and)

(and 1 2)

(and nil 1)

(and 1 false 2)

(and true true)

(and 1 nil)

(and false nil)

(or)

(or nil 2)

(or nil false)

(or false nil)

(or 1 (throw (ex-info "no" {})))

(and nil (throw (ex-info "no" {})))

(or false nil 3 4)

(not true)

(not nil)

(not 0)

(not [])

(if-let [x 1] (inc x) :none)

(if-let [x nil] x :none)

(if-let [x false] x :none)

(if-let [x (get {:a 1} :b)] x)

(when-let [x 5] (inc x) (dec x))

(when-let [x nil] x)

(when-let [x (seq [1 2])] (first x))

(if-some [x false] [x] :none)

(if-some [x nil] x :none)

(when-some [x false] [x])

(when-some [x nil] x)

(when-first [x [1 2 3]] x)

(when-first [x []] x)

(when-first [x nil] :x)

(let [x 1] x)

(let [x 1 y (inc x)] [x y])

(let [x 1 x (inc x)] x)

(let [])

(let [x 1])

(let [x 1] (let [x 2] x))

(let [x 1] (let [x 2] x) x)

(let [_ 1] 2)

(let [+ -] (+ 5 3))

(let [f inc] (f 1))

(let [map {:a 1}] (:a map))

(let [name "x" count 3] (str name count))

(def x 5) x

(def x 1) (def x 2) x

(def x 5) (def y (* x 2)) (+ x y)

(def x "doc" 5) x

(defn f [x] (* 2 x)) (f 4)

(defn f "doc" [x] x) (f 1)

(defn f "doc" {:added "1"} [x] x) (f 1)

(defn- g [x] (inc x)) (g 1)

(defonce z 1) (defonce z 2) z

(declare later) (defn now [] (later)) (defn later [] :ok) (now)

(def ^:private p 1) p

(def ^{:doc "x"} q 1) q

1 2 3

(comment (foo bar))

(do (comment 1) 2)

[1 #_2 3]

#_(broken form) 5

{:a 1 #_#_:b 2}

(cond true 1)

(cond false 1 true 2)

(cond false 1)

(cond nil 1 :else 2)

(cond)

(cond 1)

(boolean nil)

(boolean 0)

(boolean "false")

(true? true)

(true? 1)

(false? nil)

(false? false)

(nil? nil)

(nil? false)

(some? nil)

(some? false)

(any? nil)

(identity 5)

(if (and (> 5 3) (not= 1 2)) :yes :no)

(if (or nil (empty? [])) :yes :no)

(while false 1)

(let [a (atom 3) out (atom [])] (while (pos? @a) (swap! out conj @a) (swap! a dec)) @out)

(dotimes [i 3] i)

(let [a (atom 0)] (dotimes [i 4] (swap! a + i)) @a)

(let [x 5] (when (> x 3) (str "big " x)))

(let [x (if (> 1 2) :a)] (nil? x))

(letfn [(ev? [n] (if (zero? n) true (od? (dec n)))) (od? [n] (if (zero? n) false (ev? (dec n))))] (ev? 10))

(letfn [(a [x] (inc x)) (b [x] (a (a x)))] (b 1))

(assert true)

(assert (= 1 1) "fine")

(assert false)

(assert (= 1 2) "not equal")

(let [x 3] (assert (pos? x)) x)

@(doto (atom 1) (swap! inc) (swap! * 10))

(deref (doto (atom []) (swap! conj 1)))

(let [v (volatile! 1)] (vswap! v inc) @v)

(let [d (delay (+ 1 2))] @d)

(force (delay 5))

(let [n (atom 0) d (delay (swap! n inc))] @d @d @n)

(if)

(if 1 2 3 4)

(let)

(def)

(quote)

(when)

(if-let [x 1 y 2] x)

(let [a 1 b] a)


; a comment before a form
(+ 1 ; inside
   2)

(let [return inc] (return 1))

(let [{:keys [return]} {:return inc}] (return 1))

(let [[call] [inc]] [(call 1) 2])

((fn [fail] (fail 1)) inc)

(defn return [x] (* 2 x)) [(return 4) (map return [1 2]) (-> 3 return) (->> 3 (return))]

(defn call [f x] (f x)) (call inc 2)

(def fail 3) fail

(letfn [(return [x] (if (pos? x) (call (dec x)) :done)) (call [x] (return x))] (return 3))

(let [call +] (apply call [1 2]))

(let [and +] (and 1 2))

(let [or vector] (or nil 2))

(let [fn inc] (fn 2))

(let [let inc] (let 2))

(let [loop inc] (loop 2))

(let [if inc] (if 2 3))

(let [do inc] (do 2 3))

(let [budget inc] (budget 2))

(let [ctx inc] (ctx 2))

(let [memory inc] (memory 2))

(def budget 5) budget

(def ctx 5) ctx

(defn memory [x] x) (memory 5)

(let [when inc] (when 2))

(let [return 5] #(inc return) return)

((fn return [x] (if (> x 3) x (return (inc x)))) 0)

(let [return inc] (#(return %) 1))

(for [call [inc dec]] (call 1))

(loop [return inc i 0] (if (< i 3) (recur return (return i)) i))

(defn f [x] x) (user/f 1)

(let [call inc] ((comp call call) 1))

(loop [x 0] (cond-> x false recur))

(loop [x 0] (cond-> x (< x 5) (-> inc recur)))

(loop [x 0] (cond->> x (< x 5) (+ 1) (< x 5) recur))

(cond-> 1)

(cond-> 1 true inc)

(cond-> 1 true inc false (+ 2) true (* 3))

(let [x 1] (cond-> x true (+ x)))

(loop [x 0] (some-> x inc (#(if (> % 3) nil %)) recur))

(loop [x 3] (when-first [y [1]] (if (pos? x) (recur (- x y)) x)))

(loop [x 3] (if-some [y x] (if (pos? y) (recur (dec y)) y)))

(loop [x 3] (case x 0 :z (recur (dec x))))

(loop [x 3] (condp = x 0 :z (recur (dec x))))

(loop [x 3] (as-> x y (if (zero? y) :z (recur (dec y)))))

(loop [x 3] (letfn [(f [] 1)] (if (zero? x) :z (recur (- x (f))))))

(loop [x 3] (if-not (zero? x) (recur (dec x)) :z))

(loop [x 3] (-> x dec (#(if (neg? %) :a :b))))

(loop [x 3] (or (zero? x) (recur (dec x))))

(defn f [x] (cond-> x (pos? x) (-> dec recur))) (f 3)

(loop [x 3] (doto x recur))

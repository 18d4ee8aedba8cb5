:a

:a-b

:a_b

:a?

:a/b

:a.b

:1

:*star*

(keyword "a")

(keyword "a b")

(keyword "user" "id")

(keyword :a)

(keyword 'a)

(keyword nil)

(keyword "a/b")

(keyword 5)

(name :a)

(name :user/id)

(name 'sym)

(name "str")

(name nil)

(name 5)

(namespace :user/id)

(namespace :id)

(namespace 'a/b)

(str :a)

(str :a/b)

(subs (str :abc) 1)

(keyword? :a)

(keyword? "a")

(keyword? 'a)

(symbol? 'a)

(symbol? :a)

(symbol "a")

(symbol "ns" "a")

(symbol :a)

(str 'a)

'a

'a/b

(quote x)

'(a b c)

'[a :b "c"]

(simple-keyword? :a)

(simple-keyword? :a/b)

(qualified-keyword? :a/b)

(qualified-symbol? 'a/b)

(simple-symbol? 'a)

(ident? :a)

(ident? "a")

(= :a :a)

(= :a 'a)

(= (keyword "a") :a)

(identical? :a (keyword "a"))

(:a {:a 1})

(:b {:a 1})

(:b {:a 1} :default)

(:a nil)

(:a nil 5)

(:a [1 2])

(:a "str")

(:a 5)

(:a #{:a :b})

(:b #{:a} :none)

(:a {:a nil} 5)

(:a {:a false} 5)

('a {'a 1})

('a {'a 1} 2)

(map :a [{:a 1} {:a 2} {}])

(map :name [{:name "A" :x 1} {:name "B"}])

(mapv (juxt :a :b) [{:a 1 :b 2} {:a 3}])

(sort [:c :a :b])

(sort [:b/x :a/y :a/x])

(sort-by name [:c :a :b])

(compare :a :b)

(map name [:a :b])

(map keyword ["a" "b"])

(keyword (clojure.string/lower-case "ABC"))

(keyword (clojure.string/replace "First Name" " " "-"))

(apply :a [{:a 1}])

((keyword "x") {:x 9})

(get {:a 1} (keyword "a"))

(contains? #{:a} :a)

(find {:a 1} :a)

(hash-map :a 1)

(:user/name {:user/name "x"})

(let [{:user/keys [name id]} {:user/name "x" :user/id 1}] [name id])

(let [{:keys [user/name]} {:user/name "x"}] name)

(:a (:b {:b {:a 7}}))

(-> {:a {:b {:c 1}}} :a :b :c)

(some-> {:a {:b nil}} :a :b :c)

(str "key " :a " and " 'b)

(keyword "")

;; divergence: D7
;; ours-error: any
(find-keyword "surely-not-interned-yet-xyz")

(= 'a (symbol "a"))

(list 'a 'b)

(first '(a b))

(= '(+ 1 2) (list '+ 1 2))

(group-by keyword? [:a 1 :b])

(:a (sorted-map :a 1))

(:A {:a 1})

(keys {:a 1 :b 2})

(:status {:status :open})

(= "open" (name (:status {:status :open})))

(= (keyword "open") (keyword (:status {:status "open"})))

(:a)

(:a {:a 1} 2 3)

(true? :a)

(boolean :a)

(require '[clojure.string :as s]) ::s/a

::a

(= ::a :user/a)

(let [{::keys [a]} {:user/a 1}] a)

(let [{:keys [::a]} {::a 1}] a)

(let [{::syms [a]} {'user/a 1}] a)

(let [{b ::a} {::a 1}] b)

(case ::a :user/a 1 2)

(case :user/a ::a 1 2)

(str ::a)

(name ::a)

(namespace ::a)

'::a

'(::a [::b])

(ns app.n9) ::a

(ns app.n10 (:require [clojure.string :as s])) [::a ::s/b]

(require '[clojure.set :as s]) (let [{::s/keys [a]} {:clojure.set/a 1}] a)

::x/a

::a.b/c

[:::a]

::

::a/

(::a {:user/a 5})

{::a 1 :user/a 2}

(map ::a [{::a 1}])

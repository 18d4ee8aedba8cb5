;; flow/attempt
(flow/attempt (fn [] (+ 1 2)))
;=> {:ok 3}
(flow/attempt (fn [] nil))
;=> {:ok nil}
(flow/attempt (fn [] (throw (ex-info "bad" {:id 3}))))
;=> {:error {:message "bad", :data {:id 3}}}
(flow/attempt #(/ 1 0))
;=> {:error {:message "Divide by zero"}}
(flow/attempt #(call "boom" {}))
;call boom {}
;=> {:error {:message "tool `boom`: the service is down", :data {:tool "boom", :kind :tool-failed, :message "the service is down"}}}
(flow/attempt #(return 4))
;return 4
(flow/attempt 5)
;=> {:error {:message "class java.lang.Long cannot be cast to class clojure.lang.IFn (java.lang.Long is in module java.base of loader 'bootstrap'; clojure.lang.IFn is in unnamed module of loader 'app')"}}
(:ok (flow/attempt #(call "add" {:a 1 :b 2})))
;call add {:a 1, :b 2}
;=> 3

;; flow/each
(flow/each [1 2 3] inc)
;=> [2 3 4]
(flow/each [] inc)
;=> []
(flow/each nil inc)
;=> []
(flow/each {:a 1} key)
;=> [:a]
(flow/each [1 2 3] (fn [n] (call "add" {:a n :b 10})) {:at-once 2})
;call add {:a 1, :b 10}
;call add {:a 2, :b 10}
;call add {:a 3, :b 10}
;=> [11 12 13]
(flow/each (range 20) (fn [n] (call "echo" {:v n})) {:at-once 15 :max 20})
;call echo {:v 0}
;call echo {:v 1}
;call echo {:v 2}
;call echo {:v 3}
;call echo {:v 4}
;call echo {:v 5}
;call echo {:v 6}
;call echo {:v 7}
;call echo {:v 8}
;call echo {:v 9}
;call echo {:v 10}
;call echo {:v 11}
;call echo {:v 12}
;call echo {:v 13}
;call echo {:v 14}
;call echo {:v 15}
;call echo {:v 16}
;call echo {:v 17}
;call echo {:v 18}
;call echo {:v 19}
;=> [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19]
(flow/each [2 0 1] #(/ 6 %) {:on-error :continue})
;=> [{:ok 3} {:error {:message "Divide by zero"}} {:ok 6}]
(flow/each [2 0 1] #(/ 6 %) {:on-error "continue" :at-once 3})
;=> [{:ok 3} {:error {:message "Divide by zero"}} {:ok 6}]
(flow/each [2 0 1] #(/ 6 %))
;! divide-by-zero `/` divides by zero
(flow/each [2 0 1] #(/ 6 %) {:on-error :stop :at-once 2})
;! divide-by-zero `/` divides by zero
(do (flow/each [1 0 2] (fn [n] (println n) (/ 1 n)) {:on-error :stop}) 1)
;print 1
;print 0
;! divide-by-zero `/` divides by zero
(flow/each [1 2 3] inc {:max 2})
;! out-of-bounds `flow/each` has 3 items, and `:max` is 2
(flow/each [1 2 3] inc {:max 3})
;=> [2 3 4]
(flow/each [1 2 3] inc {:max -1})
;! wrong-type `flow/each` expects a number that is not negative for `:max`, found an integer -1
(flow/each [1 2 3] inc {:at-once "two"})
;! wrong-type `flow/each` expects a number that is not negative for `:at-once`, found a string "two"
(flow/each [1 2 3] inc {:on-error :skip})
;! wrong-type `flow/each` expects `:stop` or `:continue` for `:on-error`, found a keyword :skip
(flow/each [1 2 3] inc {:atonce 2})
;! unknown-option `flow/each` has no option `:atonce`
(flow/each 5 inc)
;! wrong-type expected a collection, found an integer 5
(flow/each (range) inc {:max 3})
;! endless-sequence the program needs all items of a sequence that never ends

;; A sequence of items one after another sees what the item before did.
(do (memory/put :n 0) (flow/each [1 2 3] (fn [n] (memory/put :n (+ n (memory/get :n))))) (memory/get :n))
;=> 6

;; flow/poll
(flow/poll (fn [n] n) #(= % 3))
;=> {:value 3, :attempts 3, :done true}
(flow/poll (fn [n] n) #(= % 30) {:every 50 :max 4})
;call flow/wait {:ms 50}
;call flow/wait {:ms 50}
;call flow/wait {:ms 50}
;=> {:value 4, :attempts 4, :done false}
(flow/poll #(call "echo" {:v 1}) pos? {:every 1000})
;call echo {:v 1}
;=> {:value 1, :attempts 1, :done true}
(flow/poll #(call "echo" {:v %}) #(> % 2) {:every 1000 :max 20})
;call echo {:v 1}
;call flow/wait {:ms 1000}
;call echo {:v 2}
;call flow/wait {:ms 1000}
;call echo {:v 3}
;=> {:value 3, :attempts 3, :done true}
(flow/poll (fn [n] n) some? {:check :before})
;=> {:value 1, :attempts 1, :done true}
(flow/poll (fn [n] n) nil? {:check :before})
;=> {:value nil, :attempts 0, :done true}
(flow/poll inc nil? {:max 0})
;=> {:value nil, :attempts 0, :done false}
(flow/poll (fn [n] n) pos? {:every -1})
;! wrong-type `flow/poll` expects a number that is not negative for `:every`, found an integer -1
(flow/poll (fn [n] n) pos? {:check :never})
;! wrong-type `flow/poll` expects `:after` or `:before` for `:check`, found a keyword :never
(flow/poll (fn [n] n) pos? {:evry 3})
;! unknown-option `flow/poll` has no option `:evry`
(flow/poll boom pos?)
;! unknown-name `boom` is not defined

;; transcript/expand
(transcript/expand 3)
;call transcript/expand {:turn 3}
;=> "whole"
(transcript/expand 0)
;! wrong-type `transcript/expand` expects the number of a turn, found an integer 0
(transcript/expand "3")
;! wrong-type `transcript/expand` expects the number of a turn, found a string "3"

;; flow/wait
(flow/wait 5)
;call flow/wait {:ms 5}
;=> nil
(flow/wait -5)
;! wrong-type `flow/wait` expects a number of milliseconds from 0 to 100 years, found an integer -5
(flow/wait "5")
;! wrong-type `flow/wait` expects a number of milliseconds from 0 to 100 years, found a string "5"
(flow/wait 9999999999999999)
;! wrong-type `flow/wait` expects a number of milliseconds from 0 to 100 years, found an integer 9999999999999999
(pmap flow/wait [1 2])
;call flow/wait {:ms 1}
;call flow/wait {:ms 2}
;=> (nil nil)

;; flow/step
(flow/step "one" (fn [] 1))
;=> 1
(flow/step :one (fn [] (call "echo" {:v 1})))
;call echo {:v 1}
;=> 1
(flow/step "one" #(flow/step "two" (fn [] 2)))
;=> 2
(flow/step 5 (fn [] 1))
;! wrong-type `flow/step` expects a name first, found an integer 5
(flow/step (apply str (repeat 300 "x")) (fn [] 1))
;! out-of-bounds the names of the open steps are longer than 256 bytes

;; flow/continue
(flow/continue {:page 2})
;continue {:page 2}
(do (flow/continue 1) 2)
;continue 1
(flow/continue inc)
;! not-json a function has no JSON form
(pmap (fn [n] (flow/continue n)) [1 2])
;continue 1

;; Agents.
(flow/sequence ["items" :items])
;call items {}
;call items {}
;=> [1 2 3]
(flow/sequence [(fn [] 1) "items"])
;call items {}
;=> [1 2 3]
(flow/sequence [])
;=> nil
(flow/sequence ["nobody"])
;! unknown-tool there is no tool `nobody`
(flow/sequence "items")
;! bad-form `flow/sequence` takes a vector of agents
(flow/sequence (map str ["items"]))
;call items {}
;=> [1 2 3]
(flow/sequence (list "items" (fn [] 7)))
;call items {}
;=> 7
(flow/sequence ["items"] 2)
;! bad-form `flow/sequence` takes a vector of agents
(flow/parallel ["items" (fn [] 2)])
;call items {}
;=> ([1 2 3] 2)
(flow/parallel (list "items" "items"))
;call items {}
;call items {}
;=> ([1 2 3] [1 2 3])
(flow/parallel (list 5))
;! wrong-type `flow/sequence` expects names of agents, or functions, found an integer 5
(flow/loop ["items" "items"] {:max 2})
;call items {}
;call items {}
;call items {}
;call items {}
;=> {:passes 2, :ended_by "max"}
(flow/loop [(fn [] (println 1)) (fn [] (println 2))] {:max 2})
;print 1
;print 2
;print 1
;print 2
;=> {:passes 2, :ended_by "max"}
(flow/loop ["items"] {:max 0})
;=> {:passes 0, :ended_by "max"}
(let [n 3] (flow/loop ["items"] {:max n}))
;call items {}
;call items {}
;call items {}
;=> {:passes 3, :ended_by "max"}
(let [options {:max 2}] (flow/loop (list "items") options))
;call items {}
;call items {}
;=> {:passes 2, :ended_by "max"}
(flow/loop ["items"])
;! bad-form `flow/loop` takes agents and a limit of passes
(flow/loop ["items"] {:maxx 3})
;! bad-form the options of `flow/loop` are `{:max n}`
(flow/loop ["items"] {:max "x"})
;! wrong-type `flow/loop` expects a number that is not negative for `:max`, found a string "x"
(flow/loop ["items"] {:max 2 :passes 3})
;! bad-form the options of `flow/loop` are `{:max n}`
(flow/sequenc ["items"])
;! unknown-name `flow/sequenc` is not defined
(flow/each (take 3 (iterate inc 1)) inc {:max 3})
;=> [2 3 4]
(flow/loop [(fn [] (call "add" {:a 1})) :items] {:max 2})
;call add {:a 1}
;call items {}
;call add {:a 1}
;call items {}
;=> {:passes 2, :ended_by "max"}
(pcalls #(flow/wait 5) #(return 1))
;call flow/wait {:ms 5}
;return 1

;; ask: a host answers; here with the form
(ask "Which one?")
;call flow/ask {:title "Which one?"}
;=> {:title "Which one?"}
(:default (ask {:title "How many?" :type ":int" :default 3}))
;call flow/ask {:title "How many?", :type ":int", :default 3}
;=> 3
(mapv ask ["a" "b"])
;call flow/ask {:title "a"}
;call flow/ask {:title "b"}
;=> [{:title "a"} {:title "b"}]
(pcalls #(ask "a") #(return 1))
;call flow/ask {:title "a"}
;return 1
(ask 5)
;! wrong-type `ask` expects a text or a form, found an integer 5
(ask)
;! wrong-arity `ask` takes 1 argument, not 0

;; The path of steps, and the report.
[(flow/path) (flow/step "a" (fn [] (flow/step :b (fn [] 1)))) (flow/path)]
;=> [[] 1 [{:step "a"} {:step "a/b"}]]
(do (flow/attempt (fn [] (flow/step "a" (fn [] (/ 1 0))))) (map :step (flow/path)))
;=> ("a")
(do (pmap (fn [n] (flow/step (str n) (fn [] (count (flow/path))))) [1 2]) (mapv :step (flow/path)))
;=> ["1" "2"]
(do (pmap (fn [n] (flow/step (str n) (fn [] (pmap (fn [m] (flow/step (str m) (fn [] m))) [7 8])))) [1 2]) (mapv :step (flow/path)))
;=> ["1" "1/7" "1/8" "2" "2/7" "2/8"]
(do (dotimes [n 1200] (flow/step (str n) (fn [] n))) (count (flow/path)))
;=> 1000
[(flow/report {:message "Paid." :reasoning "It was due." :confidence 0.5 :chat false}) (flow/report {}) (flow/start-at)]
;=> [nil nil nil]
(flow/report {:message 5})
;! wrong-type `flow/report` expects a text for `:message`, found an integer 5
(flow/report {:text "x"})
;! wrong-type `flow/report` expects a map with `:message`, `:reasoning`, `:confidence` or `:chat`, found a keyword :text
(flow/report "x")
;! wrong-type `flow/report` expects a map with `:message`, `:reasoning`, `:confidence` or `:chat`, found a string "x"

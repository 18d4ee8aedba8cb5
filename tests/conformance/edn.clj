(require '[clojure.edn :as edn]) (edn/read-string "{:a 1 :a 2}")

(require '[clojure.edn :as edn]) (edn/read-string "#{1 1}")

(require '[clojure.edn :as edn]) (edn/read-string "#{[1] [1]}")

(require '[clojure.edn :as edn]) (edn/read-string "{:a}")

(require '[clojure.edn :as edn]) (edn/read-string "\"a\\rb\"")

(require '[clojure.edn :as edn]) (edn/read-string "\\return")

(require '[clojure.edn :as edn]) (edn/read-string "\"\\t\\n\\r\\b\\f\\\\\\\"\"")

(require '[clojure.edn :as edn]) (edn/read-string "\"\\u0041\"")

(require '[clojure.edn :as edn]) (edn/read-string "\"\\101\"")

(require '[clojure.edn :as edn]) (edn/read-string "\"\\0\"")

(require '[clojure.edn :as edn]) (edn/read-string "\"\\x\"")

(require '[clojure.edn :as edn]) (edn/read-string "\\a")

(require '[clojure.edn :as edn]) (edn/read-string "\\u0041")

(require '[clojure.edn :as edn]) (edn/read-string "\\o101")

(require '[clojure.edn :as edn]) (edn/read-string "\\space")

(require '[clojure.edn :as edn]) (edn/read-string "\\tab")

(require '[clojure.edn :as edn]) (edn/read-string "\\newline")

(require '[clojure.edn :as edn]) (edn/read-string "\\formfeed")

(require '[clojure.edn :as edn]) (edn/read-string "\\backspace")

(require '[clojure.edn :as edn]) (edn/read-string "\\abc")

(require '[clojure.edn :as edn]) (edn/read-string "")

(require '[clojure.edn :as edn]) (edn/read-string "  ; c")

(require '[clojure.edn :as edn]) (edn/read-string nil)

(require '[clojure.edn :as edn]) (edn/read-string 5)

(require '[clojure.edn :as edn]) (edn/read-string {} "")

(require '[clojure.edn :as edn]) (edn/read-string {:eof nil} "")

(require '[clojure.edn :as edn]) (edn/read-string {:eof :end} "")

(require '[clojure.edn :as edn]) (edn/read-string {:eof :end} " 5 6")

(require '[clojure.edn :as edn]) (edn/read-string {:eof :end} "[1")

(require '[clojure.edn :as edn]) (edn/read-string {:eof :end} nil)

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'foo inc}} "#foo 5")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'foo/bar (fn [x] [:bar x])}} "{:a [#foo/bar 5 #foo/bar #foo/bar 6]}")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'foo inc} :default (fn [t v] [t v])} "[#foo 5 #bar {:x 1}]")

(require '[clojure.edn :as edn]) (edn/read-string {:default vector} "#bar 1")

(require '[clojure.edn :as edn]) (edn/read-string "#bar 1")

(require '[clojure.edn :as edn]) (edn/read-string "#uuid \"b6883c0a-0342-4007-9966-bc2dfa6b109e\"")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'inst (fn [x] [:i x])}} "#inst \"2020-01-01\"")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'uuid (fn [x] [:u x])}} "#uuid \"zzz\"")

(require '[clojure.edn :as edn]) (edn/read-string "#_1 2")

(require '[clojure.edn :as edn]) (edn/read-string "#_ #_ 1 2 3")

(require '[clojure.edn :as edn]) (edn/read-string "#_1")

(require '[clojure.edn :as edn]) (edn/read-string "@a")

(require '[clojure.edn :as edn]) (edn/read-string "#(inc %)")

(require '[clojure.edn :as edn]) (edn/read-string "#'a")

(require '[clojure.edn :as edn]) (edn/read-string "#\"a\"")

(require '[clojure.edn :as edn]) (edn/read-string "`a")

(require '[clojure.edn :as edn]) (edn/read-string "~a")

(require '[clojure.edn :as edn]) (edn/read-string "^{:a 1} [1]")

(require '[clojure.edn :as edn]) (edn/read-string "^:a [1]")

(require '[clojure.edn :as edn]) (edn/read-string "::a")

(require '[clojure.edn :as edn]) (edn/read-string "#=(+ 1 2)")

(require '[clojure.edn :as edn]) (edn/read-string "#?(:clj 1)")

(require '[clojure.edn :as edn]) (edn/read-string "4/2")

(require '[clojure.edn :as edn]) (edn/read-string "0x1F")

(require '[clojure.edn :as edn]) (edn/read-string "017")

(require '[clojure.edn :as edn]) (edn/read-string "2r101")

(require '[clojure.edn :as edn]) (edn/read-string "08")

(require '[clojure.edn :as edn]) (edn/read-string "+5")

(require '[clojure.edn :as edn]) (edn/read-string "-")

(require '[clojure.edn :as edn]) (edn/read-string "1e3")

(require '[clojure.edn :as edn]) (edn/read-string "##Inf")

(require '[clojure.edn :as edn]) (edn/read-string "[##NaN]")

(require '[clojure.edn :as edn]) (edn/read-string "##Foo")

(require '[clojure.edn :as edn]) (edn/read-string "a/b")

(require '[clojure.edn :as edn]) (edn/read-string "foo/bar/baz")

(require '[clojure.edn :as edn]) (edn/read-string ":a/b/c")

(require '[clojure.edn :as edn]) (edn/read-string "/")

(require '[clojure.edn :as edn]) (edn/read-string ":")

(require '[clojure.edn :as edn]) (edn/read-string "a:")

(require '[clojure.edn :as edn]) (edn/read-string "true")

(require '[clojure.edn :as edn]) (edn/read-string "nil")

(require '[clojure.edn :as edn]) (edn/read-string ")")

(require '[clojure.edn :as edn]) (edn/read-string "[1 2")

(require '[clojure.edn :as edn]) (edn/read-string "[1 2}")

(require '[clojure.edn :as edn]) (edn/read-string "\"abc")

(require '[clojure.edn :as edn]) (edn/read-string "1 2 3")

(require '[clojure.edn :as edn]) (edn/read-string "[1,2,,3]")

(require '[clojure.edn :as edn]) (edn/read-string "foo.bar")

(require '[clojure.edn :as edn]) (edn/read-string "1a")

;; divergence: D5
;; ours-error: any
(require '[clojure.edn :as edn]) (edn/read-string "{:a 1, \"a\" 2}")

(require '[clojure.edn :as edn]) (edn/read-string "{a 1 :a 2}")

(require '[clojure.edn :as edn]) (edn/read-string "{nil 1 nil 2}")

(require '[clojure.edn :as edn]) (edn/read-string "#{:a :b :a}")

(require '[clojure.edn :as edn]) (edn/read-string "{[1] 2 (1) 3}")

(read-string "{:a 1 :a 2}")

(read-string "#{1 1}")

(read-string "")

(read-string {:eof 1} "")

(read-string {:eof :x :read-cond :allow} "")

(read-string nil)

(read-string "'a")

(read-string "\"a\\rb\"")

(require '[clojure.edn :as edn]) (edn/read-string "[1 ; c\r2]")

(require '[clojure.edn :as edn]) (edn/read-string "; c\r5")

(require '[clojure.edn :as edn]) (edn/read-string "[1 ; c\n2]")

(require '[clojure.edn :as edn]) (edn/read-string "[1 \r 2\r\n3]")

(read-string "; c\r5")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'p (fn [[x y]] {:x x :y y})}} "[#p [1 2] #p [3 4]]")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'p (fn [m] (assoc m :tag 1))}} "#p {:a #p {:b 1}}")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'p identity}} "#{#p 1 #p 2}")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'p str}} "{#p 1 #p 2}")

(require '[clojure.edn :as edn]) (edn/read-string {:default (fn [tag v] (str tag v))} "(#a/b 1)")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'p inc}} "#p")

(require '[clojure.edn :as edn]) (edn/read-string {:readers {'p inc}} "#p nil")

(require '[clojure.edn :as edn]) (str (edn/read-string "#uuid \"B6883C0A-0342-4007-9966-BC2DFA6B109E\""))

(require '[clojure.edn :as edn]) (edn/read-string "#uuid 5")

(require '[clojure.edn :as edn]) (edn/read-string "#inst 5")

(require '[clojure.edn :as edn]) (edn/read-string "#inst \"nonsense\"")

(require '[clojure.edn :as edn]) (uuid? (edn/read-string "#uuid \"b6883c0a-0342-4007-9966-bc2dfa6b109e\""))

(require '[clojure.edn :as edn]) (inst? (edn/read-string "#inst \"2020-01-01\""))

(require '[clojure.edn :as edn]) (inst-ms (edn/read-string "#inst \"2020-01-01T10:20:30.5+01:00\""))

(require '[clojure.edn :as edn]) (inst-ms (edn/read-string "#inst \"2020-03\""))

(require '[clojure.edn :as edn]) (inst-ms (edn/read-string "#inst \"2020-03-04T05\""))

(require '[clojure.edn :as edn]) (inst-ms (edn/read-string "#inst \"2020-03-04T05:06\""))

(require '[clojure.edn :as edn]) (edn/read-string {:eof 1} "; nothing")

(require '[clojure.edn :as edn]) (edn/read-string {:eof 1} "#_ 5")

(require '[clojure.edn :as edn]) (map edn/read-string ["1" ":a" "\"s\"" "[1 2]" ""])

(require '[clojure.edn :as e]) (e/read-string "{:a 1}")

(require '[clojure.edn :as edn]) (edn/read-string)

(require '[clojure.edn :as edn]) (edn/read-string {} "1" 2)

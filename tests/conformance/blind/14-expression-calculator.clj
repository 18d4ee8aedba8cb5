;; ctx: {"expressions": ["1 + 2 * 3", "(1 + 2) * 3", "10 / 4 - 1", "2 * (3 + (4 - 1)) / 3", "7 % 4", "1 +", "2 $ 3", "(1 + 2", "8 / (4 - 4)"]}
(def token-re #"\d+|[-+*/%()]|\S")

(defn tokenize [s]
  (mapv #(if (re-matches #"\d+" %) (parse-long %) %) (re-seq token-re s)))

(def operators
  {"+" {:prec 1 :f +}
   "-" {:prec 1 :f -}
   "*" {:prec 2 :f *}
   "/" {:prec 2 :f (fn [a b] (if (zero? b)
                               (throw (ex-info "division by zero" {:left a}))
                               (quot a b)))}
   "%" {:prec 2 :f mod}})

(declare parse-expression)

(defn parse-primary [[token & more]]
  (cond
    (number? token) [token more]
    (= "(" token) (let [[value [close & remaining]] (parse-expression more 1)]
                    (if (= ")" close)
                      [value remaining]
                      (throw (ex-info "expected )" {:got close}))))
    (nil? token) (throw (ex-info "unexpected end" {}))
    :else (throw (ex-info "unexpected token" {:token token}))))

(defn parse-expression [tokens min-prec]
  (loop [[left [op & more :as remaining]] (parse-primary tokens)]
    (let [{:keys [prec f]} (operators op)]
      (if (and prec (>= prec min-prec))
        (let [[right rest-tokens] (parse-expression more (inc prec))]
          (recur [(f left right) rest-tokens]))
        [left remaining]))))

(defn evaluate [s]
  (try
    (let [[value leftover] (parse-expression (tokenize s) 1)]
      (if (seq leftover)
        {:error "trailing input" :at (first leftover)}
        value))
    (catch clojure.lang.ExceptionInfo e
      (assoc (ex-data e) :error (ex-message e)))))

(mapv evaluate ctx/expressions)

(def value (cheshire.core/parse-string ctx/text))
(when ctx/early
  (return value))
(let [n value]
  (identity n))

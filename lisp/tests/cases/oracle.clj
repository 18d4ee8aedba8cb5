;; Gives the answers of Clojure for expressions, one a line, in the form of the case files:
;;   java -cp /usr/share/java/clojure.jar:/usr/share/java/core.specs.alpha.jar:/usr/share/java/spec.alpha.jar \
;;     clojure.main oracle.clj < expressions
;; Namespaces and classes have the names that the language gives them.
(require '[clojure.string :as str] '[clojure.set :as set] '[clojure.walk :as walk] '[clojure.math :as math])
(import '(java.time LocalDate LocalDateTime Instant Duration Period DayOfWeek Month ZoneOffset ZoneId)
        '(java.time.temporal ChronoUnit) '(java.time.format DateTimeFormatter))
(doseq [line (line-seq (java.io.BufferedReader. *in*)) :when (seq line)]
  (println
   (try (let [value (eval (read-string line))]
          (str line " ;=> " (pr-str (if (.isArray (class (or value 1))) (vec value) value))))
        (catch Throwable t
          (let [t (or (.getCause t) t)]
            (str line " ;! " (.getName (class t)) ": " (first (str/split-lines (str (.getMessage t))))))))))

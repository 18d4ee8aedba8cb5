;; Evaluates every case of this folder with real Clojure and freezes the answers.
;; Run it through refresh.sh. README.md describes the format.
(ns oracle
  (:require [clojure.string :as string]
            [clojure.set]
            [clojure.walk]
            [clojure.java.io :as io])
  (:import [java.io PushbackReader StringReader StringWriter]
           [clojure.lang LineNumberingPushbackReader]))

(def timeout-ms 5000)
(def longest-value 20000)

;; ---------------------------------------------------------------- JSON

(declare read-json-value)

(defn- fail [& parts] (throw (ex-info (apply str parts) {:refused true})))

(defn- peek-char [^PushbackReader in]
  (loop []
    (let [c (.read in)]
      (cond (neg? c) nil
            (Character/isWhitespace c) (recur)
            :else (do (.unread in c) (char c))))))

(defn- expect-char [^PushbackReader in wanted]
  (let [c (peek-char in)]
    (when-not (= c wanted) (fail "JSON: expected " wanted " but found " c))
    (.read in)))

(defn- read-json-string [^PushbackReader in]
  (expect-char in \")
  (let [out (StringBuilder.)]
    (loop []
      (let [c (.read in)]
        (case c
          -1 (fail "JSON: unclosed string")
          34 (str out)
          92 (let [e (char (.read in))]
               (if (= e \u)
                 (.append out (char (Integer/parseInt (apply str (repeatedly 4 #(char (.read in)))) 16)))
                 (.append out (or ({\n \newline \t \tab \r \return \b \backspace \f \formfeed} e) e)))
               (recur))
          (do (.append out (char c)) (recur)))))))

(defn- read-json-word [^PushbackReader in]
  (loop [out (StringBuilder.)]
    (let [c (.read in)]
      (if (or (neg? c) (Character/isWhitespace c) (#{\, \] \}} (char c)))
        (do (when-not (neg? c) (.unread in c)) (str out))
        (recur (.append out (char c)))))))

(defn- read-json-sequence [in end read-item]
  (.read ^PushbackReader in)
  (if (= end (peek-char in))
    (do (.read ^PushbackReader in) [])
    (loop [items [(read-item)]]
      (case (peek-char in)
        \, (do (.read ^PushbackReader in) (recur (conj items (read-item))))
        (do (expect-char in end) items)))))

(defn- read-json-value [in key-fn]
  (case (peek-char in)
    \{ (apply array-map
              (mapcat identity
                      (read-json-sequence in \} #(let [k (do (peek-char in) (read-json-string in))]
                                                   (expect-char in \:)
                                                   [(key-fn k) (read-json-value in key-fn)]))))
    \[ (read-json-sequence in \] #(read-json-value in key-fn))
    \" (read-json-string in)
    (let [w (read-json-word in)]
      (case w
        "null" nil
        "true" true
        "false" false
        (if (re-matches #"-?\d+" w)
          (let [n (bigint w)] (if (<= Long/MIN_VALUE n Long/MAX_VALUE) (long n) n))
          (Double/parseDouble w))))))

(defn- read-json [text key-fn]
  (read-json-value (PushbackReader. (StringReader. text) 4) key-fn))

(defn- write-json-string [s]
  (let [out (StringBuilder. "\"")]
    (doseq [c s]
      (case c
        \" (.append out "\\\"")
        \\ (.append out "\\\\")
        \newline (.append out "\\n")
        \tab (.append out "\\t")
        \return (.append out "\\r")
        (if (< (int c) 32)
          (.append out (format "\\u%04x" (int c)))
          (.append out c))))
    (str (.append out "\""))))

(defn- write-json [v]
  (cond (nil? v) "null"
        (string? v) (write-json-string v)
        (map? v) (str "{" (string/join "," (map (fn [[k x]] (str (write-json-string k) ":" (write-json x))) v)) "}")
        (sequential? v) (str "[" (string/join "," (map write-json v)) "]")
        :else (str v)))

;; ---------------------------------------------------------------- Case files

(def header #"^;; (id|ctx|divergence|ours|ours-error): ?(.*)$")

(defn- parse-case [lines]
  (let [[head body] (split-with #(string/starts-with? % ";;") lines)]
    (reduce (fn [c line]
              (if-let [[_ k v] (re-find header line)]
                (update c (keyword k) str v)
                c))
            {:source (string/trimr (string/join "\n" (drop-while string/blank? body)))}
            head)))

(defn- cases-of-file [^java.io.File file]
  (->> (string/split-lines (slurp file))
       (partition-by string/blank?)
       (remove #(string/blank? (first %)))
       (map parse-case)
       (remove #(string/blank? (:source %)))))

(defn- ctx-text [folder text]
  (when text
    (if (string/starts-with? text "@")
      (slurp (io/file folder "data" (str (subs text 1) ".json")))
      text)))

;; ---------------------------------------------------------------- Evaluation

(def imports
  '[java.time.LocalDate java.time.LocalDateTime java.time.LocalTime java.time.Instant
    java.time.Duration java.time.Period java.time.ZonedDateTime java.time.OffsetDateTime
    java.time.ZoneOffset java.time.ZoneId java.time.DayOfWeek java.time.Month
    java.time.YearMonth java.time.Year java.time.format.DateTimeFormatter
    java.time.format.DateTimeParseException java.time.DateTimeException
    java.time.temporal.ChronoUnit clojure.lang.ExceptionInfo])

(defn- as-float [x]
  (if (ratio? x) (/ (double (numerator x)) (double (denominator x))) x))

(defn- divide
  "What / answers under D4: exact when it can be, a float otherwise."
  [& args]
  (if (next args)
    (reduce #(as-float (/ %1 %2)) args)
    (as-float (apply / args))))

(defn- fresh-namespace [ctx floats?]
  (remove-ns 'user)
  (remove-ns 'ctx)
  (let [ns (create-ns 'user)
        ctx-ns (create-ns 'ctx)]
    (binding [*ns* ns]
      (if floats?
        (do (refer 'clojure.core :exclude '[/])
            (intern ns (symbol "/") divide))
        (refer 'clojure.core))
      (alias 'str 'clojure.string)
      (alias 'string 'clojure.string)
      (alias 'set 'clojure.set)
      (alias 'walk 'clojure.walk)
      (doseq [c imports] (.importClass ^clojure.lang.Namespace ns (Class/forName (str c)))))
    (doseq [[k v] ctx] (intern ctx-ns (symbol (name k)) v))
    ns))

(defn- root-cause [^Throwable e]
  (if (and (or (instance? clojure.lang.Compiler$CompilerException e)
               (instance? clojure.lang.LispReader$ReaderException e)
               (instance? ExceptionInInitializerError e)
               (instance? java.util.concurrent.ExecutionException e))
           (.getCause e))
    (recur (.getCause e))
    e))

(defn- settle-message
  "Takes what differs between two runs out of a message."
  [message]
  (when message
    (-> message
        (string/replace #"(?s) \([^()]*(?:is|are) in (?:unnamed )?module.*\)$" "")
        (string/replace #"(eval)\d+" "$1")
        (string/replace #"(--|__)\d+" ""))))

(defn- error-line [^Throwable e]
  (let [message (settle-message (.getMessage e))]
    (str (.getSimpleName (class e)) (when message ": ") message)))

(defn- error-data [e]
  (when-let [data (ex-data e)]
    (when-not (some #(and (keyword? %) (string/starts-with? (str (namespace %)) "clojure")) (keys data))
      (pr-str data))))

(defn- parts [v]
  (tree-seq coll? #(if (map? %) (mapcat identity %) (seq %)) v))

(defn- unordered? [v]
  (some #(and (or (instance? clojure.lang.PersistentHashSet %)
                  (instance? clojure.lang.PersistentHashMap %))
              (< 1 (count %)))
        (parts v)))

(defn- as-ours
  "The value with what D3 and D4 replace: characters by strings, ratios by floats."
  [v]
  (let [scalar #(cond (char? %) (str %)
                      (ratio? %) (as-float %)
                      :else %)]
    (cond (map-entry? v) [(as-ours (key v)) (as-ours (val v))]
          (map? v) (into (empty v) (map as-ours) v)
          (set? v) (into (empty v) (map as-ours) v)
          (vector? v) (mapv as-ours v)
          (seq? v) (apply list (map as-ours v))
          :else (scalar v))))

(defn- evaluate-once [{:keys [source ctx]} floats?]
  (let [out (StringWriter.)
        ns (fresh-namespace (some-> ctx (read-json keyword)) floats?)]
    (binding [*ns* ns
              *out* out
              *err* out
              *print-length* 3000
              *print-level* 60
              *warn-on-reflection* false
              *1 nil *2 nil *3 nil *e nil
              *read-eval* true
              *data-readers* *data-readers*
              *unchecked-math* false]
      (try
        (let [in (LineNumberingPushbackReader. (StringReader. source))
              done (Object.)
              value (loop [value nil]
                      (let [form (read {:eof done :read-cond :allow} in)]
                        (if (identical? form done) value (recur (eval form)))))
              text (pr-str value)
              kinds (when-not (> (count text) longest-value) (parts value))]
          (cond-> {:value text :out (str out)}
            (> (count text) longest-value) (assoc :refused "the value is too long")
            (unordered? value) (assoc :unordered true)
            (some char? kinds) (assoc :char true)
            (some ratio? kinds) (assoc :ratio true)
            (some decimal? kinds) (assoc :decimal true)
            (some #(or (char? %) (ratio? %)) kinds) (assoc :mechanical (pr-str (as-ours value)))))
        (catch Throwable t
          (let [e (root-cause t)]
            (cond-> {:error (error-line e) :out (str out)}
              (error-data e) (assoc :data (error-data e)))))))))

(defn- evaluate
  "Evaluates a case. One that divides is evaluated again with the / of D4,
  and what comes of that is our answer if it differs."
  [{:keys [source] :as c}]
  (let [r (evaluate-once c false)
        again (when (and (:value r) (re-find #"[\s(\[]/[\s)\]]" source))
                (evaluate-once c true))]
    (if (and (:value again) (not= (:value r) (:value again)))
      (assoc r :ratio true :mechanical (or (:mechanical again) (:value again)))
      r)))

(defn- with-timeout [f]
  (let [result (promise)
        worker (Thread. nil #(deliver result (f)) "case" (* 1024 1024 1024))]
    (.setDaemon worker true)
    (.start worker)
    (let [r (deref result timeout-ms nil)]
      (when-not r (.stop worker))
      (or r {:refused "no answer within the time limit"}))))

(def unstable #"0x[0-9a-f]{4,}|@[0-9a-f]{3,}|G__\d+|__auto__|\$eval|fn__\d+")

(defn- judge
  "Joins the answer to the case, or says why the case is refused."
  [c r]
  (let [c (if (and (:mechanical r) (not (:divergence c)))
            (assoc c :divergence (if (:ratio r) "D4" "D3") :ours (:mechanical r))
            c)
        problem (cond
                  (:refused r) (:refused r)
                  (and (not (:divergence c))
                       (re-find unstable (str (:value r) (:error r) (:data r) (:out r))))
                  "the answer holds an address or a generated name"
                  (let [v (str (:value r))] (not= v (String. (.getBytes v "UTF-8") "UTF-8")))
                  "half of a character in the value"
                  (and (:decimal r) (not (:divergence c))) "a decimal needs divergence D4"
                  (and (:divergence c) (not (or (:ours c) (:ours-error c)))) "a divergence needs ours or ours-error"
                  (and (or (:ours c) (:ours-error c)) (not (:divergence c))) "ours needs a divergence"
                  (and (:divergence c) (not (re-matches #"D([1-9]|10)" (:divergence c)))) "unknown divergence"
                  (and (:ours c) (= (:ours c) (:value r))) "ours does not differ from Clojure")]
    (if problem
      (assoc c :problem (str problem " " (pr-str (:value r)) (:error r)))
      (merge c (dissoc r :refused)))))

(defn- line [{:keys [id source ctx value error data out unordered divergence ours ours-error]}]
  (let [field (fn [k v] (when v (str "," (write-json-string k) ":" v)))
        text (fn [k v] (field k (some-> v write-json-string)))]
    (str "{" (write-json-string "id") ":" (write-json-string id)
         (text "source" source)
         (field "ctx" (some-> ctx (read-json identity) write-json))
         (text "value" value)
         (text "error" error)
         (text "data" data)
         (text "out" (not-empty out))
         (field "unordered" (when unordered "true"))
         (text "divergence" divergence)
         (text "ours" ours)
         (text "ours_error" ours-error)
         "}")))

(defn- refresh [folder area cases]
  (let [cases (map-indexed (fn [i c]
                             (assoc c
                                    :id (str area "/" (or (:id c) (format "%04d" (inc i))))
                                    :ctx (ctx-text folder (:ctx c))))
                           cases)
        twice (for [[id n] (frequencies (map :id cases)) :when (< 1 n)] id)
        judged (mapv #(judge % (with-timeout (fn [] (try (evaluate %) (catch Throwable t {:refused (str t)}))))) cases)
        bad (filter :problem judged)]
    (doseq [id twice] (println "refused:" id "is used twice"))
    (doseq [b bad] (println "refused:" (:id b) "-" (:problem b) "\n  " (:source b)))
    (spit (io/file folder (str area ".expected.jsonl"))
          (apply str (map #(str (line %) "\n") (remove :problem judged))))
    {:area area :cases (- (count judged) (count bad)) :refused (+ (count bad) (count twice))
     :divergences (frequencies (keep :divergence (remove :problem judged)))}))

;; ---------------------------------------------------------------- Names

(def specials
  '{def "[symbol doc-string? init?]" if "[test then else?]" do "[& exprs]" quote "[form]" var "[symbol]"
    recur "[& exprs]" throw "[expr]" try "[& exprs catch-clause* finally-clause?]"
    catch "[class name & exprs]" finally "[& exprs]" new "[Classname & args]" set! "[target expr]"
    . "[target member & args]" monitor-enter "[x]" monitor-exit "[x]" let* "[bindings & body]"
    loop* "[bindings & body]" fn* "[name? params & body]" letfn* "[bindings & body]"
    case* "[& args]" reify* "[& args]" deftype* "[& args]" import* "[class]" & ""})

(defn- names [folder]
  (let [about (into {} (for [[category names] (read-string (slurp (io/file folder "names-about.edn"))) n names]
                         [(str n) (name category)]))
        rows (concat
              (for [[n args] specials] ["clojure.core" (str n) args "special"])
              (for [space '[clojure.core clojure.string clojure.set clojure.walk]
                    [n v] (ns-publics space)
                    :let [m (meta v)]]
                [(str space) (str n) (string/join " " (map pr-str (:arglists m)))
                 (cond (:macro m) "macro"
                       (:arglists m) "function"
                       (and (bound? v) (fn? @v)) "function"
                       :else "var")]))
        row-line (fn [[space n args kind]]
                   (string/join "\t" [space n args kind
                                      (case space
                                        "clojure.string" "strings"
                                        "clojure.set" "sets"
                                        "clojure.walk" "sequences"
                                        (about n "UNJUDGED"))]))
        order {"clojure.core" 0 "clojure.string" 1 "clojure.set" 2 "clojure.walk" 3}
        lines (map row-line (sort-by (fn [[s n _ k]] [(order s) n k]) rows))]
    (doseq [l lines :when (string/ends-with? l "UNJUDGED")] (println "refused: names:" l))
    (spit (io/file folder "names.tsv")
          (string/join "\n" (concat ["namespace\tname\targlists\tkind\tabout"] lines [""])))
    (count lines)))

;; ---------------------------------------------------------------- Main

(defn- files [folder]
  (->> (.listFiles (io/file folder))
       (filter #(and (.isFile ^java.io.File %) (string/ends-with? (.getName ^java.io.File %) ".clj")))
       (remove #(= "oracle.clj" (.getName ^java.io.File %)))
       (sort-by #(.getName ^java.io.File %))))

(defn- base [^java.io.File f] (string/replace (.getName f) #"\.clj$" ""))

(let [folder (or (first *command-line-args*) ".")
      only (set (rest *command-line-args*))
      areas (concat
             (for [f (files folder)] [(base f) #(cases-of-file f)])
             [["blind" #(for [f (files (io/file folder "blind"))]
                          (assoc (parse-case (string/split-lines (slurp f))) :id (base f)))]])
      results (vec (for [[area cases] areas
                         :when (or (empty? only) (only area))]
                     (let [r (refresh folder area (cases))]
                       (println (format "%-24s %5d  %s" area (:cases r)
                                        (string/join " " (map (fn [[d n]] (str d ":" n)) (sort-by key (:divergences r))))))
                       r)))]
  (println (format "%-24s %5d  %s" "all" (reduce + (map :cases results))
                   (string/join " " (map (fn [[d n]] (str d ":" n))
                                         (sort-by #(parse-long (subs (key %) 1))
                                                  (apply merge-with + {} (map :divergences results)))))))
  (when (empty? only) (println "names" (names folder)))
  (flush)
  (System/exit (if (every? zero? (map :refused results)) 0 1)))

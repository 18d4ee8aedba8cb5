;; Runs a corpus in Clojure and says where its answers differ from the ones in the file.
;; Usage: see oracle.sh. With --write, adds `;clj D? answer` lines to be judged by hand.

(require '[clojure.string :as str] '[clojure.set :as set] '[clojure.walk])

(defn canonical
  "A text that is the same for values the language takes as the same."
  [x]
  (cond
    (char? x) (pr-str (str x))
    (map? x) (str "{" (str/join ", " (sort (map (fn [[k v]] (str (canonical k) " " (canonical v))) x))) "}")
    (set? x) (str "#{" (str/join " " (sort (map canonical x))) "}")
    (vector? x) (str "[" (str/join " " (map canonical x)) "]")
    (sequential? x) (if (seq (drop 60 x))
                      (str "(" (str/join " " (map canonical (take 3 x))) " …)")
                      (str "(" (str/join " " (map canonical x)) ")"))
    (instance? java.util.regex.Pattern x) (pr-str x)
    (fn? x) "#function"
    (var? x) (str "#'" (:name (meta x)))
    (integer? x) (str x)
    :else (let [text (str/replace (pr-str x) #"case\d+/" "user/")] (if (re-find #"^#object|Var\$Unbound" text) (str "#object[" (.getSimpleName (class x)) "]") text))))

(defn ours [text]
  (if (str/starts-with? text ";=> ")
    (let [text (subs text 4)]
      (if (str/starts-with? text "#function") "#function"
          (try (if (str/starts-with? text "#'") text (canonical (read-string text)))
               (catch Throwable _ text))))
    "error"))

(defn evaluate [space source]
  (binding [*ns* space]
    ;; A function inside a collection prints as ours do.
    (try
      (let [reader (java.io.PushbackReader. (java.io.StringReader. source))
            eof (Object.)]
        (loop [value nil]
          (let [form (read {:eof eof :read-cond :preserve} reader)]
            (if (identical? form eof)
              (if (re-find #"rand|shuffle|TimeMillis|[(]str inc|str .map inc" source) "varies" (canonical value))
              (recur (let [f (future (binding [*ns* space] (let [v (eval form)] (if (seq? v) (do (dorun (take 200 v)) v) v))))
                           v (deref f 3000 ::late)]
                       (if (= v ::late) (throw (Exception. "endless")) v)))))))
      (catch Throwable e
        "error"))))

(defn cases [lines]
  ;; A case is {:lines [...] :answers [...]}; other lines are strings.
  (reduce (fn [acc line]
            (let [top (peek acc)]
              (cond
                (str/blank? line) (conj acc line)
                (and (map? top) (str/starts-with? line ";clj ")) (conj (pop acc) (assoc top :clj line))
                (and (map? top) (str/starts-with? line ";") (not (str/starts-with? line ";;")))
                (conj (pop acc) (update top :answers conj line))
                (str/starts-with? line ";") (conj acc line)
                (and (map? top) (re-find #"^[ \t]" line)) (conj (pop acc) (update top :lines conj line))
                :else (conj acc {:lines [line] :answers []}))))
          [] lines))

(defn fresh []
  (let [space (create-ns (gensym "case"))]
    (binding [*ns* space]
      (clojure.core/refer-clojure)
      (require '[clojure.string :as str] '[clojure.set :as set]))
    space))

(let [[path flag] *command-line-args*
      items (cases (str/split-lines (slurp path)))
      space (atom (fresh))
      out (doall
           (for [item items]
             (if (string? item)
               (do (when (str/blank? item) (reset! space (fresh))) item)
               (let [source (str/join "\n" (:lines item))
                     clj (atom nil)
                     printed (with-out-str (reset! clj (evaluate @space source)))
                     answer (first (remove #(re-find #"^;(print|call)" %) (:answers item)))
                     ours-printed (str/join "\n" (for [l (:answers item) :when (str/starts-with? l ";print")] (subs l (min (count l) 7))))
                     mine (ours answer)
                     same (and (or (= mine @clj)
                                        (= (str/replace (subs answer (min 4 (count answer))) #"#function\[[^\]]*\]" "#function") @clj)) (= (str/trim printed) (str/trim ours-printed)))]
                 (cond
                   same (do (when (:clj item) (println path "no longer differs:" source)) (dissoc item :clj))
                   (:clj item) (let [recorded (str/join " " (drop 2 (str/split (:clj item) #" ")))]
                                 (when-not (= recorded @clj) (println path "Clojure says" @clj "not" recorded ":" source))
                                 item)
                   :else (do (println path ":" source "\n   ours" answer (pr-str ours-printed) "\n   clj " @clj (pr-str printed))
                             (assoc item :clj (str ";clj D? " @clj))))))))]
  (when (= flag "--write")
    (spit path (str (str/join "\n" (mapcat #(if (string? %) [%] (concat (:lines %) (:answers %) (when (:clj %) [(:clj %)]))) out)) "\n")))
  (shutdown-agents)
  (System/exit 0))

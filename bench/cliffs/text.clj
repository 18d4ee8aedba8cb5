; Text: characters, words, parsing and building. `bench/README.md` tells how to read this file.

;;; counts of characters: 5000
;; data
{:s (str/join (map #(nth "the quick brown fox" (rem (* % 7) 19)) (range COUNT)))}
;; frequencies
(frequencies ctx/s)
;; update and fnil
(reduce (fn [m c] (update m c (fnil inc 0))) {} ctx/s)
;; assoc and get
(reduce (fn [m c] (assoc m c (inc (get m c 0)))) {} ctx/s)
;; assoc and or
(reduce (fn [m c] (assoc m c (inc (or (m c) 0)))) {} ctx/s)
;; group-by
(update-vals (group-by identity ctx/s) count)
;; loop
(loop [[c & more] (seq ctx/s) m {}] (if c (recur more (update m c (fnil inc 0))) m))
;; indexes
(let [s ctx/s n (count s)] (loop [i 0 m {}] (if (< i n) (let [c (nth s i)] (recur (inc i) (assoc m c (inc (get m c 0))))) m)))
;; subs
(let [s ctx/s] (frequencies (map #(subs s % (inc %)) (range (count s)))))

;;; counts of words: 3000
;; data
{:s (str/join " " (map #(str "word" (rem (* % 7) 53)) (range COUNT)))}
;; split
(frequencies (str/split ctx/s #" "))
;; split at spaces
(frequencies (str/split ctx/s #"\s+"))
;; re-seq
(frequencies (re-seq #"\w+" ctx/s))
;; update and fnil
(reduce (fn [m w] (update m w (fnil inc 0))) {} (str/split ctx/s #" "))
;; group-by
(update-vals (group-by identity (str/split ctx/s #"\s+")) count)
;; group-by and for
(into {} (for [[w all] (group-by identity (re-seq #"\w+" ctx/s))] [w (count all)]))

;;; vowels: 5000
;; data
{:s (str/join (map #(nth "the quick brown fox" (rem (* % 7) 19)) (range COUNT)))}
;; a set of characters
(count (filter #{\a \e \i \o \u} ctx/s))
;; a set of a text
(count (filter (set "aeiou") ctx/s))
;;~ re-seq
(count (re-seq #"[aeiou]" ctx/s))
;; contains?
(let [vowels #{\a \e \i \o \u}] (count (filter (fn [c] (contains? vowels c)) ctx/s)))
;; includes?
(count (filter #(str/includes? "aeiou" (str %)) ctx/s))
;; reduce
(reduce (fn [n c] (if (#{\a \e \i \o \u} c) (inc n) n)) 0 ctx/s)
;; case
(reduce (fn [n c] (case c (\a \e \i \o \u) (inc n) n)) 0 ctx/s)
;;~ some
(count (filter (fn [c] (some #(= c %) "aeiou")) ctx/s))
;;~ replace
(count (str/replace ctx/s #"[^aeiou]" ""))

;;; a text of many parts: 2000
;; data
{:xs (vec (range COUNT))}
;; join
(str/join "," ctx/xs)
;; join of strings
(str/join "," (map str ctx/xs))
;; interpose
(apply str (interpose "," ctx/xs))
;; reduce
(reduce (fn [s x] (str s "," x)) ctx/xs)
;; reduce with an empty start
(reduce (fn [s x] (if (= s "") (str x) (str s "," x))) "" ctx/xs)
;; loop
(loop [[x & more] (rest ctx/xs) s (str (first ctx/xs))] (if x (recur more (str s "," x)) s))
;; an atom
(let [s (atom "0")] (doseq [x (rest ctx/xs)] (swap! s str "," x)) @s)
;;~ mapcat
(subs (apply str (mapcat (fn [x] ["," x]) ctx/xs)) 1)

;;; lines of rows: 2000
;; data
{:rows (mapv (fn [i] {:id i :name (str "n" i)}) (range COUNT))}
;; str
(map (fn [r] (str (:id r) ": " (:name r))) ctx/rows)
;; {:keys}
(map (fn [{:keys [id name]}] (str id ": " name)) ctx/rows)
;; format
(map (fn [{:keys [id name]}] (format "%d: %s" id name)) ctx/rows)
;; join
(map (fn [r] (str/join ": " [(:id r) (:name r)])) ctx/rows)
;; join and juxt
(map #(str/join ": " ((juxt :id :name) %)) ctx/rows)
;; apply str
(map (fn [{:keys [id name]}] (apply str [id ": " name])) ctx/rows)

;;; a reversed text: 3000
;; data
{:s (str/join (map #(nth "abcdefg" (rem % 7)) (range COUNT)))}
;;~ str/reverse
(str/reverse ctx/s)
;; apply str
(apply str (reverse ctx/s))
;; join
(str/join (reverse ctx/s))
;; into a list
(apply str (into () ctx/s))
;;~ reduce
(reduce (fn [s c] (str c s)) "" ctx/s)
;; indexes
(let [s ctx/s] (apply str (map #(nth s %) (range (dec (count s)) -1 -1))))

;;; characters changed: 5000
;; data
{:s (str/join (map #(nth "the quick brown fox" (rem (* % 7) 19)) (range COUNT)))}
;; map and apply
(apply str (map (fn [c] (if (= c \space) \_ c)) ctx/s))
;; map and join
(str/join (map #(if (= % \space) "_" %) ctx/s))
;;~ replace a text
(str/replace ctx/s " " "_")
;;~ replace a pattern
(str/replace ctx/s #" " "_")
;; a map of characters
(apply str (map #(get {\space \_} % %) ctx/s))
;; replace of a sequence
(apply str (replace {\space \_} ctx/s))
;; escape
(str/escape ctx/s {\space "_"})
;; loop
(loop [cs (seq ctx/s) all []] (if cs (recur (next cs) (conj all (if (= (first cs) \space) \_ (first cs)))) (str/join all)))

;;; palindromes: 2000
;; data
{:words (mapv (fn [i] (if (even? i) (str "ab" i "ba") (let [s (str "xyz" i)] (str s (str/reverse s))))) (range COUNT))}
;;~ str/reverse
(count (filter #(= % (str/reverse %)) ctx/words))
;; seq and reverse
(count (filter #(= (seq %) (reverse %)) ctx/words))
;; apply str
(count (filter (fn [w] (= w (apply str (reverse w)))) ctx/words))
;; every?
(count (filter (fn [w] (every? true? (map = w (reverse w)))) ctx/words))
;; loop
(defn palindrome? [w]
  (loop [i 0 j (dec (count w))] (cond (>= i j) true (= (nth w i) (nth w j)) (recur (inc i) (dec j)) :else false)))
(count (filter palindrome? ctx/words))

;;; prefixes: 3000
;; data
{:words (mapv (fn [i] (str (nth ["alpha" "beta" "gamma"] (rem i 3)) i)) (range COUNT))}
;; starts-with?
(count (filter #(str/starts-with? % "al") ctx/words))
;; .startsWith
(count (filter #(.startsWith % "al") ctx/words))
;; re-find
(count (filter #(re-find #"^al" %) ctx/words))
;; subs
(count (filter #(= "al" (subs % 0 2)) ctx/words))
;; first and second
(count (filter (fn [w] (and (= \a (first w)) (= \l (second w)))) ctx/words))
;; index-of
(count (filter #(= 0 (str/index-of % "al")) ctx/words))
;; take
(count (filter #(= [\a \l] (take 2 %)) ctx/words))

;;; pairs of key and value: 2000
;; data
{:lines (mapv (fn [i] (str "key" i "=" (* i 7))) (range COUNT))}
;; split
(into {} (map (fn [line] (let [[k v] (str/split line #"=")] [k (parse-long v)])) ctx/lines))
;; split and for
(into {} (for [line ctx/lines :let [[k v] (str/split line #"=")]] [k (parse-long v)]))
;; split and vec
(reduce (fn [m line] (let [parts (str/split line #"=")] (assoc m (first parts) (parse-long (second parts))))) {} ctx/lines)
;; re-matches
(into {} (map (fn [line] (let [[_ k v] (re-matches #"(\w+)=(\d+)" line)] [k (parse-long v)])) ctx/lines))
;; re-find
(into {} (map (fn [line] (let [[_ k v] (re-find #"(\w+)=(\d+)" line)] [k (parse-long v)])) ctx/lines))
;; index-of and subs
(into {} (map (fn [line] (let [i (str/index-of line "=")] [(subs line 0 i) (parse-long (subs line (inc i)))])) ctx/lines))
;; two maps
(into {} (map (fn [[k v]] [k (parse-long v)]) (map #(str/split % #"=") ctx/lines)))

;;; rows of comma-separated lines: 1000
;; data
{:s (str/join "\n" (cons "id,name,city" (map #(str % ",n" % ",c" (rem % 7)) (range COUNT))))}
;; zipmap
(let [[head & lines] (str/split-lines ctx/s) ks (map keyword (str/split head #","))]
  (map #(zipmap ks (str/split % #",")) lines))
;;~ into and map vector
(let [lines (str/split ctx/s #"\n") ks (mapv keyword (str/split (first lines) #","))]
  (map (fn [line] (into {} (map vector ks (str/split line #",")))) (rest lines)))
;; [id name city]
(map (fn [line] (let [[id name city] (str/split line #",")] {:id id :name name :city city})) (rest (str/split-lines ctx/s)))
;; nth
(map (fn [line] (let [p (str/split line #",")] {:id (nth p 0) :name (nth p 1) :city (nth p 2)})) (rest (str/split ctx/s #"\n")))
;; re-matches
(map (fn [line] (zipmap [:id :name :city] (rest (re-matches #"([^,]*),([^,]*),([^,]*)" line)))) (rest (str/split-lines ctx/s)))
;; for
(for [line (drop 1 (str/split-lines ctx/s)) :let [[id name city] (str/split line #",")]] {:id id :name name :city city})

;;; numbers in a text: 2000
;; data
{:s (str/join ", " (range 100 (+ 100 COUNT)))}
;; re-seq
(reduce + (map parse-long (re-seq #"\d+" ctx/s)))
;; split
(reduce + (map parse-long (str/split ctx/s #", ")))
;; Integer/parseInt
(reduce + (map #(Integer/parseInt %) (str/split ctx/s #", ")))
;; trim
(reduce + (map #(Long/parseLong (str/trim %)) (str/split ctx/s #",")))
;;~ read-string
(reduce + (map read-string (re-seq #"\d+" ctx/s)))
;; reduce
(reduce (fn [sum s] (+ sum (parse-long s))) 0 (re-seq #"[0-9]+" ctx/s))

;;; depth of brackets: 5000
;; data
{:s (str/join (repeat (quot COUNT 10) "(()(()()))"))}
;; reduce
(reduce (fn [d c] (case c \( (inc d) \) (dec d) d)) COUNT ctx/s)
;; reduce with cond
(reduce (fn [d c] (cond (= c \() (inc d) (= c \)) (dec d) :else d)) COUNT ctx/s)
;; loop with first and rest
(loop [cs (seq ctx/s) d COUNT] (if (seq cs) (recur (rest cs) (if (= (first cs) \() (inc d) (dec d))) d))
;; loop with an index
(let [s ctx/s n (count s)] (loop [i 0 d COUNT] (if (< i n) (recur (inc i) (if (= (nth s i) \() (inc d) (dec d))) d)))
;; a map of steps
(reduce + COUNT (map {\( 1 \) -1} ctx/s))
;;~ a stack
(+ COUNT
   (count (reduce (fn [stack c] (if (= c \() (conj stack c) (pop stack))) [] ctx/s)))
;; get of a map
(reduce (fn [d c] (+ d (get {\( 1 \) -1} c 0))) COUNT ctx/s)

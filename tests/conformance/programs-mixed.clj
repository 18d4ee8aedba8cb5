;; id: coerce-values
;; ctx: @mixed
(defn ->num [v]
  (cond
    (number? v) v
    (string? v) (parse-double v)
    (map? v) (:amount v)
    :else nil))
(mapv (comp ->num :value) ctx/rows)

;; id: sum-valid
;; ctx: @mixed
(let [nums (->> ctx/rows
                (map :value)
                (filter number?))]
  {:count (count nums)
   :sum (reduce + nums)
   :bad (- (count ctx/rows) (count nums))})

;; id: type-census
;; ctx: @mixed
(defn kind [v]
  (cond
    (nil? v) :null
    (boolean? v) :boolean
    (number? v) :number
    (string? v) :string
    (map? v) :object
    (sequential? v) :array))
(->> ctx/rows
     (map (comp kind :value))
     frequencies
     (into (sorted-map)))

;; id: missing-versus-null
;; ctx: @mixed
(let [f (fn [r]
          (cond
            (not (contains? r :note)) :missing
            (nil? (:note r)) :null
            (clojure.string/blank? (:note r)) :blank
            :else :text))]
  (map f ctx/rows))

;; id: normalise-ids
;; ctx: @mixed
(let [fix (fn [id]
            (if (string? id) (parse-long id) id))]
  (->> ctx/rows
       (map (comp fix :id))
       (remove nil?)
       (apply max)))

;; id: sensor-averages
;; ctx: @mixed
(mapv (fn [{:keys [sensor temps]}]
        (let [ts (remove nil? temps)]
          {:sensor sensor
           :avg (when (seq ts)
                  (/ (reduce + ts) (count ts)))}))
      ctx/readings)

;; id: hottest
;; ctx: @mixed
(->> ctx/readings
     (mapcat (fn [{:keys [sensor temps]}]
               (map (fn [t] [sensor t]) (filter some? temps))))
     (apply max-key second))

;; id: score-averages
;; ctx: @mixed
(into (sorted-map)
      (map (fn [[who scores]]
             (let [s (filter number? scores)]
               [(name who)
                (if (empty? s) nil (/ (reduce + s) (count s)))]))
           ctx/scores))

;; id: big-integers-keep-digits
;; ctx: @mixed
(let [[a b c] ctx/big]
  {:a (str a)
   :b (str b)
   :c c
   :a+1 (str (+ a 1))
   :bigger (> b a)
   :sum (str (+ a b))})

;; id: word-frequencies
;; ctx: @mixed
(->> ctx/text
     clojure.string/lower-case
     (re-seq #"\w+")
     frequencies
     (sort-by (juxt (comp - val) key))
     (take 4)
     vec)

;; id: capitalise-words
;; ctx: @mixed
(->> (clojure.string/split ctx/text #"\s+")
     (take 5)
     (map clojure.string/capitalize)
     (clojure.string/join " "))

;; id: letter-count
;; ctx: @mixed
(let [letters (->> ctx/text
                   clojure.string/lower-case
                   (filter #(re-matches #"[a-z]" (str %)))
                   (map str))]
  {:distinct (count (set letters))
   :pangram (= 26 (count (set letters)))
   :top (first (sort-by (juxt (comp - val) key) (frequencies letters)))})

;; id: longest-word
;; ctx: @mixed
(let [words (re-seq #"[A-Za-z]+" ctx/text)]
  [(apply max-key count words)
   (->> words (map count) (reduce max))
   (->> words (sort-by (juxt (comp - count) identity)) (take 3) vec)])

;; id: flags
;; ctx: @mixed
(let [{:keys [a b c d]} ctx/flags]
  {:a (if a 1 0)
   :b (if b 1 0)
   :c (if (nil? c) :null c)
   :d (if (contains? ctx/flags :d) :there :absent)
   :on (->> ctx/flags (filter val) (mapv (comp name key)))})

;; id: guard-every-row
;; ctx: @mixed
(defn safe [f default]
  (fn [x]
    (try
      (f x)
      (catch Exception _ default))))
(let [tenfold (safe #(* 10 (:value %)) :bad)]
  (mapv tenfold ctx/rows))

;; id: collect-errors
;; ctx: @mixed
(reduce (fn [acc {:keys [id value]}]
          (try
            (update acc :ok + (Integer/parseInt (str value)))
            (catch NumberFormatException e
              (update acc :errors conj id))))
        {:ok 0 :errors []}
        ctx/rows)

;; id: validate-rules
;; ctx: @mixed
(def rules [[:id int?] [:value number?] [:note string?]])
(defn failures [row]
  (vec (for [[k ok?] rules
             :when (not (ok? (get row k)))]
         k)))
(->> ctx/rows
     (map failures)
     (map-indexed vector)
     (filter (comp seq second))
     (take 4)
     vec)

;; id: fill-forward
;; ctx: @mixed
(let [temps (:temps (first ctx/readings))]
  (->> temps
       (reductions (fn [prev t] (if (nil? t) prev t)))
       vec))

;; id: moving-average
;; ctx: @mixed
(let [xs [1 2 3 4 5 6]
      window 3]
  (->> (partition window 1 xs)
       (map #(/ (reduce + %) window))
       vec))

;; id: normalise-scores
;; ctx: @mixed
(let [all (->> ctx/scores vals (apply concat) (filter number?))
      lo (apply min all)
      hi (apply max all)]
  (mapv (fn [x] (format "%.2f" (double (/ (- x lo) (- hi lo))))) (sort all)))

;; id: std-dev
;; ctx: @mixed
(let [xs (:ann ctx/scores)
      n (count xs)
      mean (/ (reduce + xs) n)
      variance (/ (reduce + (map #(Math/pow (- % mean) 2) xs)) (dec n))]
  {:mean mean
   :sd (format "%.4f" (Math/sqrt variance))})

;; id: join-two-lists
;; ctx: @mixed
(let [left [{:id 1 :a "x"} {:id 2 :a "y"} {:id 3 :a "z"}]
      right [{:id 2 :b 20} {:id 3 :b 30} {:id 4 :b 40}]
      r (into {} (map (juxt :id identity) right))]
  {:inner (vec (for [l left :let [m (r (:id l))] :when m] (merge l m)))
   :left-only (->> left (remove (comp r :id)) (mapv :id))
   :right-only (->> right (remove #((set (map :id left)) (:id %))) (mapv :id))})

;; id: fizzbuzz
;; ctx: @mixed
(->> (range 1 16)
     (map (fn [n]
            (condp #(zero? (mod %2 %1)) n
              15 "FizzBuzz"
              3 "Fizz"
              5 "Buzz"
              n)))
     (clojure.string/join " "))

;; id: primes
;; ctx: @mixed
(defn sieve [n]
  (loop [candidates (range 2 (inc n)) primes []]
    (if-let [p (first candidates)]
      (recur (remove #(zero? (mod % p)) (rest candidates))
             (conj primes p))
      primes)))
(sieve 40)

;; id: memo-fib
;; ctx: @mixed
(def fib
  (memoize
   (fn [n]
     (if (< n 2)
       n
       (+ (fib (dec n)) (fib (- n 2)))))))
(map fib [1 10 50 80])

;; id: collatz-longest
;; ctx: @mixed
(defn steps [n]
  (loop [n n c 1]
    (cond
      (= n 1) c
      (even? n) (recur (quot n 2) (inc c))
      :else (recur (inc (* 3 n)) (inc c)))))
(let [best (apply max-key steps (range 1 100))]
  [best (steps best)])

;; id: roman-numerals
;; ctx: @mixed
(def table [[1000 "M"] [900 "CM"] [500 "D"] [400 "CD"] [100 "C"] [90 "XC"]
            [50 "L"] [40 "XL"] [10 "X"] [9 "IX"] [5 "V"] [4 "IV"] [1 "I"]])
(defn roman [n]
  (loop [n n [[v s] & more :as t] table out ""]
    (cond
      (zero? n) out
      (>= n v) (recur (- n v) t (str out s))
      :else (recur n more out))))
(map roman [1994 2024 49])

;; id: matrix-multiply
;; ctx: @mixed
(let [a [[1 2] [3 4]]
      b [[5 6] [7 8]]
      columns (apply mapv vector b)]
  (mapv (fn [row]
          (mapv (fn [col] (reduce + (map * row col))) columns))
        a))

;; id: balanced-brackets
;; ctx: @mixed
(defn balanced? [s]
  (let [pairs {")" "(" "]" "[" "}" "{"}]
    (loop [[c & more] (map str s) stack ()]
      (cond
        (nil? c) (empty? stack)
        (#{"(" "[" "{"} c) (recur more (conj stack c))
        (pairs c) (if (= (pairs c) (first stack))
                    (recur more (rest stack))
                    false)
        :else (recur more stack)))))
(map balanced? ["(a[b]{c})" "(]" "((" ""])

;; id: anagram-groups
;; ctx: @mixed
(->> ["listen" "silent" "enlist" "google" "elgoog" "abc"]
     (group-by (fn [w] (apply str (sort w))))
     vals
     (filter #(> (count %) 1))
     (map sort)
     (sort-by first))

;; id: run-length
;; ctx: @mixed
(->> "aaabbcddd"
     (partition-by identity)
     (map (fn [run] (str (count run) (first run))))
     (apply str))

;; id: change-making
;; ctx: @mixed
(defn change [amount coins]
  (loop [amount amount [c & more] coins out []]
    (cond
      (zero? amount) out
      (nil? c) :impossible
      :else (recur (rem amount c)
                   more
                   (into out (repeat (quot amount c) c))))))
[(change 87 [25 10 5 1]) (change 3 [2])]

;; id: nested-updates
;; ctx: @mixed
(-> {:user {:name "x" :tags #{:a}} :log []}
    (update-in [:user :tags] conj :b)
    (update :log conj {:at 1})
    (assoc-in [:user :age] 30)
    (update :user dissoc :name)
    (update-in [:user :tags] (comp vec sort)))

;; id: report-card
;; ctx: @mixed
(defn grade [average]
  (condp <= average
    90 "A"
    80 "B"
    70 "C"
    "F"))
(->> ctx/scores
     (map (fn [[who scores]]
            (let [valid (filterv number? scores)]
              (if (seq valid)
                (str (name who) " " (grade (/ (reduce + valid) (count valid))))
                (str (name who) " -")))))
     sort)

;; id: summarise-rows
;; ctx: @mixed
(reduce (fn [acc {:keys [value note]}]
          (cond-> (update acc :rows inc)
            (number? value) (update :sum + value)
            (and (string? value) (re-matches #"\d+" value)) (update :sum + (parse-long value))
            (map? value) (update :sum + (:amount value))
            (clojure.string/blank? note) (update :no-note inc)))
        {:rows 0 :sum 0 :no-note 0}
        ctx/rows)

;; id: caesar
;; ctx: @mixed
(defn shift [n c]
  (let [i (clojure.string/index-of "abcdefghijklmnopqrstuvwxyz" (str c))]
    (if i
      (subs "abcdefghijklmnopqrstuvwxyz" (mod (+ i n) 26) (inc (mod (+ i n) 26)))
      (str c))))
(defn caesar [n s]
  (apply str (map (partial shift n) (clojure.string/lower-case s))))
(let [secret (caesar 3 "Hello, Xyz!")]
  [secret (caesar -3 secret)])

;; id: bucket-readings
;; ctx: @mixed
(let [temps (->> ctx/readings (mapcat :temps) (remove nil?))
      bucket #(* 5 (int (Math/floor (/ % 5))))]
  (->> temps
       (group-by bucket)
       (sort-by key)
       (mapv (fn [[b ts]]
               {:from b :to (+ b 5) :n (count ts)}))))

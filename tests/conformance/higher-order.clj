(map inc (filter even? [1 2 3 4]))

(map + [1 2] [3 4])

(map max [1 5] [3 2])

(map (partial apply +) [[1 2] [3 4]])

(map (comp str/upper-case name) [:a :b])

(map (complement pos?) [1 -1])

(map (constantly 0) [1 2])

(map (juxt :id (comp count :tags)) [{:id 1 :tags ["a" "b"]}])

(map-indexed #(str %1 "-" %2) ["a" "b"])

(map first (group-by even? [1 2 3]))

(map (fn [[k v]] [k (count v)]) (group-by :t [{:t 1} {:t 1} {:t 2}]))

(map (fn [[k vs]] {:k k :total (reduce + (map :n vs))}) (group-by :k [{:k "a" :n 1} {:k "b" :n 2} {:k "a" :n 3}]))

(filter (every-pred odd? #(> % 2)) [1 2 3 5])

(filter (some-fn zero? neg?) [1 0 -1])

(filter (comp #{"a"} :t) [{:t "a"} {:t "b"}])

(filter (fn [x] (some #(= x %) [1 2])) [1 2 3])

(remove (comp nil? :a) [{:a 1} {}])

(remove (set [1 2]) [1 2 3])

(keep (fn [[k v]] (when (pos? v) k)) {:a 1 :b -1})

(keep parse-long ["1" "a"])

(keep :x [{:x 1} {}])

(mapcat (fn [{:keys [id tags]}] (map #(vector id %) tags)) [{:id 1 :tags [:a :b]} {:id 2 :tags []}])

(mapcat range [1 2 3])

(mapcat #(repeat % %) [1 2 3])

(mapcat (juxt inc dec) [10 20])

(reduce (fn [m [k v]] (update m k (fnil conj []) v)) {} [[:a 1] [:b 2] [:a 3]])

(reduce (partial merge-with +) [{:a 1} {:a 2 :b 1}])

((reduce comp [inc #(* 2 %)]) 5)

(some (fn [{:keys [id] :as r}] (when (= id 2) r)) [{:id 1} {:id 2 :n "x"}])

(every? (fn [[a b]] (<= a b)) (partition 2 1 [1 2 2 3]))

(every? true? (map < [1 2] [2 3]))

(not-any? neg? [1 2])

(sort-by (comp count :tags) > [{:id 1 :tags [1]} {:id 2 :tags [1 2]}])

(sort-by (fn [x] [(:a x) (- (:b x))]) [{:a 1 :b 1} {:a 1 :b 2} {:a 0 :b 0}])

(sort (fn [a b] (< a b)) [3 1 2])

(sort (fn [a b] (- b a)) [3 1 2])

(sort #(> %1 %2) [1 2 3])

(sort-by :n (fn [a b] (compare b a)) [{:n 1} {:n 2}])

(sort-by (juxt :last :first) [{:first "B" :last "X"} {:first "A" :last "X"} {:first "C" :last "A"}])

(partition-by #(> % 2) [1 2 3 4 1])

(group-by (fn [x] (if (even? x) :even :odd)) [1 2 3])

(group-by (juxt :a :b) [{:a 1 :b 1} {:a 1 :b 1} {:a 2 :b 1}])

(group-by first ["apple" "avocado"])

(update-vals (group-by :d [{:d 1 :s 10} {:d 1 :s 20} {:d 2 :s 5}]) #(reduce + (map :s %)))

(update-vals (group-by :d [{:d 1 :s 10} {:d 1 :s 20}]) (fn [xs] (/ (reduce + (map :s xs)) (count xs))))

(reduce-kv (fn [acc k v] (if (> v 1) (conj acc k) acc)) [] {:a 1 :b 2 :c 3})

(take-while (comp pos? :n) [{:n 1} {:n 0} {:n 5}])

(drop-while #(not= % :start) [:a :start :b])

(split-with (complement #{:sep}) [1 2 :sep 3])

(apply map + [[1 2 3] [10 20 30]])

(apply mapv vector [[1 2 3] [4 5 6]])

(apply max-key :score [{:id 1 :score 5} {:id 2 :score 9}])

(apply min-key (comp count val) {:a [1 2] :b [1]})

(apply concat (repeat 2 [1 2]))

(apply str (map (comp str first) ["ab" "cd"]))

(apply merge-with into [{:a [1]} {:a [2]}])

(apply update {:a 1} [:a + 5])

(apply assoc {} (interleave [:a :b] [1 2]))

(into {} (map (juxt identity count) ["a" "bb"]))

(into {} (map (fn [[k v]] [(keyword k) v]) {"a" 1}))

(zipmap (map :id [{:id 1} {:id 2}]) (map :v [{:v "a"} {:v "b"}]))

(let [by-id (into {} (map (juxt :id identity) [{:id 1 :n "a"}]))] (get-in by-id [1 :n]))

(->> [{:a 1} {:a 2}] (map #(update % :a inc)) (mapv :a))

(map #(select-keys % [:a]) [{:a 1 :b 2} {:a 3}])

(map #(dissoc % :b) [{:a 1 :b 2}])

(map #(merge {:x 0} %) [{:x 1} {}])

(map vector (range) [:a :b])

(map (fn [x] (if (map? x) (:a x) x)) [{:a 1} 2])

(mapv (fn [x y] (* x y)) [1 2 3] [4 5 6])

(reduce + (map * [1 2 3] [4 5 6]))

(reduce max (map count ["a" "bbb"]))

(reduce into [] [[1] [2 3]])

(reduce into #{} [[1] [1]])

(frequencies (map even? [1 2 3]))

(frequencies (mapcat :tags [{:tags ["a" "b"]} {:tags ["a"]}]))

(sort-by (juxt (comp - val) key) (frequencies ["b" "a" "b" "c"]))

(take 2 (sort-by val > {:a 1 :b 3 :c 2}))

(distinct (map :a [{:a 1} {:a 1}]))

(count (filter true? [true false true]))

(max-key :n {:n 1})

(pmap inc [1 2 3])

(pcalls (constantly 1) (constantly 2))

(pvalues 1 2)

(tree-seq map? :kids {:id 1 :kids [{:id 2}]})

(run! identity [])

(mapv #(reduce + %) (partition 3 1 [1 2 3 4 5]))

(map (fn [w] [(first w) (count w)]) [[1 2] [3]])

(let [avg #(/ (reduce + %) (double (count %)))] (avg [1 2 3 4]))

(let [pipeline (comp (partial map inc) (partial filter even?))] (pipeline [1 2 3 4]))

((apply comp [inc inc inc]) 0)

((apply juxt [:a :b]) {:a 1 :b 2})

(map #(apply % [4 2]) [+ - * /])

(map deref [(atom 1) (atom 2)])

(filter string? [1 "a" :b])

(map type [])

(map boolean [nil 0 "" false])

(some identity [nil false 3])

(filter identity [nil 1 false 2])

(first (filter :ok [{:ok false} {:ok true :n 1}]))


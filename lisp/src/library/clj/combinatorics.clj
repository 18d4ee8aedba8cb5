(defn combo/combinations [items n]
  (cond
    (zero? n) (list ())
    (> n (count items)) nil
    :else
    (let [v (vec (distinct items)) counts (ptc/counts-of v items)]
      ((fn each [taken]
         (ptc/lazy false
           (fn []
             (cons (map v taken)
                   (let [next (ptc/next-combination taken counts)]
                     (if next (each next)))))))
       (ptc/first-combination counts n)))))

(defn combo/subsets [items]
  (let [size (count items)]
    (ptc/flat
      ((fn each [n]
         (ptc/lazy false
           (fn [] (if (<= n size) (cons (combo/combinations items n) (each (inc n)))))))
       0)
      false)))

(defn combo/cartesian-product [& colls]
  (let [vs (mapv vec colls) sizes (mapv count vs)]
    (if (every? pos? sizes)
      ((fn each [at]
         (ptc/lazy false
           (fn []
             (cons (map nth vs at)
                   (let [next (ptc/next-product at sizes)]
                     (if next (each next)))))))
       (mapv (fn [_] 0) vs))
      nil)))

(defn combo/selections [items n]
  (apply combo/cartesian-product (repeat n items)))

(defn combo/permutations [items]
  (let [v (vec (distinct items))]
    (ptc/permutations-from (ptc/in-order (ptc/counts-of v items)) v (ptc/ascending? items))))

(defn combo/drop-permutations [items n]
  (cond
    (zero? n) (combo/permutations items)
    (= n (combo/count-permutations items)) ()
    :else
    (let [v (vec (distinct items))]
      (ptc/permutations-from (ptc/nth-order (ptc/counts-of v items) n) v
                             (ptc/ascending? items)))))

(defn combo/permuted-combinations [items n]
  (ptc/flat
    ((fn each [combinations]
       (ptc/lazy false
         (fn []
           (let [x (ptc/step combinations)]
             (if x (cons (combo/permutations (x 0)) (each (x 1))))))))
     (combo/combinations items n))
    false))

(defn combo/count-permutations [items]
  (ptc/count-orders (vals (frequencies items))))

(defn combo/count-combinations [items n]
  (ptc/count-ways (vals (frequencies items)) n))

(defn combo/count-subsets [items]
  (reduce * 1 (map inc (vals (frequencies items)))))

(defn combo/nth-permutation [items n]
  (let [v (vec (distinct items))] (mapv v (ptc/nth-order (ptc/counts-of v items) n))))

(defn combo/nth-combination [items n at]
  (let [v (vec (distinct items))
        counts (ptc/counts-of v items)
        all (ptc/count-ways counts n)]
    (if (< -1 at all)
      (loop [taken [] k 0 counts counts n n at at]
        (if (zero? n)
          taken
          (let [left (nth counts k)
                with (if (zero? left)
                       0
                       (ptc/count-ways (assoc counts k (dec left)) (dec n)))]
            (if (< at with)
              (recur (conj taken (v k)) k (assoc counts k (dec left)) (dec n) at)
              (recur taken (inc k) (assoc counts k 0) n (- at with))))))
      (ptc/too-far at all "combinations"))))

(defn combo/nth-subset [items at]
  (let [all (combo/count-subsets items)]
    (if (< -1 at all)
      (loop [n 0 at at]
        (let [ways (combo/count-combinations items n)]
          (if (< at ways) (combo/nth-combination items n at) (recur (inc n) (- at ways)))))
      (ptc/too-far at all "subsets"))))

(defn combo/permutation-index [items]
  (let [v (vec (sort (distinct items)))
        places (zipmap v (range (count v)))]
    (loop [xs (seq items)
           counts (ptc/counts-of v items)
           all (ptc/count-orders counts)
           left (count items)
           index 0]
      (if xs
        (let [k (places (first xs))
              before (reduce + (subvec counts 0 k))]
          (recur (next xs)
                 (update counts k dec)
                 (quot (* all (nth counts k)) left)
                 (dec left)
                 (+ index (quot (* all before) left))))
        index))))

(defn combo/partitions [items & {from :min to :max}]
  (let [items (vec items)
        size (count items)
        v (vec (distinct items))
        counts (ptc/counts-of v items)
        least (or from 0)
        from (if (and from (<= from 1)) nil from)
        to (if (and to (>= to size)) nil to)
        groups (fn [groups]
                 (map (fn [group] (vec (mapcat (fn [n x] (repeat n x)) group v))) groups))]
    (cond
      (zero? size) (if (<= least 0 (or to 0)) (list ()) ())
      (not (<= 1 (or from 1) (or to size) size)) ()
      (apply distinct? items)
      ((fn each [places]
         (ptc/lazy false
           (fn []
             (cons (let [parts (group-by places (range size))]
                     (map (fn [n] (mapv items (parts n))) (range (count parts))))
                   (let [next (ptc/next-places places (or from 1) (or to size))]
                     (if next (each next)))))))
       (ptc/first-places size (or from 1)))
      :else
      ((fn each [parts]
         (ptc/lazy false
           (fn []
             (loop [parts parts]
               (if parts
                 (if (<= (or from 1) (count parts) (or to size))
                   (cons (groups parts) (each (ptc/next-parts parts)))
                   (recur (ptc/next-parts parts))))))))
       [counts]))))

(defn ptc/counts-of [v items]
  (let [counts (frequencies items)] (mapv (fn [x] (get counts x)) v)))

(defn ptc/in-order [counts]
  (vec (mapcat (fn [n k] (repeat n k)) counts (range))))

(defn ptc/ascending? [items]
  (and (every? number? items) (or (empty? items) (apply <= items))))

(defn ptc/permutations-from [order v vectors]
  ((fn each [order]
     (ptc/lazy false
       (fn []
         (cons (if vectors (mapv v order) (map v order))
               (let [next (ptc/next-order order)] (if next (each next)))))))
   order))

(defn ptc/count-orders [counts]
  (let [factorial (fn [n] (reduce * 1 (range 2 (inc n))))]
    (reduce quot (factorial (reduce + 0 counts)) (map factorial counts))))

(defn ptc/count-ways [counts n]
  (let [all (reduce + 0 counts)]
    (cond
      (or (neg? n) (> n all)) 0
      (every? (fn [c] (<= c 1)) counts)
      (let [n (min n (- all n))]
        (reduce (fn [ways i] (quot (* ways (- all (dec i))) i)) 1 (range 1 (inc n))))
      :else
      (peek
        (reduce
          (fn [ways c]
            (mapv (fn [j] (reduce + (subvec ways (max 0 (- j c)) (inc j)))) (range (inc n))))
          (into [1] (repeat n 0))
          counts)))))

(defn ptc/nth-order [counts at]
  (let [all (ptc/count-orders counts)]
    (if (< -1 at all)
      (loop [order [] counts counts left (reduce + 0 counts) all all at at]
        (if (zero? left)
          order
          (let [[k with at] (loop [k 0 at at]
                              (let [with (quot (* all (nth counts k)) left)]
                                (if (< at with) [k with at] (recur (inc k) (- at with)))))]
            (recur (conj order k) (update counts k dec) (dec left) with at))))
      (ptc/too-far at all "permutations"))))

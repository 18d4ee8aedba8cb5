(bit-and 12 10)

(bit-and 12 10 8)

(bit-or 12 10)

(bit-or 1 2 4)

(bit-xor 12 10)

(bit-xor 5 5)

(bit-not 0)

(bit-not 5)

(bit-not -1)

(bit-and-not 12 10)

(bit-shift-left 1 10)

(bit-shift-left 1 0)

(bit-shift-left 1 63)

(bit-shift-left 1 64)

(bit-shift-left -1 4)

(bit-shift-right 1024 3)

(bit-shift-right -8 1)

(bit-shift-right 1 1)

(unsigned-bit-shift-right 8 1)

(unsigned-bit-shift-right -1 60)

(bit-set 0 3)

(bit-clear 15 0)

(bit-flip 5 1)

(bit-flip 7 1)

(bit-test 5 0)

(bit-test 5 1)

(bit-test 5 2)

(bit-and -1 255)

(bit-or 0 -1)

(bit-and 0xFF 0x0F)

(reduce bit-or [1 2 4 8])

(reduce bit-xor [1 2 3 2 1])

(map #(bit-and 1 %) [1 2 3])

(filter #(bit-test 10 %) (range 4))

(count (filter #(bit-test 255 %) (range 16)))

(apply bit-or (map #(bit-shift-left 1 %) [0 2 4]))

(bit-and 1.5 1)

(bit-and nil 1)

(bit-and "1" 1)

(bit-shift-left 1.5 1)

(bit-and 1)

(bit-not 1.0)

(loop [n 13 acc ()] (if (zero? n) (apply str acc) (recur (bit-shift-right n 1) (cons (bit-and n 1) acc))))

(loop [n 255 c 0] (if (zero? n) c (recur (bit-and n (dec n)) (inc c))))

(zero? (bit-and 16 15))

(reduce (fn [h c] (bit-and (+ (* 31 h) (int c)) 0xFFFFFFFF)) 0 "hello")


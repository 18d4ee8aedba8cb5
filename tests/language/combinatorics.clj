;; Values are those of clojure.math.combinatorics 0.3.0, except for those of errors and limits.
(combo/combinations [1 2 3 4] 2)
;=> ((1 2) (1 3) (1 4) (2 3) (2 4) (3 4))
(clojure.math.combinatorics/combinations [1 1 2 2 3] 3)
;=> ((1 1 2) (1 1 3) (1 2 2) (1 2 3) (2 2 3))
[(combo/combinations [1 2] 0) (combo/combinations [1 2] 3) (combo/combinations [1 1 2] 1) (combo/combinations [] 0) (combo/combinations nil 1)]
;=> [(()) nil ((1) (2)) (()) nil]
(combo/combinations "abc" 2)
;=> (("a" "b") ("a" "c") ("b" "c"))
(combo/subsets [1 2 3])
;=> (() (1) (2) (3) (1 2) (1 3) (2 3) (1 2 3))
(combo/subsets [1 1 2])
;=> (() (1) (2) (1 1) (1 2) (1 1 2))
[(combo/cartesian-product [1 2] [3 4] [5]) (combo/cartesian-product) (combo/cartesian-product [1] []) (combo/cartesian-product [1 2])]
;=> [((1 3 5) (1 4 5) (2 3 5) (2 4 5)) (()) nil ((1) (2))]
[(combo/selections [0 1] 3) (combo/selections [1] 0) (combo/selections [] 1)]
;=> [((0 0 0) (0 0 1) (0 1 0) (0 1 1) (1 0 0) (1 0 1) (1 1 0) (1 1 1)) (()) nil]
(combo/permutations [1 2 3])
;=> ([1 2 3] [1 3 2] [2 1 3] [2 3 1] [3 1 2] [3 2 1])
(combo/permutations [3 1 2])
;=> ((3 1 2) (3 2 1) (1 3 2) (1 2 3) (2 3 1) (2 1 3))
(combo/permutations [:a :b :b])
;=> ((:a :b :b) (:b :a :b) (:b :b :a))
[(combo/permutations [1 1 2]) (combo/permutations []) (combo/permutations nil) (combo/permutations [1])]
;=> [([1 1 2] [1 2 1] [2 1 1]) ([]) ([]) ([1])]
(combo/permutations "aab")
;=> (("a" "a" "b") ("a" "b" "a") ("b" "a" "a"))
(combo/permuted-combinations [1 2 3] 2)
;=> ([1 2] [2 1] [1 3] [3 1] [2 3] [3 2])
[(combo/drop-permutations [1 2 3] 4) (combo/drop-permutations [1 2 3] 6) (combo/drop-permutations [:b :a :b] 1) (combo/drop-permutations [1 2] 0)]
;=> [([3 1 2] [3 2 1]) () ((:b :a :b) (:a :b :b)) ([1 2] [2 1])]
[(combo/count-permutations (range 20)) (combo/count-permutations [1 1 2 2]) (combo/count-permutations []) (combo/count-permutations (range 25))]
;=> [2432902008176640000 6 1 15511210043330985984000000N]
[(combo/count-combinations (range 50) 6) (combo/count-combinations [1 1 2 2 3] 3) (combo/count-combinations [1 2] 5) (combo/count-combinations [1 1] 1)]
;=> [15890700 5 0 1]
[(combo/count-subsets (range 70)) (combo/count-subsets [1 1 2]) (combo/count-subsets [])]
;=> [1180591620717411303424N 6 1]
[(combo/nth-permutation (range 10) 1000000) (combo/nth-permutation [:a :b :b :c] 7) (combo/nth-permutation [3 1 2] 2) (combo/nth-permutation [1 1 2] 2)]
;=> [[2 7 8 3 9 1 5 6 0 4] [:b :c :a :b] [1 3 2] [2 1 1]]
[(combo/nth-combination (range 10) 3 57) (combo/nth-combination [1 1 2 2 3] 3 3) (combo/nth-combination [:a :b] 2 0)]
;=> [[1 5 9] [1 2 3] [:a :b]]
[(combo/nth-subset [1 2 3] 5) (combo/nth-subset [1 1 2] 4) (combo/nth-subset [] 0)]
;=> [[1 3] [1 2] []]
[(combo/permutation-index [3 1 2]) (combo/permutation-index [:b :a :b]) (combo/permutation-index [1 2 3])]
;=> [4 1 0]
(combo/partitions [1 2 3 4])
;=> (([1 2 3 4]) ([1 2 3] [4]) ([1 2 4] [3]) ([1 2] [3 4]) ([1 2] [3] [4]) ([1 3 4] [2]) ([1 3] [2 4]) ([1 3] [2] [4]) ([1 4] [2 3]) ([1] [2 3 4]) ([1] [2 3] [4]) ([1 4] [2] [3]) ([1] [2 4] [3]) ([1] [2] [3 4]) ([1] [2] [3] [4]))
(combo/partitions [1 1 2 2])
;=> (([1 1 2 2]) ([1 1 2] [2]) ([1 1] [2 2]) ([1 1] [2] [2]) ([1 2 2] [1]) ([1 2] [1 2]) ([1 2] [1] [2]) ([1] [1] [2 2]) ([1] [1] [2] [2]))
(combo/partitions [:a :b :a :c])
;=> (([:a :a :b :c]) ([:a :a :b] [:c]) ([:a :a :c] [:b]) ([:a :a] [:b :c]) ([:a :a] [:b] [:c]) ([:a :b :c] [:a]) ([:a :b] [:a :c]) ([:a :b] [:a] [:c]) ([:a :c] [:a] [:b]) ([:a] [:a] [:b :c]) ([:a] [:a] [:b] [:c]))
[(combo/partitions [1 2 3 4] :min 2 :max 3) (combo/partitions [1 2 3 4] :max 2) (combo/partitions [1 2 3] :min 3) (combo/partitions [1 2] :min 3)]
;=> [(([1 2 3] [4]) ([1 2 4] [3]) ([1 2] [3 4]) ([1 2] [3] [4]) ([1 3 4] [2]) ([1 3] [2 4]) ([1 3] [2] [4]) ([1 4] [2 3]) ([1] [2 3 4]) ([1] [2 3] [4]) ([1 4] [2] [3]) ([1] [2 4] [3]) ([1] [2] [3 4])) (([1 2 3 4]) ([1 2 3] [4]) ([1 2 4] [3]) ([1 2] [3 4]) ([1 3 4] [2]) ([1 3] [2 4]) ([1 4] [2 3]) ([1] [2 3 4])) (([1] [2] [3])) ()]
[(combo/partitions [1 1 2 2] :min 2 :max 3) (combo/partitions [1 1 1] :min 2) (combo/partitions []) (combo/partitions [] :min 1) (combo/partitions [5])]
;=> [(([1 1 2] [2]) ([1 1] [2 2]) ([1 1] [2] [2]) ([1 2 2] [1]) ([1 2] [1 2]) ([1 2] [1] [2]) ([1] [1] [2 2])) (([1 1] [1]) ([1] [1] [1])) (()) () (([5]))]
(every? true? (for [n (range 6)] (= (count (combo/permutations (range n))) (combo/count-permutations (range n)))))
;=> true
(map #(count (combo/partitions (range %))) (range 7))
;=> (1 1 2 5 15 52 203)
(map #(nth (combo/permutations (range 5)) %) [0 7 119])
;=> ([0 1 2 3 4] [0 2 1 4 3] [4 3 2 1 0])

;; Made when they are asked for.
(first (combo/permutations (range 20)))
;=> [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19]
(take 2 (combo/combinations (range 1000) 500))
;=> ((0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 193 194 195 196 197 198 199 200 201 202 203 204 205 206 207 208 209 210 211 212 213 214 215 216 217 218 219 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242 243 244 245 246 247 248 249 250 251 252 253 254 255 256 257 258 259 260 261 262 263 264 265 266 267 268 269 270 271 272 273 274 275 276 277 278 279 280 281 282 283 284 285 286 287 288 289 290 291 292 293 294 295 296 297 298 299 300 301 302 303 304 305 306 307 308 309 310 311 312 313 314 315 316 317 318 319 320 321 322 323 324 325 326 327 328 329 330 331 332 333 334 335 336 337 338 339 340 341 342 343 344 345 346 347 348 349 350 351 352 353 354 355 356 357 358 359 360 361 362 363 364 365 366 367 368 369 370 371 372 373 374 375 376 377 378 379 380 381 382 383 384 385 386 387 388 389 390 391 392 393 394 395 396 397 398 399 400 401 402 403 404 405 406 407 408 409 410 411 412 413 414 415 416 417 418 419 420 421 422 423 424 425 426 427 428 429 430 431 432 433 434 435 436 437 438 439 440 441 442 443 444 445 446 447 448 449 450 451 452 453 454 455 456 457 458 459 460 461 462 463 464 465 466 467 468 469 470 471 472 473 474 475 476 477 478 479 480 481 482 483 484 485 486 487 488 489 490 491 492 493 494 495 496 497 498 499) (0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179 180 181 182 183 184 185 186 187 188 189 190 191 192 193 194 195 196 197 198 199 200 201 202 203 204 205 206 207 208 209 210 211 212 213 214 215 216 217 218 219 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242 243 244 245 246 247 248 249 250 251 252 253 254 255 256 257 258 259 260 261 262 263 264 265 266 267 268 269 270 271 272 273 274 275 276 277 278 279 280 281 282 283 284 285 286 287 288 289 290 291 292 293 294 295 296 297 298 299 300 301 302 303 304 305 306 307 308 309 310 311 312 313 314 315 316 317 318 319 320 321 322 323 324 325 326 327 328 329 330 331 332 333 334 335 336 337 338 339 340 341 342 343 344 345 346 347 348 349 350 351 352 353 354 355 356 357 358 359 360 361 362 363 364 365 366 367 368 369 370 371 372 373 374 375 376 377 378 379 380 381 382 383 384 385 386 387 388 389 390 391 392 393 394 395 396 397 398 399 400 401 402 403 404 405 406 407 408 409 410 411 412 413 414 415 416 417 418 419 420 421 422 423 424 425 426 427 428 429 430 431 432 433 434 435 436 437 438 439 440 441 442 443 444 445 446 447 448 449 450 451 452 453 454 455 456 457 458 459 460 461 462 463 464 465 466 467 468 469 470 471 472 473 474 475 476 477 478 479 480 481 482 483 484 485 486 487 488 489 490 491 492 493 494 495 496 497 498 500))
(nth (combo/subsets (range 100)) 200)
;=> (1 2)
(second (combo/cartesian-product (range 1000) (range 1000) (range 1000)))
;=> (0 0 1)
(first (combo/partitions (range 100)))
;=> ([0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99])
(first (filter #(= 10 (reduce + %)) (combo/combinations (range 30) 3)))
;=> (0 1 9)
(require '[clojure.math.combinatorics :as c :refer [permutations]]) [(first (permutations (range 15))) (c/count-permutations (range 3))]
;=> [[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14] 6]

;; A limit ends what is too much.
(count (combo/permutations (range 12)))
;! memory-limit the program keeps more than its limit of 67108864 bytes of memory
(reduce (fn [n _] (inc n)) 0 (combo/permutations (range 12)))
;! fuel-limit the program used up its fuel of 30000000 units of work
(vec (combo/selections (range 100) 10))
;! memory-limit the program keeps more than its limit of 67108864 bytes of memory
(combo/count-permutations (range 100000))
;! fuel-limit the program used up its fuel of 30000000 units of work

;; What is wrong.
(combo/nth-permutation [1 2] 2)
;! out-of-bounds position 2 is out of range: there are 2 permutations
(combo/nth-combination [1 2 3] 2 -1)
;! out-of-bounds position -1 is out of range: there are 3 combinations
(combo/nth-subset [1] 2)
;! out-of-bounds position 2 is out of range: there are 2 subsets
(combo/combinations [1 2] -1)
;! wrong-type `combo/combinations` expects a number of items that is not negative, found an integer -1
(combo/combinations 5 2)
;! wrong-type `count` expects a collection, found an integer 5
(combo/combine [1 2] 2)
;! unknown-name `combo/combine` is not defined
(permutations [1 2])
;! unknown-name `permutations` is not defined

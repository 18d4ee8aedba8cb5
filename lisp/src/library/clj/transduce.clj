(defn eduction
  ([] ())
  ([xs] (ptc/stream identity xs))
  ([xf xs] (ptc/stream xf xs))
  ([xf other & more] (ptc/stream (apply comp xf other (butlast more)) (last more))))

(defn ptc/stream
  ([xf xs]
   (let [kept (ptc/collector), rf (xf kept)]
     ((fn more [xs]
        (ptc/lazy (and (ptc/endless? xs) (ptc/unending? rf))
          (fn []
            (loop [xs xs]
              (let [x (ptc/step xs)]
                (if x
                  (let [ended (reduced? (rf nil (x 0)))
                        some (ptc/collected kept)]
                    (cond
                      ended (do (rf nil) (into some (ptc/collected kept)))
                      (= 0 (count some)) (recur (x 1))
                      :else (ptc/append some (more (x 1)))))
                  (do (rf nil) (ptc/collected kept))))))))
      xs)))
  ([xf xs & colls]
   (let [kept (ptc/collector), rf (xf kept)]
     ((fn more [rows]
        (ptc/lazy false
          (fn []
            (loop [rows rows]
              (let [row (ptc/step rows)]
                (if row
                  (let [ended (reduced? (apply rf nil (row 0)))
                        some (ptc/collected kept)]
                    (cond
                      ended (do (rf nil) (into some (ptc/collected kept)))
                      (= 0 (count some)) (recur (row 1))
                      :else (ptc/append some (more (row 1)))))
                  (do (rf nil) (ptc/collected kept))))))))
      (apply map list (cons xs colls))))))

(defn read-string
  ([text] (ptc/read "read-string" nil text))
  ([options text] (ptc/read "read-string" options text)))

(defn edn/read-string
  ([text] (if (nil? text) nil (ptc/read "edn/read-string" {:eof nil} text)))
  ([options text] (if (nil? text) nil (ptc/read "edn/read-string" options text))))

(defn ptc/read [who {:keys [readers default] :as options} text]
  (let [[form tagged?] (ptc/form who text)]
    (cond
      (nil? tagged?) (if (contains? options :eof) (get options :eof) (ptc/no-form who))
      tagged?
      ((fn read [x]
         (if (reduced? x)
           (let [[tag part] @x, part (read part), reader (get readers tag)]
             (cond
               reader (reader part)
               (or (= tag 'inst) (= tag 'uuid)) (ptc/tagged who tag part)
               default (default tag part)
               :else (ptc/tagged who tag part)))
           (walk/walk read identity x)))
       form)
      :else form)))

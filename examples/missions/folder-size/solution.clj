(defn files [path]
  (mapcat (fn [{:keys [name kind bytes]}]
            (let [full (str (if (= path "/") "" path) "/" name)]
              (if (= kind "folder")
                (files full)
                [{:path full :bytes bytes}])))
          (call "list_folder" {:path path})))
(let [all (files ctx/path)]
  (return {:bytes (reduce + (map :bytes all))
           :files (count all)
           :largest (:path (apply max-key :bytes all))}))

(defn files [path]
  (for [{:keys [name kind bytes]} (call "list_folder" {:path path})
        :let [full (str (if (= path "/") "" path) "/" name)]
        file (if (= kind "folder") (files full) [{:path full :bytes bytes}])]
    file))
(let [all (files ctx/path)]
  (return {:bytes (sum-by :bytes all) :files (count all) :largest (:path (max-by :bytes all))}))

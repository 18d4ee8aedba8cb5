;; ctx: {"markdown": "# Guide\n\nSome intro text with a [link](http://x.org).\n\n## Install\n\n1. Download\n2. Run `make`\n\n### Linux\n\n- apt\n- yum\n\n## Use\n\nSee [docs](http://d.org/a) and [more](http://d.org/b).\n\n# Appendix\n"}
(require '[clojure.string :as str])

(defn classify [line]
  (condp re-matches line
    #"(#+)\s+(.*)" :>> (fn [[_ marks title]] {:kind :heading :level (count marks) :title title})
    #"[-*]\s+(.*)" :>> (fn [[_ text]] {:kind :bullet :text text})
    #"\d+\.\s+(.*)" :>> (fn [[_ text]] {:kind :numbered :text text})
    #"\s*" {:kind :blank}
    {:kind :text :text line}))

(defn number-headings [headings]
  (loop [[{:keys [level title]} & more] headings
         counters []
         out []]
    (if (nil? level)
      out
      (let [padded (into counters (repeat (- level (count counters)) 0))
            counters (-> (subvec padded 0 level)
                         (update (dec level) inc))
            label (str/join "." counters)]
        (recur more counters (conj out (str label " " title)))))))

(defn slug [title]
  (-> title str/lower-case (str/replace #"[^\w]+" "-")))

(let [lines (map classify (str/split-lines ctx/markdown))
      headings (filter #(= :heading (:kind %)) lines)
      links (re-seq #"\[([^\]]+)\]\(([^)]+)\)" ctx/markdown)
      html (for [{:keys [level title]} headings]
             (format "<h%d id=\"%s\">%s</h%d>" level (slug title) title level))]
  {:outline (number-headings headings)
   :kinds (into (sorted-map) (frequencies (map :kind lines)))
   :links (mapv (fn [[_ text url]] [text url]) links)
   :hosts (->> links
               (map #(nth % 2))
               (map #(second (re-find #"//([^/]+)" %)))
               distinct
               vec)
   :html (str/join html)
   :toc (mapv #(str (apply str (repeat (* 2 (dec (:level %))) " ")) "* " (:title %)) headings)})

//! Foreign names: names of other languages, Lisps and libraries, as models write them, with
//! replacements.
//!
//! None of them is a name of the language, and a program may define any of them. A test checks
//! every name in a help against the language.

use super::unsupported::entry;

/// Returns what to write for a foreign name.
pub fn foreign_name(name: &str) -> Option<&'static str> {
    let find = |name: &str| entry(FOREIGN, name);
    let found = find(name).or_else(|| {
        // For example `m/map-vals` of an absent library, or `JSON.stringify` of another language.
        let (space, local) = super::near::split_namespace(name)?;
        let library = super::near::library(space);
        library.and_then(|it| find(&format!("{it}{local}"))).or_else(|| find(local))
    });
    found.map(|(_, help)| *help)
}

pub static FOREIGN: &[(&str, &str)] = &[
    // Sizes and parts.
    ("len length size list-length string-length str/length strlen countof", "write `(count xs)`"),
    ("head car first-of", "write `(first xs)`"),
    ("tail cdr", "write `(rest xs)`"),
    ("init all-but-last", "write `(butlast xs)`"),
    ("cadr", "write `(second xs)`"),
    ("list-ref vector-ref elt at get-at", "write `(nth xs index)`"),
    ("slice sublist list-slice", "write `(take n (drop start xs))`, or `(subvec v start end)`"),
    ("substring str/substring substr str/subs str/slice", "write `(subs text start end)`"),
    ("limit take-first", "write `(take n xs)`"),
    // Adding to collections.
    (
        "append push push! list-append add append! array-push vec-append",
        "write `(conj xs x)` for one item, `(into xs ys)` or `(concat xs ys)` for several",
    ),
    ("prepend unshift cons*", "write `(cons x xs)`"),
    // Statistics of a collection.
    ("total add-all Math/sum sum-of sumOf", "write `(sum xs)`, or `(sum-by :field rows)`"),
    (
        "average avg Math/mean Math/average mean-of mean-by",
        "write `(mean xs)`, or `(avg-by :field rows)`",
    ),
    ("quantile percentiles Math/percentile", "write `(percentile 95 xs)`"),
    ("stddev std std-dev standard-deviation stdev-s stdev-sample", "write `(stdev xs)`"),
    ("variance", "write `(let [s (stdev xs)] (* s s))`"),
    ("round-to round-decimals round2 to-fixed toFixed round-half-up", "write `(round x 2)`"),
    ("top-n top-k nlargest largest top", "write `(top-by n :field rows)`"),
    ("nsmallest bottom-n smallest", "write `(take n (sort-by :field rows))`"),
    (
        "aggregate group-sum sum-group rollup summarize group-map-reduce",
        "write `(aggregate-by :field :number sum rows)`",
    ),
    ("argmax maximum-by max-of arg-max", "write `(max-by :field rows)` or `(apply max-key f xs)`"),
    ("argmin minimum-by min-of arg-min", "write `(min-by :field rows)` or `(apply min-key f xs)`"),
    ("maximum", "write `(apply max xs)`"),
    ("minimum", "write `(apply min xs)`"),
    ("count-if count-where", "write `(count (filter pred xs))`, or `(count-by :field rows)`"),
    // Iterating over collections.
    ("mapcar collect lmap", "write `(map f xs)`"),
    ("foreach for-each each forEach for-all dolist", "write `(run! f xs)` or `(doseq [x xs] …)`"),
    ("filter-by keep-if remove-if-not find-all filterer", "write `(filter pred xs)`"),
    ("reject remove-if filter-not filter-out", "write `(remove pred xs)`"),
    ("map-filter filter-map compact-map", "write `(keep f xs)`"),
    ("flat-map flatmap flatMap concat-map flatten-map", "write `(mapcat f xs)`"),
    ("compact remove-nil remove-nils", "write `(remove nil? xs)`"),
    (
        "fold foldl foldr foldl' fold-left reduce-left inject fold-right",
        "write `(reduce f start xs)`",
    ),
    ("detect find-if first-where find-by", "write `(find-first pred xs)`"),
    ("all? all every forall", "write `(every? pred xs)`"),
    ("any exists? some-of", "write `(some pred xs)`"),
    ("none? none", "write `(not-any? pred xs)`"),
    ("unique uniq dedup remove-duplicates distinct-values", "write `(distinct xs)`"),
    (
        "enumerate with-index each-with-index map-with-index indexed",
        "write `(map-indexed (fn [i x] …) xs)`",
    ),
    ("zip", "write `(map vector xs ys)`, or `(zipmap keys vals)` for a map"),
    ("zip-map dict-zip", "write `(zipmap keys vals)`"),
    ("group groupBy partition-groups", "write `(group-by f xs)`"),
    ("chunks chunked batch", "write `(partition-all n xs)`"),
    (
        "sort-desc reverse-sort sort-by-desc sort-descending order-by-desc sort-by-descending",
        "write `(sort > xs)` or `(sort-by :field > rows)`",
    ),
    ("order-by sort-asc sortBy sort-on sort-with", "write `(sort-by :field rows)`"),
    // Maps.
    ("dict make-hash make-hash-table object new-map", "write `{:key value}`"),
    (
        "hash-ref assoc-ref hash-map-get map/get maps/get dict-get plist-get getf gethash",
        "write `(:key m)` or `(get m key)`",
    ),
    ("map/put maps/put dict-set hash-set! assoc!! map-put puthash", "write `(assoc m key value)`"),
    ("has-key? has-key haskey contains-key? key? in?", "write `(contains? m key)`"),
    ("map-vals map-values mapvals transform-vals fmap", "write `(update-vals m f)`"),
    ("mapkeys transform-keys", "write `(update-keys m f)`"),
    ("map-keys", "write `(update-keys m f)`"),
    ("map-kv map-entries", "write `(into {} (map (fn [[k v]] [k v]) m))`"),
    ("filter-keys filter-kv", "write `(into {} (filter (fn [[k v]] …) m))`"),
    ("remove-vals", "write `(filter-vals (complement pred) m)`"),
    ("entries items obj-entries", "a map is a sequence of its entries: `(map (fn [[k v]] …) m)`"),
    ("keyset obj-keys", "write `(keys m)`"),
    ("values obj-values", "write `(vals m)`"),
    ("merge-deep merge-recursively", "write `(deep-merge a b)`"),
    ("pick", "write `(select-keys m [:a :b])`"),
    ("omit without", "write `(dissoc m :a :b)`"),
    // Texts.
    (
        "string-append concat-str strcat str/concat str/append string-concat str+",
        "write `(str a b)`",
    ),
    ("join string-join implode", "write `(str/join \", \" xs)`"),
    ("explode string-split tokenize", "write `(str/split text #\",\")`"),
    (
        "includes contains str/contains? str/contains string-contains? str/has?",
        "write `(str/includes? text part)`, or `(contains? m key)` for a map",
    ),
    ("str/format sprintf string-format interpolate", "write `(format \"%s\" x)` or `(str a b)`"),
    (
        "string-upcase upcase uppercase to-upper toUpperCase str/upcase",
        "write `(str/upper-case text)`",
    ),
    (
        "string-downcase downcase lowercase to-lower toLowerCase str/downcase",
        "write `(str/lower-case text)`",
    ),
    ("str/repeat str/times str* string-repeat", "write `(apply str (repeat n text))`"),
    ("str/lines", "write `(str/split-lines text)`"),
    ("str/words", "write `(str/split text #\"\\s+\")`"),
    (
        "str/trim-left str/ltrim str/lstrip str/trim-start str/trimStart ltrim",
        "write `(str/triml text)`",
    ),
    (
        "str/trim-right str/rtrim str/rstrip str/trim-end str/trimEnd rtrim",
        "write `(str/trimr text)`",
    ),
    ("str/strip", "write `(str/trim text)`"),
    ("str/title str/title-case str/titlecase", "write `(str/capitalize text)`"),
    ("str/begins-with? str/has-prefix? str/prefix?", "write `(str/starts-with? text part)`"),
    ("str/has-suffix? str/suffix?", "write `(str/ends-with? text part)`"),
    (
        "re/match regex/match re/matches re/test regex/test re-match re/fullmatch",
        "write `(re-matches #\"…\" text)` for a whole text, `(re-find #\"…\" text)` for a part",
    ),
    ("re/find re/search regex/find regex/search re-search", "write `(re-find #\"…\" text)`"),
    ("re/findall re/find-all re/scan regex/scan re-find-all", "write `(re-seq #\"…\" text)`"),
    (
        "re/sub re/replace regex/replace re-sub re-replace",
        "write `(str/replace text #\"…\" replacement)`",
    ),
    // Sets.
    ("set/minus set/subtract set/diff set-difference set/except", "write `(set/difference a b)`"),
    ("set/add set/insert", "write `(conj s x)`"),
    ("set/remove set/delete", "write `(disj s x)`"),
    ("set/member? set/has? set/in?", "write `(contains? s x)`"),
    ("set/size", "write `(count s)`"),
    ("str/index str/find", "write `(str/index-of text part)`"),
    ("str/pad-left pad-left lpad str/padStart", "write `(format \"%5s\" x)`"),
    ("to-string to-str tostring int->string number->string string", "write `(str x)`"),
    (
        "parse-int string->number to-int parseInt str->int to-number parse-integer
         parse-number",
        "write `(parse-long text)`, or `(parse-double text)`",
    ),
    ("parse-float to-float parseFloat str->float", "write `(parse-double text)`"),
    (
        "json/decode json/parse parse-json json-parse json/loads from-json json/parse-str
         json/read json/load",
        "write `(json/parse-string text true)`",
    ),
    (
        "json/encode json/stringify json/dumps to-json json/generate json/write json/dump
         print-json write-json",
        "write `(json/generate-string x)`",
    ),
    // Comparing and deciding.
    ("!= /= neq <>", "write `(not= a b)`"),
    ("eq eq? equal equal? equals eql ===", "write `(= a b)`"),
    ("&&", "write `(and a b)`"),
    ("||", "write `(or a b)`"),
    ("%", "write `(mod a b)`; `%` is the argument of `#(…)`"),
    ("** expt power", "write `(numeric-tower/expt x n)`, or `(Math/pow x n)` for a float"),
    ("++ += inc!", "write `(inc x)` or `(+ x n)`; for mutable state use an atom: `(swap! a inc)`"),
    ("null? null undefined? is-nil is-nil?", "write `(nil? x)`"),
    ("else-if elif elseif", "write `(cond test a other b :else c)`"),
    ("switch match", "write `(case x :a 1 :b 2 default)`"),
    ("while-not until", "write `(loop [x start] (if done x (recur next)))`"),
    // Names and functions.
    (
        "define setq setf defvar var-set! set-var defparameter const",
        "write `(def name value)` or `(let [name value] …)`",
    ),
    ("defun func function def-fn", "write `(defn name [x] …)`"),
    ("lambda fun λ", "write `(fn [x] …)` or `#(…)`"),
    ("begin progn block", "write `(do a b)`"),
    ("letrec labels flet", "write `(letfn [(f [x] …)] …)`"),
    ("compose pipe", "write `(comp f g)`, or `(-> x f g)`"),
    ("curry", "write `(partial f x)`"),
    // Failing and printing.
    (
        "error raise panic throw-error",
        "write `(fail {:reason :keyword :message \"…\"})` to end the mission, `(throw (ex-info \"…\" {}))` for an exception",
    ),
    (
        "try-or or-else attempt safe-call call-or try-call",
        "write `(if-error (call \"name\" {…}) default)`",
    ),
    ("try-catch with-handlers rescue", "write `(try … (catch Exception e …))`"),
    (
        "console.log display print-line log echo puts log/info write-line print!",
        "write `(println x)`",
    ),
    (
        "pprint pp print-table pprint/pprint clojure.pprint/pprint clojure.pprint/print-table",
        "write `(println x)`, or `(println (json/generate-string x {:pretty true}))`",
    ),
    // Features of this runtime.
    (
        "call-tool tool invoke tool-call call_tool use-tool run-tool tools/call",
        "write `(call \"tool-name\" {:argument value})`",
    ),
    ("return-value answer final-answer submit finish done", "write `(return value)`"),
    ("mem/put store remember", "write `(memory/put :key value)`"),
    ("mem/get recall", "write `memory/key`"),
    (
        "now today current-time current-date date/now time/now",
        "there is no clock; ask a tool for the time, or read it from `ctx/`",
    ),
    // Dates.
    (
        "days-between date-diff datediff days-diff date-difference diff-days",
        "write `(time-between from to :days)`",
    ),
    (
        "add-days plus-days date-plus dateadd add-months date-shift",
        "write `(date-add date n :days)`",
    ),
    (
        "to-date str->date string->date parse-datetime parse-date-time strptime to-datetime
         date/parse",
        "write `(parse-date text)`, or `(parse-date text \"dd/MM/yyyy\")`",
    ),
    (
        "format-date strftime date->str date-format",
        "write `(.format date (DateTimeFormatter/ofPattern \"dd.MM.yyyy\"))`",
    ),
    (
        "rand-float random random-int randint random-choice",
        "write `(rand)`, `(rand-int n)` or `(rand-nth coll)`",
    ),
    ("sleep wait", "there is no clock, so a program cannot wait; a tool can"),
    (
        "http/get http-get fetch-url curl http/post client/get requests/get",
        "there is no network; call a tool instead: `(call \"name\" {…})`",
    ),
];

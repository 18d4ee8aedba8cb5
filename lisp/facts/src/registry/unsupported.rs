//! Unsupported names of Clojure and Java, with replacements.

/// Returns what to write for a name that the language omits on purpose.
pub fn unsupported_name(name: &str) -> Option<&'static str> {
    if let Some((_, instead)) = entry(UNSUPPORTED, name) {
        return Some(instead);
    }
    if name.len() > 2 && name.starts_with('*') && name.ends_with('*') {
        return Some("there are no dynamic variables; pass the value as an argument");
    }
    // The name has its full namespace in Clojure.
    if let Some(short) = super::table::short(name) {
        return unsupported_name(&short);
    }
    // A class is unsupported with all its members.
    CLASSES.iter().find(|(start, _)| name.starts_with(start)).map(|(_, instead)| *instead)
}

/// Returns the names of Clojure and Java that models write and the language omits on purpose.
pub fn unsupported_names() -> impl Iterator<Item = &'static str> {
    UNSUPPORTED.iter().flat_map(|(names, _)| names.split_whitespace())
}

/// Finds a name in a table of names, separated by white space, with one sentence each.
pub(super) fn entry(
    table: &'static [(&'static str, &'static str)],
    name: &str,
) -> Option<&'static (&'static str, &'static str)> {
    table.iter().find(|(names, _)| names.split_whitespace().any(|known| known == name))
}

/// The unsupported names, in groups with one sentence each.
static UNSUPPORTED: &[(&str, &str)] = &[
    (
        "require use import ns in-ns refer refer-clojure load load-file load-reader compile
         requiring-resolve loaded-libs alias all-ns create-ns remove-ns find-ns the-ns
         ns-name ns-aliases ns-imports ns-interns ns-map ns-publics ns-refers ns-resolve
         ns-unalias ns-unmap add-classpath clojure-version",
        "remove the form: everything is loaded already, strings under `str/`, sets under `set/`",
    ),
    (
        "defmacro macroexpand macroexpand-1 gensym definline walk/macroexpand-all
         clojure.walk/macroexpand-all unquote unquote-splicing special-symbol? destructure
         munge namespace-munge",
        "there are no macros; write a function with `defn`",
    ),
    (
        "eval load-string read read+string with-in-str",
        "there is no `eval`; write the expression itself, and read data with `read-string` or `json/parse-string`",
    ),
    (
        "slurp spit read-line line-seq file-seq io! with-open xml-seq resultset-seq
         enumeration-seq iterator-seq",
        "there are no files; data is in `ctx/`, and tools are called with `(call \"name\" {…})`",
    ),
    (
        "Random. SecureRandom. java.security.SecureRandom. ThreadLocalRandom/current .nextInt
         .nextLong .nextDouble .nextBoolean",
        "write `(rand-int n)`, `(rand)` or `(rand-nth coll)`: the run records the seed",
    ),
    (
        "System/currentTimeMillis System/nanoTime java.util.Date. Date. Instant/now
         LocalDate/now LocalDateTime/now ZonedDateTime/now OffsetDateTime/now
         java.time.Instant/now java.time.LocalDate/now java.time.LocalDateTime/now
         LocalTime/now YearMonth/now ZoneId/systemDefault time",
        "there is no clock; ask a tool for the time, or read it from `ctx/`",
    ),
    (
        "future future-call future-cancel future-cancelled? future-done? future? promise
         deliver agent send send-off send-via await await-for agent-errors await1
         clear-agent-errors error-handler error-mode set-error-handler! set-error-mode!
         set-agent-send-executor! set-agent-send-off-executor! agent-error restart-agent
         shutdown-agents thread async go chan locking seque bound-fn bound-fn* Thread/sleep",
        "there are no threads; `pmap`, `pcalls` and `pvalues` call tools concurrently",
    ),
    (
        "ref dosync alter commute ensure ref-history-count ref-max-history ref-min-history
         sync ref-set binding with-bindings with-bindings* with-local-vars with-redefs
         with-redefs-fn var-get var-set alter-var-root bound? find-var intern resolve",
        "there are no references; carry values through `reduce` or `loop`",
    ),
    (
        "defprotocol defrecord deftype definterface defmulti defmethod reify proxy extend
         extend-type extend-protocol gen-class defstruct struct struct-map create-struct
         accessor satisfies? extends? extenders methods get-method remove-method
         prefer-method prefers derive underive isa? parents ancestors descendants
         make-hierarchy record? supers bases bean",
        "there are no types or methods; use maps and functions, and test with `map?`, `string?` and the like",
    ),
    ("type?", "write `(instance? Number x)`, or `number?` and the like"),
    (
        "meta with-meta vary-meta alter-meta! reset-meta!",
        "values have no metadata; put a value and its metadata into a map",
    ),
    (
        "hash-combine hash-ordered-coll hash-unordered-coll mix-collection-hash Objects/hash",
        "there are no functions for hashes; use the value itself as a key of a map",
    ),
    ("rationalize numerator denominator", "there are no ratios: `/` returns an integer or a float"),
    (
        "bigdec with-precision BigDecimal. BigDecimal/valueOf bigdec?",
        "there is no BigDecimal: count in the smallest unit as integers, or round with `(format \"%.2f\" x)`",
    ),
    (
        "unchecked-add-int unchecked-subtract-int unchecked-multiply-int unchecked-inc-int
         unchecked-dec-int unchecked-negate-int unchecked-divide-int unchecked-remainder-int
         unchecked-char",
        "integers are 64-bit and grow: write `+`, `-`, `*`, `quot` and `rem`; `(unchecked-int x)` cuts to 32 bits",
    ),
    (
        "int-array long-array double-array float-array boolean-array byte-array char-array
         short-array object-array make-array into-array to-array to-array-2d aget aset
         aset-int aset-long aset-double aset-boolean aset-byte aset-char aset-float
         aset-short alength aclone amap areduce vector-of ints longs doubles floats booleans
         bytes chars shorts bytes? .toCharArray .getBytes",
        "there are no arrays: use vectors with `nth`, `assoc` and `mapv`; the characters of a text are `(seq text)`",
    ),
    ("->Eduction", "write `(eduction xform coll)`"),
    ("iteration", "write `loop` and `recur`, and keep the pages in a vector"),
    (
        "chunk chunk-append chunk-buffer chunk-cons chunk-first chunk-next chunk-rest
         chunked-seq?",
        "sequences have no chunks; `partition-all` makes groups",
    ),
    ("uri?", "a URI is a text here; test it with `re-matches`"),
    (
        "tagged-literal tagged-literal? reader-conditional reader-conditional?
         default-data-readers",
        "there are no tagged literals; write the value itself",
    ),
    (
        "walk/postwalk-demo walk/prewalk-demo clojure.walk/postwalk-demo
         clojure.walk/prewalk-demo tap> add-tap remove-tap",
        "print values with `println`",
    ),
    ("find-keyword", "write `(keyword text)`"),
    (
        "->ArrayChunk ->Vec ->VecNode ->VecSeq -cache-protocol-fn -reset-methods EMPTY-NODE
         construct-proxy find-protocol-impl find-protocol-method get-proxy-class
         get-thread-bindings init-proxy inst-ms* method-sig pop-thread-bindings
         push-thread-bindings proxy-call-with-super proxy-mappings proxy-name proxy-super
         update-proxy release-pending-sends remove-all-methods seq-to-map-for-destructuring
         thread-bound? with-loading-context gen-interface test bases primitives-classnames
         char-escape-string char-name-string print-method print-dup print-ctor print-simple
         PrintWriter-on Throwable->map StackTraceElement->vec Inst",
        "this belongs to the JVM; there is nothing like it here",
    ),
    (
        ".charCodeAt .chars .entrySet .stream .forEach .iterator .push .put .remove .append",
        "use Clojure's functions: `seq`, `map`, `conj`, `assoc`, `dissoc`, `str`",
    ),
    (
        "let* loop* fn* letfn* case*",
        "write it without the star: `let`, `loop`, `fn`, `letfn`, `case`",
    ),
    ("deftype* reify*", "there are no types or methods; use maps and functions"),
    ("monitor-enter monitor-exit", "there are no threads, so nothing needs to be locked"),
    ("import*", "classes are found by their names: `Math/abs`, `java.time.LocalDate/parse`"),
    ("set!", "for mutable state use an atom: `(reset! a x)`, `(swap! a f)`"),
    ("*e", "catch the exception: `(try … (catch Exception e …))`"),
    ("&", "it is valid only in parameter lists: `(fn [a & more] …)`"),
];

/// Unsupported classes, by the start of their names.
static CLASSES: &[(&str, &str)] = &[
    ("TemporalAdjusters/", ADJUST),
    ("java.time.temporal.TemporalAdjusters/", ADJUST),
    (
        "SimpleDateFormat",
        "write `(LocalDate/parse text (DateTimeFormatter/ofPattern \"dd/MM/yyyy\"))`",
    ),
    (
        "java.text.",
        "write `(LocalDate/parse text (DateTimeFormatter/ofPattern \"dd/MM/yyyy\"))` or `(format \"%.2f\" x)`",
    ),
    (
        "System/",
        "the system is not accessible; data is in `ctx/`, and tools are called with `(call \"name\" {…})`",
    ),
    ("Thread/", "there are no threads; `pmap`, `pcalls` and `pvalues` call tools concurrently"),
    ("Collections/", "use Clojure's functions: `sort`, `reverse`, `max`, `frequencies`"),
    ("Arrays/", "use Clojure's functions: `sort`, `vec`, `into`"),
    (
        "Pattern/",
        "write a regular expression as #\"…\", or make one from a text with `(re-pattern text)`",
    ),
    (
        "java.util.regex.",
        "write a regular expression as #\"…\", or make one from a text with `(re-pattern text)`",
    ),
];

const ADJUST: &str = "the first day of a month is `(.withDayOfMonth date 1)`, the last `(.withDayOfMonth date (.lengthOfMonth date))`";

//! Names of Clojure and Java that are left out, and what to write instead.

/// What to write instead of a name that the language leaves out on purpose.
pub(crate) fn left_out(name: &str) -> Option<&'static str> {
    Some(match name {
        "require" | "use" | "import" | "ns" | "in-ns" | "refer" | "load" => {
            "remove the form: everything is there already, strings under `str/`, sets under `set/`"
        }
        "defmacro" | "macroexpand" | "gensym" => {
            "there are no macros; write a function with `defn`"
        }
        "eval" | "read-string" | "load-string" => "there is no `eval`; write the expression itself",
        "slurp" | "spit" | "read-line" | "line-seq" => {
            "there are no files; data is in `ctx/`, and tools are called with `(call \"name\" {…})`"
        }
        "rand" | "rand-int" | "rand-nth" | "shuffle" | "random-uuid" => {
            "there is no randomness; ask a tool, or take it from `ctx/`"
        }
        "System/currentTimeMillis"
        | "System/nanoTime"
        | "java.util.Date."
        | "Instant/now"
        | "LocalDate/now" => "there is no clock; ask a tool for the time, or take it from `ctx/`",
        "future" | "promise" | "agent" | "send" | "thread" | "async" | "go" | "chan"
        | "deliver" => "there are no threads; call tools one after another",
        "ref" | "dosync" | "alter" | "volatile!" | "vswap!" | "vreset!" => {
            "there are no references; carry values through `reduce` or `loop`"
        }
        "transient" | "persistent!" | "conj!" | "assoc!" => {
            "leave the `!` functions out: `conj` and `assoc` change in place where they can"
        }
        "defprotocol" | "defrecord" | "deftype" | "defmulti" | "defmethod" | "reify" | "proxy" => {
            "there are no types or methods; use maps and functions"
        }
        "pmap" | "pcalls" | "iterate" | "cycle" | "format" | "sorted-map" => {
            "it is not part of the language yet"
        }
        _ => return None,
    })
}

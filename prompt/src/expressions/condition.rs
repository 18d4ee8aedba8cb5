//! Conditions of loops and of paths of flow files: a small part of JavaScript's expressions, read as an
//! expression of the language.
//!
//! Nothing converts between types: `==` is `===`, except that null equals a missing value. Texts are
//! compared as texts.

use super::paths::{self, Writing, literal};

/// The longest condition, in bytes.
const MAX_LENGTH: usize = 1_000;
/// The expression that reads the whole payload.
const PAYLOAD: &str = "(payload/get [])";
/// The deepest nesting of a condition.
const MAX_DEPTH: usize = 32;

/// A condition as an expression.
#[derive(Debug, PartialEq)]
pub struct Condition {
    /// The expression, whose value is a boolean.
    pub source: String,
    /// The functions that it calls; one of them may call an earlier one.
    pub helpers: Vec<&'static Helper>,
    /// The names that it reads.
    pub reads: Vec<String>,
}

/// A function that conditions call.
#[derive(Debug, PartialEq, Eq)]
pub struct Helper {
    /// Its name.
    pub name: &'static str,
    params: &'static str,
    body: &'static str,
}

impl Helper {
    /// Returns the function as a binding of `let`.
    pub fn binding(&self) -> String {
        format!("{} (fn [{}] {})", self.name, self.params, self.body)
    }

    /// Returns the definition of the function.
    pub fn definition(&self) -> String {
        format!("(defn {} [{}]\n  {})", self.name, self.params, self.body)
    }
}

/// Reads a condition. `names` are its names, with the expressions that they are read as. A name may have dots, such as
/// `flow.path`.
///
/// # Errors
///
/// The reason that it is not a condition.
pub fn condition(
    text: &str,
    names: &[(String, String)],
    writing: Writing,
) -> Result<Condition, String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("it is longer than {MAX_LENGTH} bytes"));
    }
    let tokens = tokens(text)?;
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        depth: 0,
        names,
        writing,
        locals: Vec::new(),
        helpers: Vec::new(),
        reads: Vec::new(),
    };
    let whole = reader.binary(0)?;
    if let Some(token) = reader.tokens.get(reader.at) {
        return Err(unexpected(token));
    }
    let source = reader.truth(whole);
    // A function may call an earlier one, so their order is that of the table.
    let helpers = HELPERS.iter().filter(|it| reader.helpers.contains(&it.name)).collect();
    Ok(Condition { source, helpers, reads: reader.reads })
}

/// The functions that conditions call.
static HELPERS: [Helper; 5] = [
    Helper {
        name: "truthy",
        params: "v",
        body: "(not (or (nil? v) (false? v) (= v \"\") (and (number? v) (zero? v))))",
    },
    Helper {
        name: "prop",
        params: "v k",
        body: "(cond (nil? v) (throw (ex-info (str \"`\" k \"` of nothing\") {})) (and (= k \"length\") (or (string? v) (sequential? v))) (count v) (coll? v) (get v k nil) :else nil)",
    },
    Helper {
        name: "order",
        params: "a b",
        body: "(if (or (nil? a) (nil? b)) (throw (ex-info \"nothing is compared\" {})) (compare a b))",
    },
    Helper {
        name: "has",
        params: "v x",
        body: "(if (string? v) (clojure.string/includes? v x) (boolean (some (fn [it] (= it x)) v)))",
    },
    Helper {
        name: "type-of",
        params: "v",
        body: "(cond (nil? v) \"undefined\" (string? v) \"string\" (number? v) \"number\" (boolean? v) \"boolean\" :else \"object\")",
    },
];

/// Operators with their binding strength; a longer one comes before its beginning.
const OPERATORS: [(&str, u8); 15] = [
    ("===", 3),
    ("!==", 3),
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<=", 4),
    (">=", 4),
    ("=>", 0),
    ("<", 4),
    (">", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
];
const REMAINDER: (&str, u8) = ("%", 6);
const MARKS: [&str; 7] = ["(", ")", "[", "]", ".", ",", "!"];

/// Methods: the name, the number of arguments, and the function that takes the value after them or
/// before them.
const METHODS: [(&str, usize, &str); 10] = [
    ("includes", 1, "has"),
    ("startsWith", 1, "clojure.string/starts-with?"),
    ("endsWith", 1, "clojure.string/ends-with?"),
    ("indexOf", 1, "clojure.string/index-of"),
    ("toLowerCase", 0, "clojure.string/lower-case"),
    ("toUpperCase", 0, "clojure.string/upper-case"),
    ("trim", 0, "clojure.string/trim"),
    ("trimStart", 0, "clojure.string/triml"),
    ("trimEnd", 0, "clojure.string/trimr"),
    ("toString", 0, "str"),
];

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(String),
    Text(String),
    Name(String),
    Mark(&'static str),
}

/// An expression.
#[derive(Default)]
struct Expr {
    source: String,
    /// Whether its value is a boolean.
    is_bool: bool,
    /// The name with dots that it is, or that it begins.
    name: Option<String>,
    /// The root and the path that it reads, in a program for people.
    path: Option<(String, Vec<String>)>,
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    names: &'t [(String, String)],
    writing: Writing,
    /// The parameters of the open functions.
    locals: Vec<String>,
    helpers: Vec<&'static str>,
    reads: Vec<String>,
}

impl Reader<'_> {
    /// Reads operands and operators that bind more strongly than `least`.
    fn binary(&mut self, least: u8) -> Result<Expr, String> {
        let mut left = self.unary()?;
        while let Some((operator, strength)) = self.operator() {
            if strength <= least {
                break;
            }
            self.at += 1;
            let right = self.binary(strength)?;
            left = self.joined(operator, &left, &right);
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(&'static str, u8)> {
        let Some(Token::Mark(mark)) = self.tokens.get(self.at) else { return None };
        let found = OPERATORS.iter().chain([&REMAINDER]).find(|(it, _)| it == mark);
        found.filter(|(_, strength)| *strength > 0).copied()
    }

    fn joined(&mut self, operator: &str, left: &Expr, right: &Expr) -> Expr {
        let number = |function: &str, left: &Expr, right: &Expr| {
            plain(format!("({function} {} {})", left.source, right.source))
        };
        match operator {
            "||" | "&&" => self.choice(operator, left, right),
            "==" | "===" => truth(format!("(= {} {})", left.source, right.source)),
            "!=" | "!==" => truth(format!("(not= {} {})", left.source, right.source)),
            // A number is compared with numbers alone.
            "<" | ">" | "<=" | ">="
                if self.is_readable() && (is_number(left) || is_number(right)) =>
            {
                truth(format!("({operator} {} {})", left.source, right.source))
            }
            "<" => self.ordered("neg?", left, right),
            ">" => self.ordered("pos?", left, right),
            "<=" => self.ordered("<= 0", right, left),
            ">=" => self.ordered("<= 0", left, right),
            "+" if is_text(left) || is_text(right) => number("str", left, right),
            "/" => plain(format!("(/ (double {}) {})", left.source, right.source)),
            "%" => number("rem", left, right),
            other => number(other, left, right),
        }
    }

    fn ordered(&mut self, test: &str, left: &Expr, right: &Expr) -> Expr {
        self.need("order");
        truth(format!("({test} (order {} {}))", left.source, right.source))
    }

    fn choice(&mut self, operator: &str, left: &Expr, right: &Expr) -> Expr {
        let word = if operator == "||" { "or" } else { "and" };
        if left.is_bool && right.is_bool {
            return truth(format!("({word} {} {})", left.source, right.source));
        }
        self.need("truthy");
        // A name of a condition has no hyphen, so the local hides none.
        let (then, other) = if operator == "||" {
            ("left-side", right.source.as_str())
        } else {
            (right.source.as_str(), "left-side")
        };
        let source =
            format!("(let [left-side {}] (if (truthy left-side) {then} {other}))", left.source);
        plain(source)
    }

    fn is_readable(&self) -> bool {
        self.writing == Writing::Program
    }

    fn unary(&mut self) -> Result<Expr, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("it is nested more than {MAX_DEPTH} levels deep"));
        }
        let read = match self.tokens.get(self.at) {
            Some(Token::Mark("!")) => {
                self.at += 1;
                let operand = self.unary()?;
                Ok(truth(format!("(not {})", self.truth(operand))))
            }
            Some(Token::Mark("-")) => {
                self.at += 1;
                Ok(plain(format!("(- {})", self.unary()?.source)))
            }
            Some(Token::Name(name)) if name == "typeof" => {
                self.at += 1;
                self.need("type-of");
                Ok(plain(format!("(type-of {})", self.unary()?.source)))
            }
            _ => self.postfix(),
        };
        self.depth -= 1;
        read
    }

    fn postfix(&mut self) -> Result<Expr, String> {
        let mut value = self.primary()?;
        loop {
            if self.take(".") {
                let name = self.name()?;
                value = if self.take("(") {
                    self.method(&value, &name)?
                } else if let Some(named) = self.named(value.name.as_deref(), &name) {
                    named
                } else {
                    self.property(&value, &name)?
                };
            } else if self.take("[") {
                let key = self.binary(0)?;
                self.require("]")?;
                self.refuse_group(&value)?;
                value = self.at_key(&value, key.source);
            } else {
                self.refuse_group(&value)?;
                return Ok(value);
            }
        }
    }

    /// Returns a name behind the dot of another one, if it is one of the names, or begins one.
    fn named(&mut self, before: Option<&str>, name: &str) -> Option<Expr> {
        let name = before.map_or_else(|| name.to_owned(), |before| format!("{before}.{name}"));
        let found = self.names.iter().find(|it| it.0 == name).map(|it| it.1.clone());
        let begins = format!("{name}.");
        if found.is_none() && !self.names.iter().any(|it| it.0.starts_with(&begins)) {
            return None;
        }
        if found.is_some() {
            self.reads.push(name.clone());
        }
        let source = found.unwrap_or_default();
        let path = self.is_readable().then(|| (source.clone(), Vec::new()));
        Some(Expr { source, is_bool: false, name: Some(name), path })
    }

    /// Refuses a name that only begins names with dots.
    fn refuse_group(&self, value: &Expr) -> Result<(), String> {
        let Some(name) = value.name.as_deref().filter(|_| value.source.is_empty()) else {
            return Ok(());
        };
        let parts = self.names.iter().filter_map(|it| it.0.strip_prefix(name)?.strip_prefix('.'));
        let parts: Vec<&str> = parts.collect();
        Err(format!("`{name}` has only {}", parts.join(", ")))
    }

    fn property(&mut self, value: &Expr, name: &str) -> Result<Expr, String> {
        self.refuse_group(value)?;
        if self.is_readable() && name == "length" {
            return Ok(plain(format!("(count {})", value.source)));
        }
        Ok(self.at_key(value, self.writing.key(name)))
    }

    /// Returns the value at a key of another one.
    fn at_key(&mut self, value: &Expr, key: String) -> Expr {
        if self.is_readable() {
            let own = || (value.source.clone(), Vec::new());
            let (root, mut path) = value.path.clone().unwrap_or_else(own);
            path.push(key);
            let source = if root == PAYLOAD {
                paths::payload(&path)
            } else {
                self.writing.inside(&root, &path)
            };
            return Expr { path: Some((root, path)), ..plain(source) };
        }
        // The payload itself is never nothing, and a path reads less of it.
        if value.source == PAYLOAD {
            return plain(paths::payload(&[key]));
        }
        self.need("prop");
        plain(format!("(prop {} {key})", value.source))
    }

    fn method(&mut self, value: &Expr, name: &str) -> Result<Expr, String> {
        let function = ["some", "every", "filter", "find", "map"].contains(&name);
        if function {
            let (parameter, body) = self.function(name != "map")?;
            let (of, given) = (format!("(fn [{parameter}] {body})"), &value.source);
            return Ok(match name {
                "some" => truth(format!("(boolean (some {of} {given}))")),
                "every" => truth(format!("(every? {of} {given})")),
                "filter" => plain(format!("(filterv {of} {given})")),
                "find" => plain(format!("(first (filter {of} {given}))")),
                _ => plain(format!("(mapv {of} {given})")),
            });
        }
        let Some((_, count, function)) = METHODS.iter().find(|(it, ..)| *it == name) else {
            let known =
                METHODS.iter().map(|it| it.0).chain(["some", "every", "filter", "find", "map"]);
            let known: Vec<&str> = known.collect();
            return Err(format!("there is no method `{name}`; there are {}", known.join(", ")));
        };
        let mut args = Vec::new();
        while !self.take(")") {
            if !args.is_empty() {
                self.require(",")?;
            }
            args.push(self.binary(0)?.source);
        }
        if args.len() != *count {
            return Err(format!("`{name}` takes {count} argument(s)"));
        }
        if *function == "has" {
            self.need("has");
        }
        let args = args.iter().fold(String::new(), |all, it| format!("{all} {it}"));
        let source = format!("({function} {}{args})", value.source);
        Ok(if name == "indexOf" {
            plain(format!("(or {source} -1)"))
        } else if *function == "has" || function.ends_with('?') {
            truth(source)
        } else {
            plain(source)
        })
    }

    /// Reads the function of a method, such as `i => i.price > 100`, up to its parenthesis.
    fn function(&mut self, is_test: bool) -> Result<(String, String), String> {
        let in_parens = self.take("(");
        let parameter = self.name()?;
        if in_parens {
            self.require(")")?;
        }
        self.require("=>")?;
        // A hyphen keeps the local apart from the names of the language.
        let local = format!("it-{parameter}");
        self.locals.push(parameter);
        let body = self.binary(0)?;
        let body = if is_test { self.truth(body) } else { body.source };
        self.locals.pop();
        self.require(")")?;
        Ok((local, body))
    }

    fn primary(&mut self) -> Result<Expr, String> {
        let Some(token) = self.tokens.get(self.at) else {
            return Err("it ends where a value is expected".to_owned());
        };
        self.at += 1;
        match token {
            Token::Number(digits) => Ok(plain(digits.clone())),
            Token::Text(text) => Ok(plain(literal(text))),
            Token::Mark("(") => {
                let inner = self.binary(0)?;
                self.require(")")?;
                Ok(inner)
            }
            Token::Name(name) if self.locals.contains(name) => Ok(plain(format!("it-{name}"))),
            Token::Name(name) => match name.as_str() {
                "true" | "false" => Ok(truth(name.clone())),
                "null" | "undefined" => Ok(plain("nil".to_owned())),
                _ => self.named(None, name).ok_or_else(|| {
                    let mut roots: Vec<&str> = Vec::new();
                    for (known, _) in self.names {
                        let root = known.split('.').next().unwrap_or(known);
                        if !roots.contains(&root) {
                            roots.push(root);
                        }
                    }
                    let last = roots.pop().unwrap_or_default();
                    format!("`{name}` is not a name; there are {} and {last}", roots.join(", "))
                }),
            },
            Token::Mark(_) => Err(unexpected(token)),
        }
    }

    /// Returns an expression whose value is a boolean, as JavaScript tests a value.
    fn truth(&mut self, value: Expr) -> String {
        if value.is_bool {
            return value.source;
        }
        self.need("truthy");
        format!("(truthy {})", value.source)
    }

    fn need(&mut self, helper: &'static str) {
        if !self.helpers.contains(&helper) {
            self.helpers.push(helper);
        }
    }

    fn take(&mut self, mark: &str) -> bool {
        let is_it = matches!(self.tokens.get(self.at), Some(Token::Mark(it)) if *it == mark);
        self.at += usize::from(is_it);
        is_it
    }

    fn require(&mut self, mark: &str) -> Result<(), String> {
        if self.take(mark) {
            return Ok(());
        }
        Err(match self.tokens.get(self.at) {
            Some(token) => format!("{}, where `{mark}` is expected", unexpected(token)),
            None => format!("it ends where `{mark}` is expected"),
        })
    }

    fn name(&mut self) -> Result<String, String> {
        match self.tokens.get(self.at) {
            Some(Token::Name(name)) => {
                self.at += 1;
                Ok(name.clone())
            }
            Some(token) => Err(format!("{}, where a name is expected", unexpected(token))),
            None => Err("it ends where a name is expected".to_owned()),
        }
    }
}

fn truth(source: String) -> Expr {
    Expr { is_bool: true, ..plain(source) }
}

fn plain(source: String) -> Expr {
    Expr { source, ..Expr::default() }
}

fn is_number(value: &Expr) -> bool {
    value.source.starts_with(|c: char| c.is_ascii_digit())
}

fn is_text(value: &Expr) -> bool {
    value.source.starts_with('"') || value.source.starts_with("(str ")
}

fn unexpected(token: &Token) -> String {
    let text = match token {
        Token::Number(text) | Token::Text(text) | Token::Name(text) => text.as_str(),
        Token::Mark(mark) => mark,
    };
    format!("it has `{text}`")
}

/// Splits a condition into tokens.
fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        let end = if first.is_ascii_digit() {
            let is_part = |c: char| c.is_ascii_digit() || c == '.';
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let digits = rest.get(..end).unwrap_or_default();
            let is_octal = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
            if digits.parse::<f64>().is_err() || digits.ends_with('.') || is_octal {
                return Err(format!("`{digits}` is not a number"));
            }
            tokens.push(Token::Number(digits.to_owned()));
            end
        } else if is_name(first) {
            let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            tokens.push(Token::Name(rest.get(..end).unwrap_or_default().to_owned()));
            end
        } else if first == '\'' || first == '"' {
            let (content, end) = quoted(rest, first)?;
            tokens.push(Token::Text(content));
            end
        } else {
            let operators = OPERATORS.iter().chain([&REMAINDER]).map(|it| it.0);
            let mark = operators.chain(MARKS).find(|mark| rest.starts_with(mark));
            let mark = mark.ok_or_else(|| format!("it has `{first}`"))?;
            tokens.push(Token::Mark(mark));
            mark.len()
        };
        rest = rest.get(end..).unwrap_or_default().trim_start();
    }
    Ok(tokens)
}

/// Reads a text in quotes. Returns it with its length in the source.
fn quoted(source: &str, quote: char) -> Result<(String, usize), String> {
    let mut content = String::new();
    let mut is_escaped = false;
    for (at, c) in source.char_indices().skip(1) {
        match c {
            _ if is_escaped => {
                content.push(match c {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                });
                is_escaped = false;
            }
            '\\' => is_escaped = true,
            c if c == quote => return Ok((content, at + c.len_utf8())),
            c => content.push(c),
        }
    }
    Err("a text has no end".to_owned())
}

#[cfg(test)]
mod tests {
    use ptc_lisp::{Budget, Limits, Outcome, Session, Value, Yielded};

    use super::*;

    /// Evaluates a condition. The error is that of reading or of evaluating it.
    fn evaluate(text: &str) -> Result<bool, String> {
        evaluate_as(text, Writing::Reply)
    }

    fn evaluate_as(text: &str, writing: Writing) -> Result<bool, String> {
        let data = r#"{"n": 3, "tier": "premium", "total": 1200.5, "tags": ["urgent", "new"], "a b": 1,
            "items": [{"price": 50}, {"price": 150}, {"price": 250}], "zero": 0, "empty": "", "no": false,
            "obj": {"x": null}}"#;
        let names = [("data", "ctx"), ("results", "(deref results)"), ("errors", "(deref errors)")];
        let names = names.map(|(name, source)| (name.to_owned(), source.to_owned()));
        let Condition { source, helpers, reads } = condition(text, &names, writing)?;
        let lists = if reads.iter().any(|it| it != "data") {
            "results (atom [1 2]) errors (atom [])"
        } else {
            ""
        };
        let bindings: Vec<String> = helpers.into_iter().map(Helper::binding).collect();
        let program = format!("(return (let [{} {lists}] {source}))", bindings.join(" "));
        let ctx = ptc_lisp::json::parse(data).map_err(|it| it.to_string())?;
        let session = Session::new(ctx, Vec::new(), Limits::default());
        let admitted = session.admit(&program).map_err(|it| format!("{:?}", it.diagnostics))?;
        let mut machine = session.start(&admitted);
        while matches!(machine.run(&mut Budget::new(session.limits())), Yielded::SliceUsed) {}
        match machine.finish().outcome {
            Outcome::Return(Value::Bool(is_true)) => Ok(is_true),
            Outcome::Error(error) => Err(error.message().to_owned()),
            other => Err(format!("{other:?}")),
        }
    }

    /// L43, L47, B.6: operators, paths, methods and functions.
    #[test]
    fn l43_l47_conditions() {
        for text in [
            "data.n == 3",
            "data.n === 3.0 && data.n !== '3'",
            "data.tier == 'premium' && data.total > 1000",
            "data.items[2].price > data.items[0].price",
            "data['a b'] == 1",
            "data.tags.includes('urgent') && data.tier.includes(\"rem\")",
            "data.items.filter(i => i.price > 100).length == 2",
            "data.items.every((it) => it.price >= 50) && !data.items.some(i => i.price < 50)",
            "data.items.find(i => i.price > 100).price == 150",
            "data.items.map(i => i.price % 100)[0] == 50",
            "typeof data.n == 'number' && typeof data.x == 'undefined'",
            "data.obj.missing == null && data.obj.x === undefined",
            "(data.x || 7) == 7 && (data.n || 7) == 3",
            "!data.zero && !data.empty && !data.no && !data.x",
            "data.obj && data.items && 'x'",
            "1 + 2 * 3 == 7 && (1 + 2) * 3 == 9 && -1 < 0 && 7 / 2 == 3.5",
            "'a' + 1 == 'a1' && '\\'' == \"'\"",
            "data.tier.toUpperCase().startsWith('PRE') && data.tier.indexOf('x') == -1",
            "results.length == 2 && errors.length == 0",
            "data.tier > 'basic' && data.tier.length == 7",
        ] {
            assert_eq!(evaluate(text), Ok(true), "{text}");
            assert_eq!(evaluate(&format!("!({text})")), Ok(false), "{text}");
        }
        for text in ["data.x", "data.zero", "data.n > 3 || data.tags.length > 2", "null", "''"] {
            assert_eq!(evaluate(text), Ok(false), "{text}");
        }
    }

    /// L49, B.6: what cannot be read or evaluated.
    #[test]
    fn l49_wrong_conditions() {
        let names = "there are data, results and errors";
        for (text, expected) in [
            ("", "it ends where a value is expected".to_owned()),
            ("(data.n == 3", "it ends where `)` is expected".to_owned()),
            ("data.n == ", "it ends where a value is expected".to_owned()),
            ("data.n = 3", "it has `=`".to_owned()),
            ("data.n; 1", "it has `;`".to_owned()),
            ("data.n 3", "it has `3`".to_owned()),
            ("data.a.b == 1", "`b` of nothing".to_owned()),
            ("data.missing < 5", "nothing is compared".to_owned()),
            ("payload.n == 3", format!("`payload` is not a name; {names}")),
            ("constructor", format!("`constructor` is not a name; {names}")),
            ("new Date()", format!("`new` is not a name; {names}")),
            ("`x`", "it has ```".to_owned()),
            ("'x", "a text has no end".to_owned()),
            ("07 == 7", "`07` is not a number".to_owned()),
            ("data.items.map(3)", "it has `3`, where a name is expected".to_owned()),
            ("data.tags.includes()", "`includes` takes 1 argument(s)".to_owned()),
            (
                "data.tags.reduce(1)",
                "there is no method `reduce`; there are includes, startsWith, endsWith, indexOf, \
                 toLowerCase, toUpperCase, trim, trimStart, trimEnd, toString, some, every, filter, find, \
                 map"
                .to_owned(),
            ),
        ] {
            assert_eq!(evaluate(text), Err(expected), "{text}");
        }
        let long = format!("1 == {}", "1".repeat(MAX_LENGTH));
        assert_eq!(evaluate(&long), Err("it is longer than 1000 bytes".to_owned()));
        let deep = format!("{}1{}", "(".repeat(400), ")".repeat(400));
        assert_eq!(evaluate(&deep), Err("it is nested more than 32 levels deep".to_owned()));
        assert_eq!(evaluate(&format!("{}1", "!".repeat(400))), evaluate(&deep));
    }
}

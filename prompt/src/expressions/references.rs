//! References: texts of parameters that name messages of the conversation, and in a loop an item, an index, the payload or
//! the input.

use ptc_lisp::json::{self, marks};
use ptc_lisp::print;
use serde_json::Value as Json;

use super::paths::{Writing, literal, payload};
use crate::text::one_line;

/// The names that texts can refer to, besides the conversation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'a> {
    /// The name of the item, which the program calls `item`; `None` outside of loops, where texts refer to the
    /// conversation alone.
    pub item: Option<&'a str>,
    /// The name of the index, which the program calls `index`; `None` if the loop has none.
    pub index: Option<&'a str>,
    /// Whether the mission has a payload.
    pub has_payload: bool,
    /// Other names, and the expressions that they are read as; a name may have dots.
    pub others: &'a [(String, String)],
    /// The readers of the expressions.
    pub writing: Writing,
}

/// Expressions of one program.
#[derive(Debug)]
pub struct Expressions<'a> {
    names: Names<'a>,
    /// Whether an expression calls [`TEXT`].
    pub joins_texts: bool,
    /// Whether a text was a reference or had one.
    pub has_references: bool,
    /// Whether an expression reads the index of a loop.
    pub reads_index: bool,
    /// The fault of the first reference that names nothing. The call whose parameter it is cannot be made.
    fault: Option<String>,
}

/// Roots that mean a value and that no mapping of a flow file can refer to.
const REFUSED: [(&str, &str); 2] = [
    ("context", "names the host context, which tools alone read"),
    ("stepResult", "is for conditions: `flowContext.stepResults.NAME` is the result of a step"),
];

/// The results of the last loop, which the run keeps.
const RESULTS: &str = "(memory/get :results nil)";

/// The roles of messages, as the functions `conversation/…` take them.
const ROLES: [&str; 5] = ["user", "assistant", "ai", "system", "all"];

/// The binding of a function that gives a value as a part of a text.
pub const TEXT: &str = "text (fn [v] (if (coll? v) (cheshire.core/generate-string v) v))";

impl<'a> Expressions<'a> {
    /// Begins the expressions of a program.
    pub fn new(names: Names<'a>) -> Expressions<'a> {
        Expressions {
            names,
            joins_texts: false,
            has_references: false,
            reads_index: false,
            fault: None,
        }
    }

    /// Returns the source of a call of a tool with parameters.
    ///
    /// # Errors
    ///
    /// An observation about a reference of the parameters that names nothing.
    pub fn call(&mut self, tool: &str, params: &Json) -> Result<String, String> {
        let source = format!("(call {} {})", literal(tool), self.value(params));
        match self.fault.take() {
            Some(fault) => Err(format!("Error: {fault}")),
            None => Ok(source),
        }
    }

    /// Returns a value as an expression, as [`Expressions::value`] does.
    ///
    /// # Errors
    ///
    /// The fault of a reference that names nothing.
    pub fn checked(&mut self, value: &Json) -> Result<String, String> {
        let source = self.value(value);
        self.fault.take().map_or(Ok(source), Err)
    }

    /// Returns a value as an expression, with its references resolved. The depth of JSON from a reply
    /// is limited, so this recursion is too.
    pub fn value(&mut self, value: &Json) -> String {
        match value {
            Json::String(text) => match marks::number(text) {
                Some(digits) => digits.to_owned(),
                None => self.text(text),
            },
            Json::Array(items) => {
                let items: Vec<String> = items.iter().map(|it| self.value(it)).collect();
                format!("[{}]", items.join(" "))
            }
            Json::Object(fields) => {
                let fields = fields.iter().map(|(key, it)| {
                    let value = self.value(it);
                    format!("{} {value}", self.names.writing.key(key))
                });
                let fields: Vec<String> = fields.collect();
                format!("{{{}}}", fields.join(" "))
            }
            other => print::readable(&json::from_serde(other)),
        }
    }

    /// Returns a text as an expression: a reference, a text with references in `{{…}}`, or itself.
    fn text(&mut self, text: &str) -> String {
        let trimmed = text.trim();
        if let Some(fixed) = self.names.fixed(trimmed) {
            return literal(fixed);
        }
        let whole = trimmed.strip_prefix("{{").and_then(|it| it.strip_suffix("}}"));
        let whole = whole.filter(|it| !it.contains("{{") && !it.contains("}}"));
        if let Some(found) = self.reference(whole.unwrap_or(trimmed)) {
            self.has_references = true;
            return found;
        }
        let mut parts = Vec::new();
        let (mut rest, mut fixed) = (text, String::new());
        while let Some((before, after)) = rest.split_once("{{") {
            fixed.push_str(before);
            let found = after.split_once("}}");
            let found = found.and_then(|(name, after)| Some((self.reference(name)?, after)));
            if let Some((found, after)) = found {
                if !fixed.is_empty() {
                    parts.push(literal(&std::mem::take(&mut fixed)));
                }
                parts.push(format!("(text {found})"));
                rest = after;
            } else {
                fixed.push_str("{{");
                rest = after;
            }
        }
        fixed.push_str(rest);
        if parts.is_empty() {
            return literal(&fixed);
        }
        if !fixed.is_empty() {
            parts.push(literal(&fixed));
        }
        (self.joins_texts, self.has_references) = (true, true);
        format!("(str {})", parts.join(" "))
    }

    /// Returns the expression of a reference; `None` if the text is none.
    fn reference(&mut self, text: &str) -> Option<String> {
        let found = self.names.reference(text)?;
        self.reads_index |= found.as_deref() == Ok("index");
        Some(found.unwrap_or_else(|why| {
            let fault = format!("the reference `{}` {why}", one_line(text.trim(), 200));
            self.fault.get_or_insert(fault);
            "nil".to_owned()
        }))
    }
}

impl Names<'_> {
    /// Returns the text behind `static:` in the mapping of a flow file.
    fn fixed<'t>(&self, text: &'t str) -> Option<&'t str> {
        let (prefix, fixed) = text.split_once(':')?;
        let is_it = self.writing == Writing::Program && prefix.eq_ignore_ascii_case("static");
        is_it.then_some(fixed)
    }

    /// Returns the expression of a reference such as `customer.email` or `payload.rows[0]`; `None` if
    /// the text is none. The error says what it names that is not there.
    fn reference(&self, text: &str) -> Option<Result<String, String>> {
        let text = text.trim();
        let (root, path) = self.writing.path_of(text)?;
        if root.eq_ignore_ascii_case("conversation") {
            let (_, path) = Writing::Reply.path_of(text)?;
            return conversation(&path);
        }
        let is_program = self.writing == Writing::Program;
        // Without an index, it may be a name such as `results.pdf`.
        if !is_program && root == "results" && path.first().is_some_and(|it| !it.starts_with('"')) {
            return Some(Ok(self.writing.inside(RESULTS, &path)));
        }
        if let Some(found) = self.other(text) {
            return Some(Ok(found));
        }
        if is_program && let Some(why) = self.refused(root, &path) {
            return Some(Err(why));
        }
        if let Some(item) = self.item {
            if root == item || root == "item" {
                return Some(Ok(self.writing.inside("item", &path)));
            }
            if self.index.is_some_and(|index| root == index || root == "index") {
                return path.is_empty().then(|| Ok("index".to_owned()));
            }
        } else if !is_program {
            return None;
        }
        let is = |name: &str| root == name || is_program && root.eq_ignore_ascii_case(name);
        if is("payload") {
            return match self.has_payload {
                true => Some(Ok(payload(&path))),
                false if is_program => Some(Err("needs `[payload]` in the agent file".to_owned())),
                false => None,
            };
        }
        is("data").then(|| Ok(self.writing.inside("ctx", &path)))
    }

    /// Returns why a flow file cannot refer to a path, if its root shows that it means to.
    fn refused(&self, root: &str, path: &[String]) -> Option<String> {
        let begins = format!("{root}.");
        let parts = self.others.iter().filter_map(|(name, _)| name.strip_prefix(&begins));
        let parts: Vec<&str> = parts.filter(|part| !part.contains('.')).collect();
        if !parts.is_empty() {
            return (root != "payload")
                .then(|| format!("is not known: there are {}", parts.join(", ")));
        }
        let refused = REFUSED.iter().find(|(name, _)| *name == root && !path.is_empty());
        refused.map(|(_, why)| (*why).to_owned())
    }

    /// Returns the expression of one of the other names, with the path behind it.
    fn other(&self, text: &str) -> Option<String> {
        let rest = |name: &str| {
            text.strip_prefix(name).filter(|it| it.is_empty() || it.starts_with(['.', '[']))
        };
        let found =
            self.others.iter().filter_map(|(name, source)| Some((name.len(), source, rest(name)?)));
        let (_, source, rest) = found.max_by_key(|it| it.0)?;
        let behind = format!("it{rest}");
        let (_, path) = self.writing.path_of(&behind)?;
        Some(self.writing.inside(source, &path))
    }

    /// Returns the expression of a path to a collection. Without a root, it is a path in the payload,
    /// or in the input of a mission without a payload.
    pub fn collection(&self, text: &str) -> Option<String> {
        let (root, mut path) = self.writing.path_of(text.trim())?;
        match root {
            "payload" if self.has_payload => return Some(payload(&path)),
            "data" => return Some(self.writing.inside("ctx", &path)),
            _ => {}
        }
        let is_reply = self.writing == Writing::Reply;
        let results = (is_reply && root == "results").then(|| self.writing.inside(RESULTS, &path));
        path.insert(0, self.writing.key(root));
        let own = if self.has_payload { payload(&path) } else { self.writing.inside("ctx", &path) };
        Some(match results {
            Some(results) => format!("(let [own {own}] (if (nil? own) {results} own))"),
            None => own,
        })
    }
}

/// Returns the expression of a reference such as `conversation.user.last[5].content`, whose path is all behind its first
/// name; `None` without a role and a selector.
fn conversation(path: &[String]) -> Option<Result<String, String>> {
    let (mut steps, mut role) = (path, String::new());
    let selector = |step: Option<&String>| match step?.to_lowercase().as_str() {
        "\"last\"" => Some("conversation/last"),
        "\"first\"" => Some("conversation/first"),
        _ => None,
    };
    if selector(path.first()).is_none() {
        let (first, rest) = path.split_first().filter(|(first, _)| first.starts_with('"'))?;
        let first = first.to_lowercase();
        if !ROLES.contains(&first.trim_matches('"')) {
            let roles = ROLES.join(", ");
            return Some(Err(format!("has an unknown role {first}: there are {roles}")));
        }
        (role, steps) = (format!(" {first}"), rest);
    }
    let found = selector(steps.first());
    let is_all = steps.first().is_some_and(|it| it.eq_ignore_ascii_case("\"all\""));
    if found.is_some() || is_all {
        steps = steps.get(1..).unwrap_or_default();
    }
    let count = steps.first().filter(|it| found.is_some() && !it.starts_with('"'));
    if count.is_some() {
        steps = steps.get(1..).unwrap_or_default();
    }
    let messages = match (found, count) {
        (Some(function), Some(count)) => format!("({function}{role} {count})"),
        (Some(function), None) => format!("({function}{role})"),
        (None, _) => format!("(conversation/all{role})"),
    };
    let is_list = found.is_none() || count.is_some();
    let path = format!("[{}]", steps.join(" "));
    Some(match steps.first().map(String::as_str) {
        None => Ok(messages),
        Some("\"length\"") if is_list && steps.len() == 1 => Ok(format!("(count {messages})")),
        Some("\"content\"" | "\"role\"" | "\"status\"") if is_list => {
            Ok(format!("(mapv (fn [m] (get-in m {path} nil)) {messages})"))
        }
        Some("\"content\"" | "\"role\"" | "\"status\"") => {
            Ok(format!("(get-in {messages} {path} nil)"))
        }
        Some(other) => {
            Err(format!("has {other}, and messages have `content`, `role` and `status`"))
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(value: &Json, expected: &str) {
        let names = Names {
            item: Some("customer"),
            index: Some("i"),
            has_payload: true,
            ..Names::default()
        };
        assert_eq!(Expressions::new(names).value(value), expected);
    }

    /// L34, L50: texts that refer to values.
    #[test]
    fn l34_l50_references() {
        check(&json!("customer"), "item");
        check(&json!("item.email"), "(get-in item [\"email\"] nil)");
        check(&json!(" customer.orders[0].id "), "(get-in item [\"orders\" 0 \"id\"] nil)");
        check(&json!(["index", "i"]), "[index index]");
        check(
            &json!({"p": "payload.field", "q": "payload"}),
            "{\"p\" (payload/get [\"field\"]) \"q\" (payload/get [])}",
        );
        check(&json!("{{ data.year }}"), "(get-in ctx [\"year\"] nil)");
        check(
            &json!("Dear {{customer.name}}, {{x}} {{i}}"),
            "(str \"Dear \" (text (get-in item [\"name\"] nil)) \", {{x}} \" (text index))",
        );
    }

    /// M115, M116, M117: references to messages, at any depth, in loops and outside.
    #[test]
    fn m115_m116_m117_references_to_messages() {
        let content = "(get-in (conversation/last \"user\") [\"content\"] nil)";
        for (text, expected) in [
            ("conversation.all", "(conversation/all \"all\")"),
            ("conversation.user", "(conversation/all \"user\")"),
            (" Conversation.User.All ", "(conversation/all \"user\")"),
            ("conversation.user.last", "(conversation/last \"user\")"),
            ("conversation.assistant.first[1]", "(conversation/first \"assistant\" 1)"),
            ("conversation.last[20]", "(conversation/last 20)"),
            ("conversation.last", "(conversation/last)"),
            ("{{conversation.user.last.content}}", content),
            ("conversation.user.length", "(count (conversation/all \"user\"))"),
            (
                "conversation.ai.last[2].content.id",
                "(mapv (fn [m] (get-in m [\"content\" \"id\"] nil)) (conversation/last \"ai\" 2))",
            ),
            ("conversation", "\"conversation\""),
            ("conversation.", "\"conversation.\""),
            ("a conversation.user", "\"a conversation.user\""),
        ] {
            check(&json!(text), expected);
            assert_eq!(Expressions::new(Names::default()).value(&json!(text)), expected);
        }
        let nested = json!({"a": [{"b": "conversation.last"}], "c": "payload.x"});
        let mut outside = Expressions::new(Names::default());
        let expected = "{\"a\" [{\"b\" (conversation/last)}] \"c\" \"payload.x\"}";
        assert_eq!((outside.value(&nested), outside.has_references), (expected.to_owned(), true));
        let text = outside.value(&json!("Re: {{conversation.user.last.content}}"));
        assert_eq!(text, format!("(str \"Re: \" (text {content}))"));
    }

    /// The results of the last loop can be read in the next decisions.
    #[test]
    fn results_of_the_last_loop() {
        let mut outside = Expressions::new(Names::default());
        for (text, expected) in [
            ("results[2].id", "(get-in (memory/get :results nil) [2 \"id\"] nil)"),
            ("{{results[0]}}", "(get-in (memory/get :results nil) [0] nil)"),
            ("results", "\"results\""),
            ("results.pdf", "\"results.pdf\""),
        ] {
            assert_eq!(outside.value(&json!(text)), expected);
        }
        let names = Names { item: Some("r"), index: None, has_payload: true, ..Names::default() };
        assert_eq!(
            names.collection("results").as_deref(),
            Some(
                "(let [own (payload/get [\"results\"])] (if (nil? own) (memory/get :results nil) own))"
            )
        );
    }

    /// A reference that names nothing is an error of the call whose parameter it is.
    #[test]
    fn references_that_name_nothing() {
        for (text, fault) in [
            (
                "conversation.user.newest",
                "the reference `conversation.user.newest` has \"newest\", and messages have `content`, `role` and `status`",
            ),
            (
                "Dear {{ conversation.Robot.last }}",
                "the reference `conversation.Robot.last` has an unknown role \"robot\": there are user, assistant, ai, system, all",
            ),
        ] {
            let mut all = Expressions::new(Names::default());
            let params = json!({"a": ["conversation.last", text], "b": "conversation.x.y"});
            assert_eq!(all.call("f", &params), Err(format!("Error: {fault}")));
            let fine = all.call("f", &json!({"a": "conversation.last"}));
            assert_eq!(fine, Ok("(call \"f\" {\"a\" (conversation/last)})".to_owned()));
        }
    }

    /// L51: any other text is sent as it is.
    #[test]
    fn l51_static_texts() {
        for text in [
            "Welcome!",
            "foo.bar",
            "customers",
            "item.",
            "item. Please",
            "index.a",
            "payload.a[x]",
            "{{foo}}",
            "{{",
            "customer.a b",
            "",
        ] {
            check(&json!(text), &literal(text));
        }
        check(&json!([1, 2.5, true, null]), "[1 2.5 true nil]");
    }
}

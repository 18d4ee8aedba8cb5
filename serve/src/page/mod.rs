//! The page: files that are part of the binary. Nothing of them is made at run time, and none has data of a run.
//!
//! The page asks the API for all that it shows, as any other client does. What draws a run is shared with `ptc view`
//! (`ptc_view::modules`). The policy lets the browser run and load files of this server alone, and refuses markup that a
//! script would make of text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hyper::StatusCode;
use hyper::header::{CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY};

use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;

const INDEX: &str = include_str!("assets/index.html");

/// The files beside those that the page shares with `ptc view`.
const FILES: &[(&str, &str)] = &[
    ("page.css", include_str!("assets/page.css")),
    ("icon.svg", include_str!("assets/icon.svg")),
    ("app.js", include_str!("assets/app.js")),
    ("api.js", include_str!("assets/api.js")),
    ("parts.js", include_str!("assets/parts.js")),
    ("form.js", include_str!("assets/form.js")),
    ("difference.js", include_str!("assets/difference.js")),
    ("drawing.js", include_str!("assets/drawing.js")),
    ("runs.js", include_str!("assets/runs.js")),
    ("run-page.js", include_str!("assets/run-page.js")),
    ("turn-tools.js", include_str!("assets/turn-tools.js")),
    ("questions.js", include_str!("assets/questions.js")),
    ("doubts.js", include_str!("assets/doubts.js")),
    ("chats.js", include_str!("assets/chats.js")),
    ("agents.js", include_str!("assets/agents.js")),
    ("login.js", include_str!("assets/login.js")),
];

static ALL: LazyLock<BTreeMap<&'static str, String>> = LazyLock::new(|| {
    let own = FILES.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let shared = ptc_view::modules().chain([("run.css", ptc_view::style().to_owned())]);
    own.chain(shared).collect()
});

/// What the browser may do with the page. Images and sounds of results are data of the record.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                      img-src 'self' data:; media-src data:; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Gives the page.
pub(crate) async fn index(_request: Request) -> Result<Answer, Problem> {
    Ok(answer("text/html; charset=utf-8", INDEX.to_owned()))
}

/// Gives a file of the page.
pub(crate) async fn file(request: Request) -> Result<Answer, Problem> {
    let name = request.named();
    let unknown = || Problem::new(StatusCode::NOT_FOUND, "unknown-path", "there is no such path");
    let text = ALL.get(name).ok_or_else(unknown)?;
    let content_type = match kind(name) {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        _ => "image/svg+xml",
    };
    Ok(answer(content_type, text.clone()))
}

/// Returns the end of a file's name.
fn kind(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |it| it.1)
}

fn answer(content_type: &'static str, text: String) -> Answer {
    Answer::text(StatusCode::OK, content_type, text)
        .with_header(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))
        .with_header(REFERRER_POLICY, HeaderValue::from_static("no-referrer"))
        .with_header(OPENER.0, OPENER.1)
}

const OPENER: (HeaderName, HeaderValue) = (
    HeaderName::from_static("cross-origin-opener-policy"),
    HeaderValue::from_static("same-origin"),
);

#[cfg(test)]
mod tests {
    use super::*;

    /// The size of all that a browser loads.
    const MAX_BYTES: usize = 150_000;

    #[test]
    fn the_page_is_small() {
        let bytes = INDEX.len() + ALL.values().map(String::len).sum::<usize>();
        assert!(bytes < MAX_BYTES, "{bytes} bytes");
    }

    /// Every import and every file of the page is served, and nothing else is loaded.
    #[test]
    fn everything_that_is_named_is_served() {
        let mut named: Vec<String> = Vec::new();
        for part in INDEX.split("\"/page/").skip(1) {
            named.extend(part.split('"').next().map(str::to_owned));
        }
        for (name, text) in ALL.iter().filter(|(name, _)| kind(name) == "js") {
            let imports = text.lines().filter(|it| it.starts_with("import "));
            for line in imports {
                let from = line.split('\'').nth(1).and_then(|it| it.strip_prefix("./"));
                named.push(from.unwrap_or_else(|| panic!("{name}: {line}")).to_owned());
            }
        }
        named.sort();
        named.dedup();
        let served: Vec<&str> = ALL.keys().copied().collect();
        assert_eq!(named, served);
    }

    /// Texts of models and tools never become markup, and nothing comes from other servers.
    #[test]
    fn scripts_write_no_markup() {
        let words = [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "Function(",
            "setAttribute('on",
            "http:",
            "https:",
            "style=",
        ];
        let scripts = ALL.iter().filter(|(name, _)| kind(name) != "svg");
        for (name, text) in scripts.chain([(&"index.html", &INDEX.to_owned())]) {
            // The name of a kind of element, which no browser requests.
            let text = text.replace("'http://www.w3.org/2000/svg'", "");
            for word in words {
                assert!(!text.contains(word), "{name} has {word}");
            }
            assert!(!text.contains("url(") && !text.contains("@import"), "{name}");
        }
    }
}

//! The sessions of browsers.

use hyper::StatusCode;
use hyper::header::SET_COOKIE;
use serde_json::json;

use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;

/// Shows who the caller is: for the page, which begins with this.
pub(crate) async fn show(request: Request) -> Result<Answer, Problem> {
    let access = &request.state.access;
    let name = access.session_of(&request.headers);
    Ok(Answer::json(
        StatusCode::OK,
        json!({
            "needs_login": access.needs_tokens() && name.is_none(),
            "name": name.as_ref().map(|it| &it.0),
            "guard": name.as_ref().map(|it| &it.1),
        }),
    ))
}

/// Begins a session with a token.
pub(crate) async fn begin(request: Request) -> Result<Answer, Problem> {
    let token = request.text("token")?;
    let token = token.ok_or_else(|| Problem::malformed("`token` is missing"))?;
    let cookie = request.state.access.log_in(&token, request.peer)?;
    Ok(Answer::json(StatusCode::OK, json!({})).with_header(SET_COOKIE, cookie))
}

/// Ends a session.
pub(crate) async fn end(request: Request) -> Result<Answer, Problem> {
    let answer = Answer::json(StatusCode::OK, json!({}));
    Ok(match request.state.access.log_out(&request.headers) {
        Some(cookie) => answer.with_header(SET_COOKIE, cookie),
        None => answer,
    })
}

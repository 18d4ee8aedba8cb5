//! `ptc token`: the tokens of a server.

use ptc_serve::{NewToken, TokenInfo};

use crate::args::TokenCommand;
use crate::report::{self, Result};
use crate::tokens::file;

/// Runs `ptc token`.
pub(crate) fn command(command: &TokenCommand) -> Result<u8> {
    match command {
        TokenCommand::New(args) => {
            let mut new = NewToken::new(&args.name, &args.role);
            new.agents.clone_from(&args.agents);
            let file = file(&args.tokens)?;
            let token = file.add(&new)?;
            report::say(&format!(
                "wrote its hash into {}; keep the token, it is not shown again\n",
                file.path().display()
            ));
            report::print(&format!("{token}\n"))?;
        }
        TokenCommand::List(args) => list(&file(&args.tokens)?.list()?, args.output.json)?,
        TokenCommand::Remove(args) => {
            file(&args.tokens)?.remove(&args.name)?;
            report::say(&format!("removed {}\n", args.name));
        }
    }
    Ok(report::DONE)
}

fn list(tokens: &[TokenInfo], as_json: bool) -> Result<()> {
    if as_json {
        let tokens = tokens.iter().map(|it| {
            let agents: serde_json::Map<String, serde_json::Value> = it
                .agents
                .iter()
                .map(|(agent, level)| (agent.clone(), level.as_str().into()))
                .collect();
            serde_json::json!({
                "name": it.name, "roles": it.roles, "agents": agents, "owns": it.owns,
            })
        });
        return report::print_json(&tokens.collect::<serde_json::Value>());
    }
    if tokens.is_empty() {
        report::say("there are no tokens\n");
    }
    for it in tokens {
        let roles = it.roles.iter().map(|it| format!("role {it}"));
        let agents = it.agents.iter().map(|(agent, level)| match agent.as_str() {
            "*" => format!("{level} all agents"),
            agent => format!("{level} {agent}"),
        });
        let owns = it.owns.iter().map(|it| format!("owns {it}"));
        let all: Vec<String> = roles.chain(agents).chain(owns).collect();
        report::print(&report::clean(&format!("{}  {}\n", it.name, all.join(", "))))?;
    }
    Ok(())
}

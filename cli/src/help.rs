//! The text of `--help` below the options: examples, and references to the documentation.
//!
//! A paragraph is one line, which clap wraps at the width of the terminal. Examples fit a width of 80 columns.

use crate::input::limit_names;

pub(crate) const TOP: &str = "\
Start here:
  ptc init demo              write a small project that is ready to run
  ptc run demo/agent.toml    run its mission and print the typed result
  ptc show                   show the newest run; `ptc runs` lists all runs
  ptc view                   write the newest run as an HTML page
  ptc replay RUN             replay a run, without the model
  ptc doctor                 check everything that a run needs
  ptc docs quickstart        read the next steps, with a real model

Without a model:
  ptc repl                                    try the language
  ptc eval -e '(reduce + (range 10))'         run one program
  ptc check program.clj --tools tools.json    list all that a program can touch
  ptc debug --eval program.clj                step forward and back

Results go to stdout, everything else to stderr; --json prints one object. Only a terminal gets colour, \
unless NO_COLOR is set.

Exit codes:
  0  a value, or returned       4   a limit, or cancelled
  1  the program called `fail`  5   the model did not answer
  2  usage or configuration     70  a bug in ptc
  3  no acceptable program      6   waiting

Keys come from the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY) and appear in no record and no output.";

pub(crate) const INIT: &str = "\
Examples:
  ptc init              in this folder
  ptc init demo         in a new folder

Existing files are never overwritten. `ptc docs quickstart` has the next steps.";

pub(crate) const RUN: &str = "\
Examples:
  ptc run agent.toml
  ptc run agent.toml --set region=north --set limit=10
  ptc run agent.toml --input @input.json --model openai:gpt-5-mini
  fetch-orders | ptc run agent.toml --input - --json
  ptc run agent.toml --model openai:qwen3 --base-url http://localhost:8080/v1
  ptc run agent.toml --record replies.jsonl

A value of --set is read as JSON, or else as text. It is always text if the signature wants text.

The result goes to stdout. Progress goes to stderr: live on a terminal, one line for each event \
elsewhere. A terminal also shows each program that runs. Ctrl-C cancels the run; a second Ctrl-C ends the command at \
once.

Many inputs, one JSON object a line:
  ptc run agent.toml --inputs all.jsonl --jobs 8 > results.jsonl
  ptc run agent.toml --inputs all.jsonl --out results.jsonl

Each input gets one line of results: the object of --json, with the number of its `line` and a hash of the input. \
With --out, results are appended to a file as they arrive. After an interruption, the same command runs the remaining \
inputs, and those that the model did not answer. The exit code is the largest of all missions.

The record goes to --store, or else to $PTC_STORE, or else to ptc/runs.sqlite in $XDG_DATA_HOME, by default \
~/.local/share.

More: ptc docs agents, ptc docs command";

pub(crate) const CHAT: &str = "\
Examples:
  ptc chat agent.toml
  ptc chat agent.toml --new
  ptc chat agent.toml --after 01m8
  ptc chat agent.toml < messages.txt

Each line is a message, and goes to the input `message` of the agent, or else to its only text. Its run \
begins with the messages, definitions, memory and payload of the previous run. A chat continues the newest run of the \
agent on record.

/runs lists the messages, /show shows a run, /undo takes back the last message, /new begins a new conversation, /quit \
ends, and /help lists all of these. Ctrl-C cancels the run of a message.

Without a terminal, each line of standard input is a message, and the answers are printed. The exit code is that of the \
last run.

More: ptc docs conversations";

pub(crate) const REPLAY: &str = "\
Examples:
  ptc replay 01m8                                replay and compare
  ptc replay 01m8 --turn 2 --program fixed.clj   try another program
  ptc replay 01m8 --turn 2 --program fixed.clj --live
  ptc replay 01m8 --from 2 --model openai:gpt-5-mini
  ptc replay 01m8 --prompt agent.toml            compare the prompts
  ptc replay run.jsonl                           a run of another machine

The record has everything that came from outside: replies, results of calls, the clock. A replay reaches no \
model and no tool, and needs no key. It exits with 0 if nothing differs, and with 3 if something does. With --program \
it exits as the run of the new program would.

--live and --from make a new run that is linked to the old one. Calls that the record answers are not repeated.

More: ptc docs replay";

pub(crate) const RESUME: &str = "\
Examples:
  ptc resume 01m8
  ptc resume 01m8 --retry 2.0
  ptc resume 01m8 --assume-done 2.0 '{\"sent\": true}'
  ptc resume 01m8 --accept-change

Recorded calls and replies are not repeated. A call with an unknown outcome is repeated, with the same idempotency \
key, if its tool reads or is `idempotent`. Otherwise the run stops as `in-doubt` and names the call.

A workflow whose program changed is refused. With --accept-change it continues from its newest snapshot with the new \
program; the turn that has not ended is abandoned.

More: ptc docs replay";

pub(crate) const ANSWER: &str = "\
Examples:
  ptc answer 01m8
  ptc answer 01m8 '{\"approved\": true}'
  ptc answer 01m8 --no 'Too much.'
  ptc answer 01m8 1.2 @answer.json

The form of the question checks the answer. A wrong answer is refused, and the run goes on waiting. Without an answer, \
the command asks on the terminal; without a terminal it lists the open questions.

More: ptc docs people";

pub(crate) const WORK: &str = "\
Examples:
  ptc work
  ptc work --once

A run whose next wait is longer than a minute is left as `waiting`, and its process ends. This command resumes such runs \
when their wait is over, one after another, and prints what came of each. It goes on until Ctrl-C. With --once it ends \
when nothing is due. It names the runs that wait for `ptc resume RUN --accept-change`, because their workflow changed.

More: ptc docs workflows";

pub(crate) const MCP: &str = "\
Examples:
  ptc mcp agent.toml
  ptc mcp parcels.toml refunds.toml --model ollama:qwen3
  ptc mcp agent.toml --model client
  ptc mcp agent.toml --http 8080
  ptc mcp agent.toml --http 0.0.0.0:8080 --token-env TOKEN
  ptc mcp --code --mcp servers.json
  ptc mcp login agent.toml issues

An MCP client starts this command, and speaks to it over stdin and stdout. Each agent is a tool, and each call is a run \
on record. The server ends when its client closes stdin. `--model client` is the model of a client that offers sampling.

With --http any number of clients speak streamable HTTP to `http://ADDR/mcp`. An address that is not of the loopback \
needs --token-env.

With --code the client's model writes programs over the tools of one agent file, or of the servers in a file with \
`mcpServers`. The agent file gives policy and limits. With --mcp each call of a tool that writes needs a yes of a person, \
unless --yes is given.

More: ptc docs mcp";

pub(crate) const SERVE: &str = "\
Examples:
  ptc serve agents
  ptc serve agent.toml refunds.toml --http 8080
  curl http://127.0.0.1:8080/v1/agents

Other programs start runs, watch them, answer their questions, cancel, replay and fork them over HTTP, as /openapi.json \
describes. Runs wait in a queue that survives a restart, and waits end by themselves. In a folder, each `agent.toml` is an \
agent, and in a folder without one each agent file. Without tokens, only a loopback address is served.

More: ptc docs serve";

#[cfg(feature = "restate")]
pub(crate) const RESTATE: &str = "\
Examples:
  ptc restate serve agents --listen 0.0.0.0:9080
  curl http://127.0.0.1:9070/deployments --json '{\"uri\": \"http://127.0.0.1:9080\"}'
  curl http://127.0.0.1:8080/PtcRuns/start --json '{\"agent\": \"bulletin\", \"input\": {}}'
  ptc show --restate http://127.0.0.1:8080

The Restate server calls the workers, and has the runs and their record. A run survives the end of any process.

More: ptc docs restate";

pub(crate) const MCP_LOGIN: &str = "\
Examples:
  ptc mcp login agent.toml
  ptc mcp login agent.toml issues
  ptc mcp login servers.json issues --port 4000

The command prints an address, and waits until you have allowed the access in a browser. Later runs of this user use the \
login and renew its tokens. They are in ptc/mcp-logins.json in $XDG_STATE_HOME, by default ~/.local/state.

More: ptc docs mcp";

pub(crate) const MCP_LOGOUT: &str = "\
Example:
  ptc mcp logout agent.toml issues

More: ptc docs mcp";

pub(crate) const TRY: &str = "\
Examples:
  ptc try missions --model openai:gpt-4.1-mini --out trial.jsonl
  ptc try missions --model openai:NAME --model ollama:NAME --html trial.html
  ptc try missions --model ollama:NAME --against trial.jsonl --min-right 90
  ptc try missions --model openai:NAME --style program --style tools
  ptc try missions/refunds --from 01j9 --expected 3

A mission is a folder with an agent file, `agent.toml`, and `cases.json`: inputs, expected answers, and expected calls \
of tools that write. The tools are called; those of a case that `--from` added answer from its record. Every run is on \
record. With `--out`, the same command goes on where it stopped, and makes an attempt again if its agent or case has \
changed. The command exits with 0, with 3 below `--min-right`, and with 4 if attempts are left.

More: ptc docs models";

pub(crate) const TEST: &str = "\
Examples:
  ptc test tests/runs
  ptc test tests/runs --json
  ptc test run.jsonl --agent changed.toml

Each run is replayed with the present content of its agent file, and with the recorded replies and results. A run \
passes if it ends the same way, with the same value. The command exits with 0 if all runs pass, and with 3 otherwise.

More: ptc docs replay";

pub(crate) const DIFF: &str = "\
Examples:
  ptc diff 01m8a 01m8b
  ptc diff 01m8a 01m8b --all

A run may be a file of `ptc export`. Ids of runs and times are not compared. The command exits with 0 if nothing \
differs, and with 3 if something does.";

pub(crate) const EXPORT: &str = "\
Examples:
  ptc export 01m8 --out run.jsonl
  ptc export 01m8 --redact --out tests/orders.jsonl
  ptc replay run.jsonl

The file has the whole record of the runs and of the runs of their sub-agents: inputs, prompts, replies and results. \
Keys are never recorded. --redact replaces the values of fields whose names start with `_` or are those of secrets \
(`password`, `api_key`, `token` …). A redacted run still replays.";

pub(crate) const IMPORT: &str = "\
Examples:
  ptc import run.jsonl

A file that was cut off or changed is refused. Runs that the record already has stay unchanged.";

pub(crate) const PRUNE: &str = "\
Examples:
  ptc runs prune --older-than 30d
  ptc runs prune --keep 1000 --dry-run
  ptc runs prune --older-than 90d --ended
  ptc runs prune 01m8

A run of a live process is never deleted. With --ended, runs stay that wait, that did not end because their process \
died, and that have such a run below them.";

pub(crate) const ARTIFACTS: &str = "\
Examples:
  ptc artifacts 01m8
  ptc artifacts 01m8 report > report.json
  ptc artifacts 01m8 report --since 1
  ptc artifacts 01m8 report --put @report.json

An artifact is a named result of a conversation, with a version for each run or person that changed it. The exit code of \
--since is 3 if there are differences.

More: ptc docs artifacts";

pub(crate) const STORE: &str = "\
Examples:
  ptc store backup /backups/ptc.sqlite
  ptc store check";

pub(crate) const TOKEN: &str = "\
Examples:
  ptc token new ada --role run
  ptc token list
  ptc token remove ada

More: ptc docs serve";

pub(crate) const TOKEN_NEW: &str = "\
Examples:
  ptc token new ada --role run
  ptc token new bob --role view --agent orders --agent refunds
  ptc token new build --role run --tokens /etc/ptc/tokens.toml

A level includes those before it: view sees agents and runs, run starts runs, edit answers, cancels and resumes runs of \
others, delete deletes runs. The owner of a run may do all of this with it.

More: ptc docs serve";

pub(crate) const STORE_BACKUP: &str = "\
Examples:
  ptc store backup runs-backup.sqlite
  ptc store check --store runs-backup.sqlite

The copy has the state of one moment, and is checked before it gets its name. It is a record like any other: every \
command takes it as `--store`.";

pub(crate) const STORE_CHECK: &str = "\
Examples:
  ptc store check
  ptc store check --json

The command changes nothing. It exits with 0 if the record is intact, and with 1 if it has a problem.";

pub(crate) const REPL: &str = "\
Examples:
  ptc repl
  ptc repl --ctx @data.json
  ptc repl agent.toml             with the agent's input and real tool calls
  ptc repl --tools tools.json     with tools that answer from a table

In a session, (doc map) shows the documentation of a function, (apropos \"sort\") finds names, *1 is the last value, \
and Tab completes names. An unclosed program continues on the next line. :help lists all commands.

The history is in ptc/history in $XDG_STATE_HOME, by default ~/.local/state.";

pub(crate) const DEBUG: &str = "\
Examples:
  ptc debug                     the last failed program of the newest run
  ptc debug 01m8 --turn 2
  ptc debug run.jsonl           a file of `ptc export`
  ptc debug --eval program.clj
  ptc debug --eval program.clj --ctx @data.json --tools tools.json
  ptc debug --eval program.clj --agent agent.toml
  ptc debug -e '(map inc [1 2])' --print
  ptc debug --eval program.clj --do 'break error' --do continue --do locals

Values appear as the program sees them, also in fields whose names start with `_`.

The commands are step, next, out, continue, back, rewind, goto, break, breaks, delete, where, locals, print, calls, \
prints, fuel, list, help and quit. Each has a letter. An empty line repeats the last command. Without a terminal, \
commands are read from standard input.

More: ptc docs debugger";

pub(crate) const DOCTOR: &str = "\
Examples:
  ptc doctor
  ptc doctor agent.toml
  ptc doctor agent.toml --model openai:gpt-4.1-mini
  ptc doctor agent.toml --json

The command calls no tool, and asks the model's server only for its list of models. It exits with 0 if a run can \
work, and with 2 if something is missing.";

pub(crate) const DOCS: &str = "\
Examples:
  ptc docs                    the list of pages
  ptc docs agents             one page
  ptc docs reduce             a function or form of the language
  ptc docs --search timeout   all lines that contain a word";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  ptc completions bash > ~/.local/share/bash-completion/completions/ptc
  ptc completions zsh > ~/.zfunc/_ptc
  ptc completions fish > ~/.config/fish/completions/ptc.fish";

pub(crate) const MAN: &str = "\
Examples:
  ptc man | man -l -                      read the page of ptc
  ptc man run | man -l -                  read the page of a command
  ptc man --out ~/.local/share/man/man1   install all pages: `man ptc-run`";

/// Returns the help of `ptc eval`, with the names of all limits.
pub(crate) fn eval() -> String {
    let names = limit_names();
    let (time, counts) = names.split_last().unwrap_or((&"", &[]));
    EVAL.replace("LIMITS", &format!("{}, and {time}", counts.join(", ")))
}

const EVAL: &str = "\
Examples:
  ptc eval -e '(map inc [1 2 3])'
  ptc eval program.clj --ctx @data.json --json
  ptc eval -e '(tool/rate {:currency \"USD\"})' --tools tools.json
  ptc eval program.clj --agent agent.toml          its input, constants, limits
  ptc eval program.clj --agent agent.toml --live   also with real tool calls
  ptc eval --batch < requests.jsonl > responses.jsonl

A tools file maps names to answers. The first case with equal arguments answers, or else `error`, or else `returns`:
  {\"rate\": {\"signature\": \"(currency :string) -> :float\",
            \"effect\": \"read\",
            \"cases\": [{\"args\": {\"currency\": \"USD\"}, \"returns\": 0.9}],
            \"error\": \"no such currency\"}}

A request of --batch is one line:
  {\"id\", \"source\", \"ctx\"?, \"memory\"?, \"tools\"?, \"limits\"?, \"seed\"?}

Its response is one line, with the status value, return, fail, error, rejected or limit:
  {\"id\", \"status\", \"value\", \"edn\", \"prints\", \"tool_calls\", \"memory\", \"fuel\",
   \"error\"}

An invalid request does not end a batch. A batch exits with 0.

The limits are LIMITS in seconds.

More: ptc docs command, ptc docs language";

pub(crate) const CHECK: &str = "\
Examples:
  ptc check program.clj --ctx @data.json --tools tools.json
  ptc check -e '(map inc ctx/rows)' --ctx '{\"rows\": [1, 2]}' --json
  ptc check program.clj --agent agent.toml
  ptc check workflow.toml --show  the program of a flow file

More: ptc docs admission";

pub(crate) const PROMPT: &str = "\
Examples:
  ptc prompt agent.toml
  ptc prompt agent.toml --section 3
  ptc prompt agent.toml --input @input.json --stats
  ptc prompt agent.toml --grammar gbnf > agent.gbnf

More: ptc docs prompt, ptc docs grammar";

pub(crate) const RUNS: &str = "\
Examples:
  ptc runs
  ptc runs --status failed --since 2d
  ptc runs --status fuel --agent parcels --roots
  ptc runs --tool track --error wrong-type --json

Runs whose process ended too early are listed as died; `ptc resume` continues them. The last line summarizes all \
matching runs, listed or not.

More: ptc docs looking, ptc docs store";

pub(crate) const SHOW: &str = "\
Examples:
  ptc show               the newest run
  ptc show 01kb2m        a run by the start of its id
  ptc show 01kb2m --turn 2
  ptc show 01kb2m --json
  ptc show run.jsonl     a file of `ptc export`

A `^` marks the location of an error in a program. Long texts are cut; --json has them whole. Values of fields whose \
names start with `_` show as `[Hidden]`, also with --json, unless --hidden is given.

More: ptc docs looking";

pub(crate) const WHY: &str = "\
Examples:
  ptc why 01kb2m mail        all calls of a tool
  ptc why 01kb2m mail to     one argument of them
  ptc why 01kb2m 2.0         the first call of turn 2

The record has origins of arguments if the policy of the agent has rules for labels.

More: ptc docs labels";

pub(crate) const VIEW: &str = "\
Examples:
  ptc view                        the newest run, as run-ID.html
  ptc view 01kb2m --out run.html
  ptc view --all --status failed --since 2d
  ptc view 01kb2m --out - | less
  ptc view run.jsonl              a file of `ptc export`
  ptc view 01kb2m --redact        a page to send to others

The page is one file that works without a network, in light and dark mode. It has the inputs, prompts, replies and \
results of the runs and of the runs of their sub-agents. Values of fields whose names start with `_` show as \
`[Hidden]`, unless --hidden is given; --redact also replaces the values of fields that are named like secrets. Texts \
of more than 65,536 characters are cut, with a note.

In the page, / searches, Enter goes to the next match, and j and k go to the next and the previous turn.

More: ptc docs looking";

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use crate::args::Cli;

    /// Examples fit a terminal of 80 columns, and a paragraph is one line that clap can wrap.
    #[test]
    fn examples_fit_a_narrow_terminal() {
        let cli = Cli::command();
        for command in std::iter::once(&cli).chain(cli.get_subcommands()) {
            let text = command.get_after_help().map(ToString::to_string);
            let text = text.unwrap_or_else(|| panic!("{} has no examples", command.get_name()));
            let lines: Vec<&str> = text.lines().collect();
            for line in &lines {
                let is_prose = !line.starts_with(' ');
                assert!(is_prose || line.chars().count() < 80, "{line}");
            }
            for pair in lines.windows(2) {
                let [first, second] = pair else { continue };
                let both = |is: fn(&str) -> bool| is(first) && is(second);
                assert!(!both(|it| !it.is_empty() && !it.starts_with(' ')), "{first}\n{second}");
            }
        }
    }
}

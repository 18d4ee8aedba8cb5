//! What `--help` teaches below the options: examples, and where there is more.
//!
//! A paragraph is one line, which is wrapped for the terminal there is; examples fit on a narrow one.

use crate::input::limit_names;

pub(crate) const TOP: &str = "\
Start here:
  ptc init demo              write a small project that runs at once
  ptc run demo/agent.toml    run its mission to a typed result
  ptc show                   look at what happened; `ptc runs` has all runs
  ptc view                   the same as a page of HTML
  ptc replay RUN             go through it again, without the model
  ptc doctor                 see whether everything is there
  ptc docs quickstart        go on from there, to a real model

Without a model:
  ptc repl                                    try the language
  ptc eval -e '(reduce + (range 10))'         run one program
  ptc check program.clj --tools tools.json    what a program could touch
  ptc debug --eval program.clj                step over one, forward and back

Results go to stdout, everything else to stderr; --json prints one object. There is no colour where \
that is no terminal, or with NO_COLOR.

Exit codes:
  0  a value, or returned     4   a limit, or cancelled
  1  the program said `fail`  5   the model did not answer
  2  usage, configuration     70  a mistake in ptc
  3  no acceptable program

Keys come from the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY) and appear in no record and no output.";

pub(crate) const INIT: &str = "\
Examples:
  ptc init              in this folder
  ptc init demo         in a new folder

Nothing is written over. `ptc docs quickstart` goes on from there.";

pub(crate) const RUN: &str = "\
Examples:
  ptc run agent.toml
  ptc run agent.toml --set region=north --set limit=10
  ptc run agent.toml --input @input.json --model openai:gpt-5-mini
  fetch-orders | ptc run agent.toml --input - --json
  ptc run agent.toml --model openai:qwen3 --base-url http://localhost:8080/v1
  ptc run agent.toml --record replies.jsonl

The value of --set is JSON if it is that, and else text; it is text in any case where the signature says so.

The result goes to stdout. Progress goes to stderr: live on a terminal, one line for each event \
elsewhere. A terminal also shows each program that runs. Ctrl-C cancels the run; a second one ends the command at once.

Many inputs, one JSON object a line:
  ptc run agent.toml --inputs all.jsonl --jobs 8 > results.jsonl
  ptc run agent.toml --inputs all.jsonl --out results.jsonl

Each input has one line of results: what --json prints, with its `line` and a hash of the input. With --out \
they are added to a file as they come; after an interruption the same command goes on with what is left, and \
asks again where the model did not answer. The exit code is the largest of all.

The record goes to --store, else to $PTC_STORE, else to ptc/runs.sqlite in $XDG_DATA_HOME, which is \
~/.local/share if it is not set.

More: ptc docs agents, ptc docs command";

pub(crate) const REPLAY: &str = "\
Examples:
  ptc replay 01m8                                repeat the run, and compare it
  ptc replay 01m8 --turn 2 --program fixed.clj   try another program
  ptc replay 01m8 --turn 2 --program fixed.clj --live
  ptc replay 01m8 --from 2 --model openai:gpt-5-mini
  ptc replay 01m8 --prompt agent.toml            compare with other prompts
  ptc replay run.jsonl                           a run of another machine

Everything that came from outside is on record: replies, results of calls, the clock. A replay reaches neither a \
model nor a tool and needs no key. It exits with 0 if nothing differs, and with 3 if something does; a program put \
in the place of another exits as its run would.

--live and --from make a new run that is linked to the old one. Calls that the record answers are not made again.

More: ptc docs replay";

pub(crate) const RESUME: &str = "\
Examples:
  ptc resume 01m8
  ptc resume 01m8 --retry 2.0
  ptc resume 01m8 --assume-done 2.0 '{\"sent\": true}'

What is on record is not done again. A call of which nobody knows what came is made again if its tool reads or is \
`idempotent`, with the same idempotency key; else the run stops as `in-doubt`, and says which call it is.

More: ptc docs replay";

pub(crate) const TEST: &str = "\
Examples:
  ptc test tests/runs
  ptc test tests/runs --json
  ptc test run.jsonl --agent changed.toml

Each run is replayed with the agent file that it had, as that is now, and with the replies and results on record. It \
passes if it ends as it did, with the same value. It exits with 0 if all pass, and with 3 if one does not.

More: ptc docs replay";

pub(crate) const DIFF: &str = "\
Examples:
  ptc diff 01m8a 01m8b
  ptc diff 01m8a 01m8b --all

A run may be a file of `ptc export`. Names and times do not count. It exits with 0 if nothing differs, and with 3 if something does.";

pub(crate) const EXPORT: &str = "\
Examples:
  ptc export 01m8 --out run.jsonl
  ptc export 01m8 --redact --out tests/orders.jsonl
  ptc replay run.jsonl

The file has everything that the record has of the runs and of those of their sub-agents: inputs, prompts, replies, \
results. Keys are in neither. With --redact, values of fields whose names start with `_` or are those of secrets \
(`password`, `api_key`, `token` …) have others in their places, and the run still replays.";

pub(crate) const IMPORT: &str = "\
Examples:
  ptc import run.jsonl

A file that was cut off or changed is refused; runs that are there already stay as they are.";

pub(crate) const PRUNE: &str = "\
Examples:
  ptc runs prune --older-than 30d
  ptc runs prune --keep 1000 --dry-run
  ptc runs prune 01m8

A run that a living process has stays.";

pub(crate) const REPL: &str = "\
Examples:
  ptc repl
  ptc repl --ctx @data.json
  ptc repl agent.toml             its input is ctx; its tools really run
  ptc repl --tools tools.json     tools that answer from a table

Inside, (doc map) says what a function does, (apropos \"sort\") finds names, *1 is the last value, and Tab \
completes. A program that is not closed goes on on the next line. :help has the rest.

The history is in ptc/history in $XDG_STATE_HOME, which is ~/.local/state if it is not set.";

pub(crate) const DEBUG: &str = "\
Examples:
  ptc debug                     the last program of the newest run that failed
  ptc debug 01m8 --turn 2
  ptc debug run.jsonl           the same for a file of `ptc export`
  ptc debug --eval program.clj
  ptc debug --eval program.clj --ctx @data.json --tools tools.json
  ptc debug --eval program.clj --agent agent.toml
  ptc debug -e '(map inc [1 2])' --print
  ptc debug --eval program.clj --do 'break error' --do continue --do locals

Values are those that the program sees, also in fields whose names start with `_`.

Commands, each with a letter: step, next, out, continue, back, rewind, goto, break, breaks, delete, where, \
locals, print, calls, prints, fuel, list, help, quit. An empty line does the last one again. Where standard \
input is no terminal, commands are read from it.

More: ptc docs debugger";

pub(crate) const DOCTOR: &str = "\
Examples:
  ptc doctor
  ptc doctor agent.toml
  ptc doctor agent.toml --model openai:gpt-4.1-mini
  ptc doctor agent.toml --json

It calls no tool and asks the model's server for nothing but its list of models. It exits with 0 if a run can \
work, and with 2 if something that it needs is missing.";

pub(crate) const DOCS: &str = "\
Examples:
  ptc docs                    the pages
  ptc docs agents             one of them
  ptc docs reduce             what a function or form of the language does
  ptc docs --search timeout   where a word stands";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  ptc completions bash > ~/.local/share/bash-completion/completions/ptc
  ptc completions zsh > ~/.zfunc/_ptc
  ptc completions fish > ~/.config/fish/completions/ptc.fish";

/// The help of `ptc eval`, with the names of all limits.
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
  ptc eval program.clj --agent agent.toml --live   and its other tools, called
  ptc eval --batch < requests.jsonl > responses.jsonl

A tools file maps names to answers; the first case with equal arguments answers, else `error`, else `returns`:
  {\"rate\": {\"signature\": \"(currency :string) -> :float\",
            \"effect\": \"read\",
            \"cases\": [{\"args\": {\"currency\": \"USD\"}, \"returns\": 0.9}],
            \"error\": \"no such currency\"}}

A request of --batch is a line:
  {\"id\", \"source\", \"ctx\"?, \"memory\"?, \"tools\"?, \"limits\"?, \"seed\"?}

Its response is a line, with a status of value, return, fail, error, rejected or limit:
  {\"id\", \"status\", \"value\", \"edn\", \"prints\", \"tool_calls\", \"memory\", \"fuel\",
   \"error\"}

No line ends a batch; it exits with 0.

The limits are LIMITS in seconds.

More: ptc docs command, ptc docs language";

pub(crate) const CHECK: &str = "\
Examples:
  ptc check program.clj --ctx @data.json --tools tools.json
  ptc check -e '(map inc ctx/rows)' --ctx '{\"rows\": [1, 2]}' --json
  ptc check program.clj --agent agent.toml

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

Runs whose process is gone are listed as died; `ptc resume` goes on with them. The last line is about all runs \
that match, also those that are not listed.

More: ptc docs looking, ptc docs store";

pub(crate) const SHOW: &str = "\
Examples:
  ptc show               the newest run
  ptc show 01kb2m        the start of an id is enough
  ptc show 01kb2m --turn 2
  ptc show 01kb2m --json
  ptc show run.jsonl     a file of `ptc export`

A `^` stands below the place where a program is wrong. Long texts are cut for people; --json has all of them. Values of \
fields whose names start with `_` show as `[Hidden]`, also with --json, unless --hidden is given.

More: ptc docs looking";

pub(crate) const VIEW: &str = "\
Examples:
  ptc view                        the newest run, as run-ID.html
  ptc view 01kb2m --out run.html
  ptc view --all --status failed --since 2d
  ptc view 01kb2m --out - | less
  ptc view run.jsonl              a file of `ptc export`
  ptc view 01kb2m --redact        to be sent to others

The page is one file that works without a network, in light and dark. It has inputs, prompts, replies and results of \
the runs and of those of their sub-agents. Values of fields whose names start with `_` show as `[Hidden]`, unless \
--hidden is given; --redact also replaces values of fields that are called like secrets. Texts of more than 65,536 \
characters are cut, with a note.

In the page, / searches, Enter goes to the next place, j and k go to the next and the previous turn.

More: ptc docs looking";

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use crate::args::Cli;

    /// On a terminal of 80 columns an example keeps its line, and prose is wrapped at its end only.
    #[test]
    fn it_fits_a_narrow_terminal() {
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

//! `ptc completions`: a script for each shell that knows every command.

use crate::support::{commands, run_ptc};

#[test]
fn scripts_know_every_command() {
    let commands = commands();
    for (shell, registration) in [
        ("bash", "complete -F _ptc -o nosort -o bashdefault -o default ptc"),
        ("zsh", "#compdef ptc"),
        ("fish", "complete -c ptc "),
        ("elvish", "set edit:completion:arg-completer[ptc]"),
        ("powershell", "Register-ArgumentCompleter -Native -CommandName 'ptc'"),
    ] {
        let output = run_ptc(&["completions", shell], "");
        assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(output.stdout.contains(registration), "{shell} does not register it");
        for command in &commands {
            assert!(output.stdout.contains(command), "{shell} lacks {command}");
        }
    }
}

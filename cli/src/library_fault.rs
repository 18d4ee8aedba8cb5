//! Errors of the library as faults of the command.

use ptc_subagent::ErrorKind;

use crate::input;
use crate::report::Fault;

impl From<ptc_subagent::Error> for Fault {
    fn from(error: ptc_subagent::Error) -> Fault {
        let mut fault = Fault::new(error.code(), error.to_string());
        if matches!(error.kind(), ErrorKind::Input | ErrorKind::Prompt) {
            fault = fault.of_input();
        }
        if let Some(help) = error.help() {
            fault = fault.with_help(help);
        }
        if let (Some(path), Some((line, column))) = (error.path(), error.line_column())
            && let Ok(text) = input::read_file(path, "the file")
        {
            let name = path.display().to_string();
            fault = fault.with_message(error.message()).in_file(&name);
            fault = fault.at(&name, &text, line, column);
        }
        fault
    }
}

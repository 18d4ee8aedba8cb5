//! The agent files of the guides.

use ptc_subagent::tool::{Constant, ServerDef, Tool, ToolDef, ToolError, ToolServers};
use ptc_subagent::{Agent, RunSettings};

/// Servers that are never asked, with one tool each.
struct AnyTool;

impl ToolServers for AnyTool {
    fn list(&self, server: &ServerDef) -> Result<Vec<ToolDef>, ToolError> {
        Ok(vec![ToolDef::new(format!("{}any", server.tools.prefix), Constant::returns(1))])
    }

    fn recall(&self, _: &ServerDef, _: &str) -> Box<dyn Tool> {
        Box::new(Constant::returns(1))
    }
}

/// The parts of agent files in the guides are read unchanged.
#[test]
fn examples_of_the_guides() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut pages = vec![root.join("README.md")];
    let folder = std::fs::read_dir(root.join("docs")).unwrap();
    pages.extend(folder.map(|entry| entry.unwrap().path()).filter(|it| it.is_file()));
    // The files of this page are settings of runs too. Another test reads them.
    pages.retain(|it| !it.ends_with("runs.md"));
    let mut found = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for block in text.split("\n```toml\n").skip(1) {
            let block = block.split("\n```").next().unwrap();
            let mut file = format!("{block}\n");
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.toml");
            // The tests of the server read files of tokens.
            if block.contains("[tokens.") {
                continue;
            }
            if block.contains("[[changes]]") {
                std::fs::write(&path, &file).unwrap();
                let settings = RunSettings::read(&path);
                assert!(settings.is_ok(), "{}: {:?}", page.display(), settings.err());
                continue;
            }
            if !block.contains("prompt =") {
                file.insert_str(0, "prompt = \"p\"\n");
            }
            if block.contains("max_calls") {
                file.push_str("\n[[tools]]\nname = \"orders\"\ncommand = [\"true\"]\n");
            }
            // The pages name files relative to the root.
            let examples = format!("agent = \"{}/examples/", root.display());
            let file = file.replace("agent = \"examples/", &examples);
            std::fs::write(&path, &file).unwrap();
            std::fs::write(folder.path().join("house.md"), "Be brief.").unwrap();
            std::fs::write(folder.path().join("servers.json"), "{\"mcpServers\": {}}").unwrap();
            let library = root.join("examples/library/library.yaml");
            std::fs::copy(library, folder.path().join("library.yaml")).unwrap();
            let agent = Agent::read_with(&path, &AnyTool, None);
            assert!(agent.is_ok(), "{}: {:?}\n{file}", page.display(), agent.err());
            found += 1;
        }
    }
    assert!(found >= 4, "{found}");
}

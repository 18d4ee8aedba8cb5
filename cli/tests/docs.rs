//! The commands of the README and the guides: each prints the output that the page shows.

use std::path::Path;

#[test]
fn every_command_of_the_documentation_prints_its_output() {
    // Paths in the documentation are relative to the root of the repository.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".."));
    std::env::set_current_dir(root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let store = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    trycmd::TestCases::new()
        .env("PTC_STORE", store.path().join("runs.sqlite").display().to_string())
        .env("NO_COLOR", "1")
        // The machine may have a collector configured. A variable set here takes precedence over one that a command
        // sets.
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "")
        .register_bin("ptc", trycmd::schema::Bin::Path(env!("CARGO_BIN_EXE_ptc").into()))
        .case("README.md")
        .case("docs/*.md")
        // These pages have their own tests: their commands share a folder, or need a server.
        .skip("docs/looking.md")
        .skip("docs/conversations.md")
        .skip("docs/people.md")
        .skip("docs/workflows.md")
        .skip("docs/quickstart.md")
        .skip("docs/replay.md");
}

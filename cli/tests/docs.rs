//! The commands in the README and the guides, run as they stand there.

use std::path::Path;

#[test]
fn every_command_of_the_documentation_prints_what_it_says() {
    // Paths in the documentation are relative to the root of the repository.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".."));
    std::env::set_current_dir(root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let store = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    trycmd::TestCases::new()
        .env("PTC_STORE", store.path().join("runs.sqlite").display().to_string())
        .env("NO_COLOR", "1")
        // Whoever runs the tests may have a collector. What is set here goes before what a command sets.
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "")
        .register_bin("ptc", trycmd::schema::Bin::Path(env!("CARGO_BIN_EXE_ptc").into()))
        .case("README.md")
        .case("docs/*.md")
        // They have tests of their own: their commands need one folder, or a server.
        .skip("docs/looking.md")
        .skip("docs/quickstart.md")
        .skip("docs/replay.md");
}

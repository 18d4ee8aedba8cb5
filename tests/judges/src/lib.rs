//! Tests that judge the project by the code of others: see `tests/`. The program `mcp-server` is the server of those of MCP.

pub mod hostile;

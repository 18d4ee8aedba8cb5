"""An MCP server over stdin and stdout, with four tools: `python mcp_server.py`."""

from __future__ import annotations

import json
import sys
from typing import Any

NUMBER = {"type": "number"}
TOOLS = [
    {
        "name": "add",
        "description": "Adds two numbers.",
        "inputSchema": {
            "type": "object",
            "properties": {"a": NUMBER, "b": NUMBER},
            "required": ["a", "b"],
        },
        "outputSchema": {"type": "object", "properties": {"sum": NUMBER}, "required": ["sum"]},
        "annotations": {"readOnlyHint": True},
    },
    {"name": "broken", "description": "Fails.", "inputSchema": {"type": "object"}},
    {"name": "picture", "description": "Gives a picture.", "inputSchema": {"type": "object"}},
    {"name": "seen", "description": "Tells the numbers.", "inputSchema": {"type": "object"}},
]


def call(name: str, args: dict[str, Any]) -> dict[str, Any]:
    if name == "broken":
        return {"content": [{"type": "text", "text": "out of paper"}], "isError": True}
    if name == "picture":
        return {"content": [{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}]}
    found = {"seen": [1, 2]} if name == "seen" else {"sum": args["a"] + args["b"]}
    return {"content": [{"type": "text", "text": json.dumps(found)}], "structuredContent": found}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "numbers", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params["name"], params["arguments"])
    return None


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    params = message.get("params", {})
    if params.get("name") == "seen" and "progressToken" in params.get("_meta", {}):
        told = {"progressToken": params["_meta"]["progressToken"], "progress": 1, "total": 2, "message": "half"}
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": told}), flush=True)
    result = answer(message["method"], params)
    missing = {"error": {"code": -32601, "message": "unknown method"}}
    reply = missing if result is None else {"result": result}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)

"""A small integration that speaks one protocol version only, the oldest: 2024-11-05.

It answers that version to whatever an `initialize` offers, as the specification asks of a server
that does not speak the offered one. It counts turns, with the hooks
transcript and turnComplete.
"""

import running

OLD_VERSION = "2024-11-05"


def main() -> None:
    running.quit_on_sigterm()
    # The SDK takes most of the start-up time, so what needs none of it comes first.
    from mcp import types
    from mcp.server.fastmcp import FastMCP
    from mcp.shared.version import SUPPORTED_PROTOCOL_VERSIONS

    import strict_json

    running.ignore_cancellations()
    # The SDK has no option for this: it agrees to each version of this list, and else answers the
    # latest.
    SUPPORTED_PROTOCOL_VERSIONS[:] = [OLD_VERSION]
    types.LATEST_PROTOCOL_VERSION = OLD_VERSION

    server = FastMCP("turn-counter", log_level="WARNING")
    turns = 0

    @server.tool(structured_output=False)
    def count_turns() -> str:
        """Says how many turns there were."""
        return str(turns)

    @server.tool(structured_output=False)
    async def voiceos_hook_transcript(payload_json: str) -> str:
        """Adds the number of turns where somebody asks for it."""
        payload = strict_json.parse_object(payload_json) or {}
        if "how many turns" in str(payload.get("transcript", "")).lower():
            return strict_json.render({"additionalContext": f"{turns} turns — so far."})
        return "{}"

    @server.tool(structured_output=False)
    async def voiceos_hook_turn_complete(payload_json: str) -> str:
        """Counts the turn."""
        nonlocal turns
        turns += strict_json.parse_object(payload_json) is not None
        return "{}"

    server.run("stdio")


if __name__ == "__main__":
    main()

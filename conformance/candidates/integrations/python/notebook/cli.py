"""The command line of the notebook: stdio by default, Streamable HTTP with --http."""

import argparse
import sys

import running
from notebook.faults import FAULTS, NO_FAULT


def main() -> int:
    parser = argparse.ArgumentParser(prog="notebook_server.py", description="Meeting notes.")
    parser.add_argument("--http", metavar="PORT", type=int, help="serve HTTP; 0 takes any port")
    parser.add_argument("--fault", metavar="NAME", help="plant one fault on purpose")
    options = parser.parse_args()

    fault = NO_FAULT if options.fault is None else FAULTS.get(options.fault)
    if fault is None:
        print(f"unknown fault; known: {', '.join(FAULTS)}", file=sys.stderr)
        return 2

    running.quit_on_sigterm()
    fault.start()
    # The SDK takes most of the start-up time, so what needs none of it comes first.
    from notebook.server import build, offer_hook

    running.ignore_cancellations()
    server = build(fault.wrap, fault.offer or offer_hook)
    if options.http is None:
        server.run("stdio")
    else:
        running.serve(server.streamable_http_app(), options.http, "127.0.0.1", "/mcp")
    fault.end()
    return 0

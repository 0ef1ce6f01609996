"""`python -m hookproof_candidate --http PORT` or `--stdio`."""

from __future__ import annotations

import argparse

from hookproof_candidate.transport import http, stdio


def main() -> None:
    """Serve as the command line says."""
    parser = argparse.ArgumentParser(prog="hookproof_candidate", description=__doc__)
    transport = parser.add_mutually_exclusive_group(required=True)
    transport.add_argument(
        "--http", type=int, metavar="PORT", help="serve HTTP on 127.0.0.1; 0: any port"
    )
    transport.add_argument("--stdio", action="store_true", help="serve MCP on stdin and stdout")
    arguments = parser.parse_args()
    if arguments.stdio:
        stdio.serve()
    else:
        http.serve(arguments.http)


if __name__ == "__main__":
    main()

"""Starts the notebook: `python notebook_server.py [--http PORT] [--fault NAME]`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

if __name__ == "__main__":
    from notebook.cli import main

    sys.exit(main())

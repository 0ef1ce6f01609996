"""Entry script: works from any working directory, without installing the package."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from hookproof_candidate.__main__ import main

main()

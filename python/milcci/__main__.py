"""``python -m milcci`` is the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    program = Path(__file__).parent / "bin" / ("milcci.exe" if os.name == "nt" else "milcci")
    command = [str(program), *sys.argv[1:]]
    if os.name != "nt":
        os.execv(command[0], command)  # signals and exit codes are then the program's own
    return subprocess.call(command)


if __name__ == "__main__":
    sys.exit(main())

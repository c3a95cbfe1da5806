# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m tilewright COMMAND …` runs the executable of the same environment."""

import os
import sys
import sysconfig


def main() -> int:
    executable = os.path.join(sysconfig.get_path("scripts"), "tilewright")
    if not os.path.exists(executable):
        print(f"tilewright: no executable at {executable}: the package is not completely installed", file=sys.stderr)
        return 2
    os.execv(executable, [executable, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())

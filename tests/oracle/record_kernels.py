# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Records what the cases() of kernel files launch.

python -m oracle.record_kernels [--arch sm_90] --out FILE.pickle FILE …
"""

import argparse
import importlib.util
import pickle
import traceback
import warnings
from pathlib import Path

from oracle.recorder import Recorder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--tune", default="first", choices=("first", "all"))
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    failures = {}
    with Recorder(arguments.arch, arguments.tune) as recorder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for file in arguments.files:
            recorder.case = file.stem
            try:
                spec = importlib.util.spec_from_file_location(file.stem, file)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                for _ in module.cases():
                    pass
            except Exception:
                failures[file.stem] = traceback.format_exc(limit=-4)
    arguments.out.write_bytes(pickle.dumps(dict(launches=recorder.launches, failures=failures)))


if __name__ == "__main__":
    main()

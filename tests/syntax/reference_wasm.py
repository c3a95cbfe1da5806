# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""reference.py for Python 3.14, which the package pyeryx carries as WebAssembly: the protocol outside, the real CPython inside."""
import base64
import pathlib
import sys

import eryx

PREPARE = pathlib.Path(__file__).with_name("reference.py").read_text() + """
import base64
warnings.simplefilter("ignore")
sys.set_int_max_str_digits(5000)
"""


def main():
    session = eryx.Session()
    session.execute(PREPARE.replace('if __name__ == "__main__":\n    main()', ""))
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while line := requests.readline():
        _, mode, size = line.split()
        text = base64.b64encode(requests.read(int(size))).decode()
        ask = f"good, text = answer({mode.decode()!r}, base64.b64decode({text!r}))\n"
        ask += "print(int(good), base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode())"
        good, data = session.execute(ask).stdout.split(b" ")
        data = base64.b64decode(data)
        answers.write(b"%s %d\n" % (b"ok" if good == b"1" else b"error", len(data)) + data)
        answers.flush()


if __name__ == "__main__":
    main()

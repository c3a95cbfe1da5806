# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What a process has only one of, and a `with` statement changes: by whoever enters first, until the last one has left."""

import contextlib
import threading


class Shared:
    """Entered in any order and in any thread. `install(undo)` makes the change and registers at `undo` how it is taken back.

    `name` is what users call it.
    """

    def __init__(self, name, install):
        self._name = name
        self._install = install
        self._undo = contextlib.ExitStack()
        self._inside = []  # (thread, options), in the order of entering
        self._lock = threading.RLock()

    @contextlib.contextmanager
    def entered(self, options):
        entry = threading.get_ident(), options
        with self._lock:
            if not self._inside:
                with contextlib.ExitStack() as undo:
                    self._install(undo)
                    self._undo = undo.pop_all()
            self._inside.append(entry)
        try:
            yield
        finally:
            with self._lock:
                at = next(at for at, known in enumerate(self._inside) if known is entry)
                del self._inside[at]
                if not self._inside:
                    self._undo.close()

    @property
    def options(self):
        """Those with which this thread was the last to enter, else those of the last thread that is inside.

        RuntimeError where nobody is inside: a function of the change was kept and is called after the last one has left.
        """
        inside = self._inside[:]
        if not inside:
            raise RuntimeError(f"this was taken from inside of `{self._name}`, and no `{self._name}` is entered now")
        mine = [options for thread, options in inside if thread == threading.get_ident()]
        return mine[-1] if mine else inside[-1][1]

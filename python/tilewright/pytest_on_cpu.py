# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest, which runs and collects tests under `tilewright.on_cpu`: `pytest -p tilewright.pytest_on_cpu`."""

import contextlib

from tilewright.interpreter import on_cpu

_while_it_runs = contextlib.ExitStack()


def pytest_load_initial_conftests():
    _while_it_runs.enter_context(on_cpu())


def pytest_unconfigure():
    _while_it_runs.close()

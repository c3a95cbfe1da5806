# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="the whole matrices, not only the sample that CI runs")


@pytest.fixture(scope="session")
def full(request):
    return request.config.getoption("--full")


@pytest.fixture(scope="session")
def converted(tmp_path_factory):
    """What the tool makes of every open file: module → oracle.tool.Converted."""
    from oracle import tool

    return tool.convert_open_files(tmp_path_factory.mktemp("converted"))

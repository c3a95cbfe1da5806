# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""Oracles: what the original compilers, the original host code and torch say about a kernel, asked on a machine without a GPU."""

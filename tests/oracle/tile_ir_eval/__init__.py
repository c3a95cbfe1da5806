# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""What a kernel calculates, by what NVIDIA's front end makes of it: an evaluator of Tile IR text on numpy arrays.

It shares nothing with Tilewright: the text is tileirdisasm's, and each operation means what the specification of Tile IR and
measurements of real cuTile say.  What it does not know is an error that names it.
"""

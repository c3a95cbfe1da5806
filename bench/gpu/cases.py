# SPDX-FileCopyrightText: The Tilewright Authors
# SPDX-License-Identifier: Apache-2.0
"""All cases, by the operators' names."""

import cases_attention  # noqa: F401  (each module adds its operators when it is imported)
import cases_experts  # noqa: F401
import cases_flashinfer  # noqa: F401
import cases_products  # noqa: F401
import cases_recurrences  # noqa: F401
import cases_rows  # noqa: F401
import cases_unsloth  # noqa: F401
from operators import KINDS, OPERATORS, Maker  # noqa: F401

# SPDX-License-Identifier: Apache-2.0
"""Tests of the RTL share benches that lie beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

# SPDX-License-Identifier: Apache-2.0
"""ECP5's cells for simulation, as Verilog: `ecp5_cells.v`."""

import re
from importlib import resources


def cells_text(only: str = "") -> str:
    """Behaviour of the cells, or of one of them, as Verilog."""
    text = resources.files(__package__).joinpath("ecp5_cells.v").read_text("utf-8")
    found = re.search(rf"^module {only}\b.*?^endmodule$", text, re.MULTILINE | re.DOTALL)
    assert found or not only
    return f"{found[0]}\n" if found and only else text

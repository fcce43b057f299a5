# SPDX-License-Identifier: Apache-2.0
"""Keys of the pipeline family."""

from typing import Literal

from pydantic import Field

from nttforge.config.family import StreamConfig
from nttforge.config.fields import LARGEST, Depth, FlowControl, Order, Reduction
from nttforge.config.ring_table import RingTable
from nttforge.ring.ring import Ring

Twiddles = Literal["tables", "made"]


class PipelineTable(StreamConfig):
    """Parameters of the pipeline family."""

    butterflies: int = Field(default=1, ge=1, le=LARGEST // 2)
    """Butterflies a stage; a beat has twice as many coefficients."""
    order: Order = "natural"
    """How coefficients and values are shared out to beats. `natural`: values in order, coefficients
    as two halves in order. `mirrored`: with several butterflies and both directions, each
    commutator and wire serves both of them, which takes fewer LUTs."""
    seamless: bool = False
    """Pad the commutators so that any operation follows any other without a bubble."""
    lut_tile: int = Field(default=0, ge=0, le=12)
    """A multiplier tile of at most so many bits on one side is made of LUTs instead of a DSP block:
    12 takes all of ML-KEM's."""
    short: bool = False
    """Stages of three clocks, for the least latency: reduction and last additions have one clock
    together, which is slower. It takes no notice of `adders_per_stage`."""
    fused: bool = False
    """A stage's last additions share a clock with the next one's exchange, and the input has no
    register slice: a register less a stage, for an engine within something larger."""
    flow_control: FlowControl = "enable"
    """How a sink that is not ready holds the source. `enable`: a flip-flop stops the whole
    pipeline. `credits`: the pipeline never stops, and a beat enters it when a place of a queue at
    the output is kept for it. That spares the net that enables every register, and costs a cycle
    and memory for as many beats as the latency."""
    adders_per_stage: int = Field(default=2, ge=1, le=8)
    """Adder rows between two registers: 1 for the highest clock, more for a shorter pipeline. Up to
    2 there is a register after every memory, too."""
    reduction: Reduction = "auto"
    """Kind of the modular reduction; `auto` takes the one of least measured cost."""
    ram_block_from: Depth = 256
    """Depth from which commutators are block RAM."""
    ram_ultra_from: Depth | None = None
    """Depth from which commutators are UltraRAM, of families that have it; none of them if left
    out. One holds 4,096 words of 72 bits."""
    rom_block_from: Depth = 128
    """Depth from which twiddle tables are block RAM."""

    twiddles: Twiddles = "tables"
    """Where the factors of loaded moduli come from. `tables`: all of them are loaded. `made`: a
    stage whose tables have `made_from` words makes each as a product of words of two short ones
    (docs/rns.md): memory for a few hundred words a modulus, and more multipliers."""
    made_from: Depth = 1024
    """Words of a table of factors, those of all places, from which a stage makes them."""
    registers: bool = False
    """An AXI4-Lite port beside the streams of loaded moduli: loads them, and has what each place
    holds, and why a load was refused (docs/rns.md)."""

    def ring(self, table: RingTable) -> Ring:
        """A ring of a pipeline: with the largest of its moduli if they are loaded."""
        return table.ring()

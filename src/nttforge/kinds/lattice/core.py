# SPDX-License-Identifier: Apache-2.0
"""The core of a lattice coprocessor: operations from seeds and messages to bytes."""

from dataclasses import dataclass

from nttforge.design import Design
from nttforge.hw.core import Core
from nttforge.hw.drivers import LibraryTemplates
from nttforge.hw.register_map import RegisterMap
from nttforge.hw.wrapper import Wrapper
from nttforge.kinds.lattice.commands import Commands, coprocessor_wrapper
from nttforge.kinds.lattice.operation import Standard


@dataclass(frozen=True, kw_only=True)
class LatticeCore(Core):
    """A coprocessor, or its core alone, as data.

    - `standards`: that it has.
    - `commands`: its registers, if it has any, are theirs.
    - `rounds_per_cycle`, `keccak_cores`: of Keccak, a fraction if a round takes several
      cycles; all cores but the first sample the matrix.
    - `transform`: design of the transform inside; None if an engine transforms and multiplies.
    - `host`: it has registers and a queue of commands; without them commands and results are
      streams.
    - `checks`: it verifies each signature before it is let out, by what the host sends after the
      message: the public key, and the message again.
    - `what`, `instead`, `library`: see :class:`Core`; of its standards.
    """

    standards: tuple[Standard, ...]
    commands: Commands
    rounds_per_cycle: int | float
    transform: Design | None
    keccak_cores: int = 1
    host: bool = True
    checks: bool = False
    kind_label: str = "a lattice coprocessor"  # type: ignore[misc]  # one a core, not one for all
    usage_hint: str = Core.usage_hint  # type: ignore[misc]
    library: LibraryTemplates | None = None  # type: ignore[misc]

    @property
    def operations(self) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
        """Names, in the order of their codes; by standard if it has several."""
        return self._of_each({each.name: tuple(each.operations) for each in self.standards})

    @property
    def parameter_sets(self) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
        """Names, in the order of their codes; by standard if it has several."""
        return self._of_each({s.name: tuple(p.name for p in s.sets) for s in self.standards})

    @property
    def permutation_cycles(self) -> int:
        """Of Keccak."""
        return int(24 / self.rounds_per_cycle)

    @staticmethod
    def _of_each(
        found: dict[str, tuple[str, ...]],
    ) -> tuple[str, ...] | dict[str, tuple[str, ...]]:
        return found if len(found) > 1 else next(iter(found.values()))

    @property
    def registers(self) -> RegisterMap | None:
        """Of its AXI4-Lite port, if it has one."""
        return self.commands.registers() if self.host else None

    @property
    def keep(self) -> bool:
        """Packets of the public input need not have whole words."""
        return any(each.keep for each in self.standards)

    @property
    def entropy(self) -> bool:
        """It takes seeds from a port of their own."""
        return self.host or len(self.standards) > 1

    @property
    def wrapper(self) -> Wrapper:
        """With the names of its own ports."""
        return coprocessor_wrapper(self.name, host=self.host, keep=self.keep, entropy=self.entropy)

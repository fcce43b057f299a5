# SPDX-License-Identifier: Apache-2.0
"""What all lattice coprocessors are made of: transform, programs, sponge, registers, driver."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from nttforge.design import Design
from nttforge.hw.core import StreamCore
from nttforge.hw.drivers import Files, LibraryTemplates
from nttforge.kinds.lattice.commands import Commands
from nttforge.kinds.lattice.config import LatticeTable
from nttforge.kinds.lattice.coprocessor_transform import (
    HOST_MODULES,
    own_rings,
    transform_design,
    transform_files,
)
from nttforge.kinds.lattice.core import LatticeCore
from nttforge.kinds.lattice.drivers import command_files
from nttforge.kinds.lattice.operation import Standard
from nttforge.kinds.stream.build import build as build_pipeline
from nttforge.rtl_library import combine, sources_of

#: What is around the core if signatures are verified before they leave.
RELEASE = "ntf_mldsa_release"


@dataclass(frozen=True)
class Frame:
    """A design, checked, and the core of its transform."""

    design: Design
    table: LatticeTable
    inner: Design
    transform: StreamCore

    @classmethod
    def of(
        cls, design: Design, rings: Sequence[str], name: str, transform: str, butterflies: int
    ) -> Self:
        """The frame of a design whose rings must be these presets'."""
        own_rings(design, rings, name)
        inner = transform_design(transform, design.name, butterflies, design.target)
        return cls(design, design.table(LatticeTable), inner, build_pipeline(inner))

    @property
    def latency(self) -> int:
        """Of the transform, at most."""
        return max(operation.latency for operation in self.transform.operations)

    def variables(self, commands: Commands) -> dict[str, Any]:
        """What templates of any coprocessor want to know."""
        return {
            "name": self.design.module,
            "transform": self.inner.module,
            "host": self.table.registers,
            "checks": self.table.verify_signatures,
            **commands.variables(self.table.rounds_per_cycle, self.transform.stream.lanes),
        }

    def core(
        self,
        *standards: Standard,
        commands: Commands,
        modules: Sequence[str],
        top: str,
        readme: tuple[str, Mapping[str, object]],
        variables: Mapping[str, object],
        programs: Files,
        library: LibraryTemplates,
        kind_label: str,
        usage_hint: str,
        facts: Mapping[str, Any],
        keccak_cores: int = 1,
    ) -> LatticeCore:
        """The coprocessor of these standards; `modules` are beside the transform's."""
        table, name = self.table, self.design.module
        checks = table.verify_signatures
        release = (RELEASE,) if checks else ()
        host: tuple[str, ...] = ()
        driven: Files = {}
        if table.registers:
            host, driven = HOST_MODULES, command_files(name, variables, *standards, checks=checks)
        return LatticeCore(
            name=name,
            standards=standards,
            commands=commands,
            rounds_per_cycle=table.rounds_per_cycle,
            keccak_cores=keccak_cores,
            transform=self.inner,
            host=table.registers,
            checks=checks,
            kind_label=kind_label,
            usage_hint=usage_hint,
            library=library,
            sources=combine(self.transform.sources, sources_of(*modules, *release, *host)),
            templates={
                **transform_files(self.transform),
                **programs,
                **driven,
                f"{name}.sv": (top, variables),
                "README.md": readme,
            },
            views=tuple(view.within("u_transform") for view in self.transform.views),
            facts=facts,
        )

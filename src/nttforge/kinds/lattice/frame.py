# SPDX-License-Identifier: Apache-2.0
"""Common parts of the lattice coprocessors: transform, programs, sponge, registers, driver."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

from nttforge.design import Design
from nttforge.hw.core import StreamCore
from nttforge.hw.drivers import Files
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
from nttforge.kinds.stream.build import build_transforms as build_pipeline
from nttforge.rtl_library import combine, sources_of

#: What is around the core if signatures are verified before they leave.
RELEASE = "ntf_mldsa_release"


@dataclass(frozen=True)
class Frame:
    """A design, checked, its standards, and the transform inside with its core, if it has one."""

    design: Design
    table: LatticeTable
    standards: tuple[Standard, ...]
    inner: Design | None = None
    transform: StreamCore | None = None

    @classmethod
    def of(cls, design: Design, *standards: Standard, ring: str = "", butterflies: int = 0) -> Self:
        """The frame of a design whose rings must be the standards'; `ring` of the transform."""
        table = design.table(LatticeTable)
        one = len(standards) == 1
        own_rings(
            design, table.standards, standards[0].name if one else "the core of both standards"
        )
        if not ring:
            return cls(design, table, standards)
        inner = transform_design(ring, design.name, butterflies, design.target)
        return cls(design, table, standards, inner, build_pipeline(inner))

    @property
    def latency(self) -> int:
        """Of the transform, at most."""
        operations = self.transform.operations if self.transform else ()
        return max(operation.latency for operation in operations)

    def variables(self, commands: Commands, lanes: int = 0) -> dict[str, Any]:
        """Variables of templates of any coprocessor; `lanes` without a transform."""
        rounds = self.table.rounds_per_cycle if self.transform else 0
        return {
            "name": self.design.module,
            "transform": self.inner and self.inner.module,
            "host": self.table.registers,
            "checks": self.table.verify_signatures,
            **commands.variables(rounds, self.transform.stream.lanes if self.transform else lanes),
        }

    def core(
        self,
        *modules: str,
        top: str,
        readme: str,
        variables: Mapping[str, object],
        programs: Files,
        **own: Any,
    ) -> LatticeCore:
        """The coprocessor; `modules` are beside the transform's, `own` what differs from others."""
        table, name, first = self.table, self.design.module, self.standards[0]
        checks, inner, driven = table.verify_signatures, self.transform, Files()
        if table.registers:
            driven = command_files(name, variables, *self.standards, checks=checks)
        more = (*((RELEASE,) if checks else ()), *(HOST_MODULES if table.registers else ()))
        code_words = partial(first.code_words, first.registers["command"])
        known: dict[str, Any] = {
            "commands": first.commands,
            "rounds_per_cycle": table.rounds_per_cycle,
            **{each: getattr(first, each) for each in ("kind_label", "usage_hint", "library")},
        }
        return LatticeCore(
            name=name,
            standards=self.standards,
            transform=self.inner,
            host=table.registers,
            checks=checks,
            sources=combine(*([inner.sources] if inner else []), sources_of(*modules, *more)),
            templates={
                **(transform_files(inner) if inner else {}),
                **programs,
                **driven,
                f"{name}.sv": (top, variables),
                "README.md": (readme, {"code_words": code_words}),
            },
            views=tuple(view.within("u_transform") for view in (inner.views if inner else ())),
            **{**known, **own},
        )

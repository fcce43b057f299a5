# SPDX-License-Identifier: Apache-2.0
"""What the tables of families have in common."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from nttforge.config.fields import ConfigTable
from nttforge.config.ring_table import RingTable
from nttforge.errors import NttforgeError
from nttforge.ring.ring import Ring


class FamilyConfig(ConfigTable):
    """The table of a family."""

    def ring(self, table: RingTable) -> Ring:
        """A ring of a design of this family."""
        if table.is_loaded:
            raise NttforgeError(
                "q", "no modulus is loaded in this family", 'use family = "pipeline"'
            )
        return table.ring()


class StreamConfig(FamilyConfig):
    """The table of a family from stream to stream."""

    FORMER: ClassVar[Mapping[str, str]] = {"throughput": "interval"}

    flush: bool = False
    """An input that ends whatever the core does and overwrites all polynomials in it with zeros, in
    a stated number of cycles."""
    byte_lanes: bool = False
    """Each lane of the streams is rounded up to whole bytes, and there is `tkeep`: for buses and
    their models that know bytes alone."""
    interval: Annotated[int, Field(ge=1, le=(1 << 31) - 1)] | None = None
    """Maximum cycles between transforms, in place of `butterflies`: the fewest butterflies are used
    with which no operation that follows itself takes longer. Idle cycles between two different
    operations of a pipeline come on top, unless it is `seamless`; with more `slots` than an
    operation needs, operations wait for each other now and then, which may take a little more."""

    @model_validator(mode="after")
    def _one_says_how_many(self) -> "StreamConfig":
        if self.interval is not None and "butterflies" in self.model_fields_set:
            raise ValueError("interval determines butterflies, so leave one of the two out")
        return self

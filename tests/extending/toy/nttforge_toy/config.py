# SPDX-License-Identifier: Apache-2.0
"""Keys of the toy family."""

from pydantic import Field

from nttforge.config.family import FamilyConfig


class ToyTable(FamilyConfig):
    """Parameters of the toy family."""

    words: int = Field(default=100, ge=1, le=10_000)
    """Words that its bench plays."""

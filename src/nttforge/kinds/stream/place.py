# SPDX-License-Identifier: Apache-2.0
"""Operands of a core with a memory shell, in memory."""

import numpy as np
import numpy.typing as npt

from nttforge.flow.memory_jobs import Array, Bytes, Placed
from nttforge.hw import StreamCore
from nttforge.kinds.stream.run import check_operands
from nttforge.ring.transform import coefficient_dtype
from nttforge.simulate import shell_simulator as shell


def place_shell(core: StreamCore, name: str, *operands: npt.ArrayLike) -> Placed:
    """Operands of a core behind a memory shell, shared out evenly among the instances."""
    around = core.shell
    assert around is not None
    operation = next(o for o in core.operations if o.name == name)
    batch, shape = check_operands(operation, operands)
    shares = np.array_split(np.arange(len(batch)), around.instances)

    def results(written: list[Bytes]) -> Array:
        parts = [
            operation.unpack(shell.from_memory(around, data, len(rows)))
            for rows, data in zip(shares, written, strict=True)
            if len(rows)
        ]
        return np.concatenate(parts).reshape(shape).astype(coefficient_dtype(operation.ring))

    return Placed(
        code=operation.code,
        log_size=0,
        sources=[shell.to_memory(around, operation.pack(batch[rows])) for rows in shares],
        targets=[len(rows) * around.write_bytes(operation.code) for rows in shares],
        counts=[len(rows) for rows in shares],
        scratch=0,
        stripe=0,
        results=results,
    )

# SPDX-License-Identifier: Apache-2.0
"""What a bench's host does with a queue of commands: writes them, and compares their results."""

from collections.abc import Sequence

from nttforge.emit.stimulus import HostPlay
from nttforge.hw.registers import RegisterMap
from nttforge.kinds.lattice.commands import ADDRESS_BITS, QUEUE_DEPTH


def command_host(
    registers: RegisterMap, commands: Sequence[int], results: Sequence[int]
) -> HostPlay:
    """Batches as large as the queue; at the end all is idle, and there is no result too many.

    Parameters
    ----------
    registers
        Of the coprocessor.
    commands, results
        Words of those registers, one of each for each operation.
    """
    host = HostPlay("s_axi", ADDRESS_BITS, "interrupt_o")
    status, at = registers["status"], {r.name: r.address for r in registers}
    host.write(at["interrupt_enable"], registers["interrupt_enable"].word(result=1))
    for first in range(0, len(commands), QUEUE_DEPTH):
        batch = slice(first, first + QUEUE_DEPTH)
        for command in commands[batch]:
            host.poll(at["status"], 0, status.field("full").mask)
            host.write(at["command"], command)
        for result in results[batch]:
            host.wait(1)
            host.read(at["result"], result, (1 << 32) - 1)
            host.write(at["acknowledge"], 1)
    host.refused(at["acknowledge"], 1)
    host.poll(at["status"], 1, status.field("idle").mask)
    return host

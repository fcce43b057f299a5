# SPDX-License-Identifier: Apache-2.0
"""Stimulus of an engine for large transforms: small jobs in memory."""

import itertools
from dataclasses import replace
from functools import lru_cache

import numpy as np

from nttforge.emit.stimulus import Stimulus
from nttforge.flow.memory_stimulus import (
    RUBBISH,
    Memory,
    add_job,
    host_stimulus,
    job_host,
    status_code,
)
from nttforge.flow.reference import random_polynomials
from nttforge.hw import shell as shell_registers
from nttforge.kinds.decomposed.core import (
    COUNT,
    LOG_SIZE,
    PADDING,
    SCRATCH,
    SOURCE,
    STATUSES,
    STRIPE,
    TARGET,
    DecomposedCore,
    DecomposedOperation,
)
from nttforge.kinds.decomposed.rounds import Order
from nttforge.kinds.decomposed.simulator import to_memory
from nttforge.ring.arithmetic import Array
from nttforge.ring.ring import Ring
from nttforge.ring.transform import intt, ntt
from nttforge.simulate.native import limbs_of, to_limbs

_SCRATCH_BYTES = 1 << 13
# log2 of the words that a bench is given: of more, a folder takes minutes to write.
_MOST_WORDS = 19
# The same of what each operation is given: of more, its simulation takes minutes each.
_MANY_WORDS = 14


def played_sizes(core: DecomposedCore, operation: DecomposedOperation) -> list[int]:
    """log2 of the smallest transform and, for some operations, one of several rounds."""
    ends = core.operations[0], core.operations[-1]
    words = _MOST_WORDS if operation in ends else _MANY_WORDS
    most = max(core.least, min(words, core.largest_of(operation)))
    sizes = range(core.least, most + 1)
    several = (size for size in sizes if len(core.rounds(size, operation.order)) > 1)
    return [*sizes[:1], *itertools.islice(several, 1)]


def _decomposed_ring(core: DecomposedCore, operation: DecomposedOperation, size: int) -> Ring:
    return _ring(size, core.ring.q, operation.negacyclic, core.root(operation, size))


@lru_cache(maxsize=4)
def _ring(size: int, q: int, negacyclic: bool, root: int) -> Ring:
    """The same for operations that differ in direction or order: its tables are long."""
    return Ring.create(1 << size, q, negacyclic=negacyclic, root=root)


def _decomposed_reference(
    core: DecomposedCore, operation: DecomposedOperation, words: Array
) -> Array:
    """Transforms of words, shape (count, N), in the operation's order."""
    size = words.shape[1].bit_length() - 1
    ring = _decomposed_ring(core, operation, size)
    # The ring's own order of values is the bit-reversed one: an axis a bit, turned about.
    turned = np.arange(1 << size).reshape((2,) * size).transpose().reshape(-1)
    natural = operation.order is Order.NATURAL
    g = core.shift(operation, size) if operation.coset else 1
    if operation.inverse:
        result = intt(ring, words[:, turned] if natural else words)
        return _scaled(result, pow(g, -1, ring.q), ring.q)
    result = ntt(ring, _scaled(words, g, ring.q))
    return result[:, turned] if natural else result


def _scaled(words: Array, base: int, q: int) -> Array:
    """Words i times base^i."""
    if base == 1:
        return words
    powers = [1]
    for _ in range(words.shape[1] - 1):
        powers.append(powers[-1] * base % q)
    scaled: Array = words.astype(object) * np.array(powers, object) % q
    return scaled.astype(words.dtype)


def decomposed_stimulus(core: DecomposedCore) -> Stimulus:
    """Jobs of each operation and of small sizes, and one that is refused."""
    rng = np.random.default_rng(0)
    memories = [Memory(number, core.port_bytes) for number in range(core.stripes)]
    burst = (core.word_bytes << core.shape.p) // core.beat_bytes
    jobs = [(op, size, 0) for op in core.operations for size in played_sizes(core, op)]
    # Those without zeros besides.
    jobs += [(op, n, pad) for op, n, _ in jobs for pad in [core.most_padding(op, n)] if pad]
    largest = max((size for _, size, _ in jobs), default=0)
    placed = []
    for operation, size, padding in jobs:
        words = random_polynomials(_decomposed_ring(core, operation, size), 2, rng)
        there = (1 << size) >> padding
        words[:, there:] = 0
        got = _decomposed_reference(core, operation, words)
        images = (
            _parts(core, image, operation, b) for b, image in enumerate((words[:, :there], got))
        )
        # Every memory is filled alike, so that the first one's addresses say where all parts are.
        sources, targets = zip(
            *(
                (memory.place(given, align=burst), memory.result(wanted, burst))
                for memory, given, wanted in zip(memories, *images, strict=True)
            ),
            strict=True,
        )
        placed.append((sources[0], targets[0]))
    room = (2 * core.word_bytes << largest) // core.ports + _SCRATCH_BYTES
    if core.sets > 1:
        # Who writes sees all stripes: they follow each other, and after them those of the scratch.
        stripe = core.whole_pages(max(len(memories[0].before), room))
        whole = _joined(memories, stripe)
        scratch = whole.base + len(whole.before)
        room = core.stripes * stripe if any(core.needs_work(*job[:2]) for job in jobs) else 0
        memories = [whole] * core.ports
    else:
        stripe = memories[1].base - memories[0].base if core.ports > 1 else 0
        scratch, *_ = [memory.place(b"", align=burst) for memory in memories]
    host = job_host()
    for (operation, size, padding), (source, target) in zip(jobs, placed, strict=True):
        writes = [
            (shell_registers.OPERATION, operation.code, 1),
            (LOG_SIZE, size, 1),
            (SOURCE, source, 2),
            (TARGET, target, 2),
            (COUNT, 2, 1),
            (SCRATCH, scratch, 2),
        ]
        writes += [(STRIPE, stripe, 2)] if stripe else []
        writes += [(PADDING, padding, 1)] if core.board.blowup > 1 else []
        add_job(host, writes, status_code("ok", STATUSES))
    add_job(host, [(LOG_SIZE, core.largest + 1, 1)], status_code("size not supported", STATUSES))
    # Port p of each engine is one of the same memory, whose words are looked at once.
    filled = {
        n: memory.stimulus(core.buses[n], core.buses[n], room, core.buses[n])
        for n, memory in {memory.number: memory for memory in memories}.items()
    }
    each = zip(memories * core.engines, core.buses, strict=True)
    plays = (replace(filled[memory.number], read=bus, write=bus) for memory, bus in each)
    return host_stimulus(tuple(plays), host, core.turn)


def _joined(memories: list[Memory], stripe: int) -> Memory:
    """One memory with all of them, each so many bytes after the one before."""
    whole = Memory(memories[0].number, memories[0].word_bytes)
    for memory in memories:
        whole.before += memory.before.ljust(stripe, b"\0")
        whole.behind += memory.behind.ljust(stripe, b"\0")
    return whole


def _parts(
    core: DecomposedCore, words: Array, operation: DecomposedOperation, buffer: int
) -> list[bytes]:
    """Words as bytes, what each memory port has of them, in each set of channels."""
    if core.sets > 1:
        limbs = to_limbs(words, limbs_of(core.ring.width))
        whole = np.full_like(limbs, np.iinfo(np.uint64).max)
        image, there = (to_memory(core, x, None, operation, buffer) for x in (limbs, whole))
        # Where no words are, nothing is written.
        stripes = np.where(there, image, RUBBISH).astype(np.uint8).reshape(core.stripes, -1)
        return [part.tobytes() for part in stripes]
    size = core.word_bytes
    data = b"".join(word.to_bytes(size, "little") for word in words.reshape(-1).tolist())
    beats = np.frombuffer(data, np.uint8).reshape(-1, core.ports, core.port_bytes)
    return [beats[:, port].tobytes() for port in range(core.ports)]

# SPDX-License-Identifier: Apache-2.0
"""The least that any change of layout costs, and a chain of exchanges that costs no more.

Write w(b) for the beats by which index bit b moves a coefficient: 2^t on time bit t, 0 on a lane.
A coefficient leaves too early by the sum of w_before(b) - w_after(b) over the bits that are set in
its index. The worst coefficient has those bits set for which that is positive; docs/layouts.md has
the proofs.
"""

from nttforge.layout.layout import Layout


def _weight(layout: Layout, position: int) -> int:
    """Beats by which a bit on `position` moves a coefficient."""
    return 1 << (position - layout.lane_bits) if position >= layout.lane_bits else 0


def _check_same_stream(before: Layout, after: Layout) -> None:
    if (len(before.bits), before.lane_bits) != (len(after.bits), after.lane_bits):
        raise ValueError(f"{before} and {after} are not layouts of one stream")


def minimum_delay(before: Layout, after: Layout) -> int:
    """Beats by which a stream must lag to change its layout; no circuit does it in fewer.

    Raises ValueError: the layouts differ in size or in lanes.
    """
    _check_same_stream(before, after)
    return sum(
        max(0, _weight(before, before.position(bit)) - _weight(after, after.position(bit)))
        for bit in range(len(before.bits))
    )


def minimum_buffer(before: Layout, after: Layout) -> int:
    """Words that a stream without gaps has inside while it changes its layout.

    Every beat brings as many words as it takes away, so it is what the first
    :func:`minimum_delay` beats brought.
    """
    return minimum_delay(before, after) * before.lanes


def exchanges(before: Layout, after: Layout) -> tuple[tuple[int, int], ...]:
    """Positions to exchange, one pair after the other, to get from `before` to `after`.

    Their delays (:meth:`Layout.exchange_delay`) add up to :func:`minimum_delay`: a chain of
    exchanges is as good as any circuit. Each exchange brings two bits nearer to their places and
    takes neither beyond it. Raises ValueError: the layouts differ in size or in lanes.
    """
    _check_same_stream(before, after)
    layout, chain = before, []
    while layout != after:
        target = [after.position(bit) for bit in layout.bits]
        # The highest bit that must rise passes only bits that stay or fall. One of those falls to
        # its place or below: else they would leave no room for it.
        low = max(p for p, goal in enumerate(target) if goal > p)
        high = max(p for p in range(low + 1, target[low] + 1) if target[p] <= low)
        chain.append((low, high))
        layout = layout.exchange(low, high)
    return tuple(chain)

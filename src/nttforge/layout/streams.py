# SPDX-License-Identifier: Apache-2.0
"""Orders of coefficients and of values in a stream."""

from nttforge.layout.layout import Layout, halves, natural


def stream_layout(order: str, depth: int, lane_bits: int, *, coefficients: bool) -> Layout:
    """Layout of a stream of coefficients, or of the transform's values.

    - `order`: `natural`: values come in order, coefficients in halves. `mirrored`: index bits from
      the middle are on time, and where coefficients have bit b on a lane, values have bit depth - 1
      - b. The inverse then is the forward transform with its index bits in reverse, so that its
      stages pair the same lanes; see docs/layouts.md.
    - `depth`, `lane_bits`: log2 of the coefficients, and of the lanes.
    - `coefficients`: or values.
    """
    if order == "natural":
        return (halves if coefficients else natural)(depth, lane_bits)
    time = _mirrored_time(depth, depth - lane_bits)
    lanes = [bit for bit in range(depth) if bit not in time]
    if coefficients:
        return Layout((*lanes, *time), lane_bits)
    # An exchange puts bit b + 1 where bit b was.
    behind = [bit + 1 for bit in time]
    free = [bit for bit in range(depth) if bit not in behind]
    mirrored = [depth - 1 - bit for bit in lanes]
    left = [bit for bit in free if bit not in mirrored]
    return Layout((*(bit if bit in free else left.pop() for bit in mirrored), *behind), lane_bits)


def _mirrored_time(depth: int, count: int) -> list[int]:
    """So many of the index bits 0 ... depth-2, from the middle: with b also depth - 2 - b.

    If that is impossible, one of them is without its mirror image.
    """
    middle = depth - 2
    order = sorted(range(depth - 1), key=lambda bit: (abs(2 * bit - middle), bit))
    if depth % 2 == 0 and count % 2 == 0:
        order.remove(middle // 2)
    return sorted(order[:count])

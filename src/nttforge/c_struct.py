# SPDX-License-Identifier: Apache-2.0
"""Members of C's structs, for ctypes."""

import ctypes
from typing import Any

U32, U64, DOUBLE, INT = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_double, ctypes.c_int
SIZE, POINTER = ctypes.c_size_t, ctypes.c_void_p


def members(*groups: tuple[Any, str]) -> list[tuple[str, Any]]:
    """`_fields_` of a struct: a type, and the names of members of it that follow each other."""
    return [(name, kind) for kind, names in groups for name in names.split()]

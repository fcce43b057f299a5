# SPDX-License-Identifier: Apache-2.0
"""Names that a generated module cannot have: in RTL, in headers and drivers, in a SoC."""

from collections.abc import Iterable
from functools import cache
from pathlib import PurePath

from nttforge.rtl_library import library

# IEEE 1800-2017, annex B.
_KEYWORDS = """
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
    before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle
    checker class clocking cmos config const constraint context continue cover covergroup
    coverpoint cross deassign default defparam design disable dist do edge else end endcase
    endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface
    endmodule endpackage endprimitive endprogram endproperty endspecify endsequence endtable
    endtask enum event eventually expect export extends extern final first_match for force foreach
    forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins
    illegal_bins implements implies import incdir include initial inout input inside instance int
    integer interconnect interface intersect join join_any join_none large let liblist library
    local localparam logic longint macromodule matches medium modport module nand negedge nettype
    new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed
    parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown
    pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real
    realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
    s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal
    showcancelled signed small soft solve specify specparam static string strong strong0 strong1
    struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout
    time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type
    typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual
    void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
"""

# ISO C17 and C++20, but for those above; and what a program and its headers call their own.
_C_WORDS = """
    alignas alignof and_eq asm bitand bitor bool catch char char8_t char16_t char32_t co_await
    co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete
    double dynamic_cast explicit false float friend goto inline int8_t int16_t int32_t int64_t
    intmax_t intptr_t main mutable namespace new noexcept not_eq nullptr operator or_eq private
    ptrdiff_t public register reinterpret_cast requires restrict short size_t sizeof static_assert
    static_cast std switch template thread_local throw true try typeid typename uint8_t uint16_t
    uint32_t uint64_t uintmax_t uintptr_t using volatile wchar_t xor_eq
"""

# A folder of headers is looked up before the system's.
_C_HEADERS = """
    assert complex ctype elf endian errno fcntl features fenv inttypes iso646 limits locale malloc
    math memory poll pthread sched setjmp signal stdalign stdarg stdatomic stdbool stddef stdint
    stdio stdlib stdnoreturn strings termios tgmath threads time uchar unistd wchar wctype
"""

# SystemRDL 2.0, but for those of the others.
_RDL_WORDS = """
    abstract accesstype addressingtype addrmap all bothedge boolean component componentwidth
    compact encode field fullalign hw internal level mem na nonsticky number onreadtype
    onwritetype precedencetype r rclr reg regalign regfile rset ruser rw rw1 sw type w w1 wclr
    woclr woset wot wr wset wuser wzc wzs wzt
"""

_RESERVED = {
    "is a word of SystemVerilog": _KEYWORDS,
    "is a word of C or C++": _C_WORDS,
    "is the name of a system's header": _C_HEADERS,
    "is a word of SystemRDL": _RDL_WORDS,
    "is the name of a SoC's registers": "csr soc",
}
# Of generated parts, beside a design's own.
_OURS = ("nttforge", "ntf_", "soc_")


@cache
def _library_names() -> frozenset[str]:
    """Modules and packages of the RTL library, which has one a file."""
    return frozenset(library())


def reserved_reason(module: str) -> str | None:
    """Why `module` cannot be the name of a generated module, or None if it can."""
    for problem, words in _RESERVED.items():
        if module in words.split():
            return problem
    if module.startswith(_OURS):
        return "begins like the tool's own parts"
    if {module, f"{module}_pkg"} & _library_names():
        return "is the name of a part of the RTL library"
    if module.endswith("_pkg"):
        return "ends like the name of a package"
    return None


def clash(files: Iterable[str]) -> str | None:
    """The first of the generated files whose module is one of the RTL library's, or None."""
    return next((name for name in files if PurePath(name).stem in _library_names()), None)

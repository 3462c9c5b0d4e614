//! Reserved words of Verilog, SystemVerilog, VHDL and C++.
//!
//! Verilog and SystemVerilog keywords, because files get compiled as either;
//! C++ words, because Verilator turns the ports of the top module into
//! members of a class (a port called `set` or `name` does not compile).
use std::collections::HashSet;
use std::sync::LazyLock;

/// IEEE 1364-2005, annex B, and IEEE 1800-2017, annex B.
const VERILOG: &str = "
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
before begin bind bins binsof bit break buf bufif0 bufif1 byte
case casex casez cell chandle checker class clocking cmos config const constraint context continue
cover covergroup coverpoint cross
deassign default defparam design disable dist do
edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup
endinterface endmodule endpackage endprimitive endprogram endproperty endspecify endsequence
endtable endtask enum event eventually expect export extends extern
final first_match for force foreach forever fork forkjoin function
generate genvar global
highz0 highz1
if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input
inside instance int integer interconnect interface intersect
join join_any join_none
large let liblist library local localparam logic longint
macromodule matches medium modport module
nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null
or output
package packed parameter pmos posedge primitive priority program property protected pull0 pull1
pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure
rand randc randcase randsequence rcmos real realtime ref reg reject_on release repeat restrict
return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal
showcancelled signed small soft solve specify specparam static string strong strong0 strong1 struct
super supply0 supply1 sync_accept_on sync_reject_on
table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1
triand trior trireg type typedef
union unique unique0 unsigned until until_with untyped use uwire
var vectored virtual void
wait wait_order wand weak weak0 weak1 while wildcard wire with within wor
xnor xor
";

/// ISO C++23 keywords, alternative operators and words with special meaning,
/// and those of its technical specifications.
const CPP: &str = "
alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto
bitand bitor bool break
case catch char char8_t char16_t char32_t class co_await co_return co_yield compl concept const
const_cast consteval constexpr constinit continue
decltype default delete do double dynamic_cast
else enum explicit export extern
false final float for friend
goto
if import inline int
long
module mutable
namespace new noexcept not not_eq nullptr
operator or or_eq override
private protected public
reflexpr register reinterpret_cast requires return
short signed sizeof static static_assert static_cast struct switch synchronized
template this thread_local throw transaction_safe transaction_safe_dynamic true try typedef typeid
typename
union unsigned using
virtual void volatile
wchar_t while
xor xor_eq
";

/// Names of C++, C and SystemC libraries that Verilator refuses, and macros
/// that its headers bring along.
const LIBRARIES: &str = "
abort bit_vector cdecl complex const_iterator const_reference deque far huge interrupt iterator
list map multimap multiset near null pascal queue reference set stack type_info
uint8_t uint16_t uint32_t uint64_t vector
sc_clock sc_in sc_inout sc_out sc_signal sensitive sensitive_neg sensitive_pos
alloca assert assert_perror be16toh be32toh be64toh errno htobe16 htobe32 htobe64 htole16 htole32
htole64 i386 isinf isnan issubnormal le16toh le32toh le64toh linux main major makedev
math_errhandling max min minor offsetof sched_priority signbit std stderr stdin stdout strdupa
strndupa unix va_arg va_copy va_end va_start
";

/// Members of the class that Verilator makes, and of its bases.
const MODEL: &str = "
atclone eval eval_end_step eval_step eventspending hiername modelname name nexttimeslot
prepareclone rootp trace tracebaseadd tracebasemodelp traceconfig threads vcdp vlsymsp contextp
vlnamep vlsc
";

/// The word is taken, in whatever spelling of upper and lower case.
pub(super) fn is_reserved(word: &str) -> bool {
    static LISTED: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let lists = [VERILOG, CPP, LIBRARIES, MODEL];
        lists.into_iter().flat_map(str::split_whitespace).collect()
    });
    let lower = word.to_ascii_lowercase();
    LISTED.contains(lower.as_str())
        // Prefixes of Verilator's own names.
        || lower.starts_with("vl_")
        || lower.starts_with("verilated")
}

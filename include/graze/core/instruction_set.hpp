// Which vector instructions this machine has, found out at run time.
//
// A function that is compiled for several instruction sets gives the same bits with each: the
// operations are the same IEEE operations, only more of them at a time, and none is fused
// (-ffp-contract=off).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

// Defined where one translation unit can hold functions for several instruction sets.
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define GRAZE_X86_DISPATCH 1
#endif

namespace graze {

enum class InstructionSet : std::uint8_t {
    Portable,  // plain C++ for the machine the library is compiled for
    Avx2,      // four doubles at a time
    Avx512,    // eight doubles at a time (F, DQ and VL)
};

inline constexpr std::array<InstructionSet, 3> kAllInstructionSets = {
    InstructionSet::Portable, InstructionSet::Avx2, InstructionSet::Avx512};

// "portable", "avx2", "avx512".
[[nodiscard]] std::string_view name(InstructionSet set) noexcept;

// Can this machine run it, and does the environment allow it? Portable always. The variable
// GRAZE_INSTRUCTION_SET, read once, names the widest set that is taken: "portable", "avx2" or "avx512".
[[nodiscard]] bool is_available(InstructionSet set) noexcept;

// The widest one that is available; found out once.
[[nodiscard]] InstructionSet best_instruction_set() noexcept;

}  // namespace graze

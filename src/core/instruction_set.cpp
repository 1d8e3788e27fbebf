#include "graze/core/instruction_set.hpp"

#include <cstdlib>

namespace graze {
namespace {

// What the environment allows; everything where it names no set.
InstructionSet largest_allowed() noexcept {
    static const InstructionSet largest = [] {
        const char* const text = std::getenv("GRAZE_INSTRUCTION_SET");
        for (const InstructionSet set : kAllInstructionSets) {
            if (text != nullptr && name(set) == text) return set;
        }
        return InstructionSet::Avx512;
    }();
    return largest;
}

}  // namespace

std::string_view name(InstructionSet set) noexcept {
    switch (set) {
        case InstructionSet::Portable:
            return "portable";
        case InstructionSet::Avx2:
            return "avx2";
        case InstructionSet::Avx512:
            return "avx512";
    }
    return "?";
}

bool is_available(InstructionSet set) noexcept {
    if (set == InstructionSet::Portable) return true;
    if (set > largest_allowed()) return false;
#ifdef GRAZE_X86_DISPATCH
    if (set == InstructionSet::Avx2) return __builtin_cpu_supports("avx2") != 0;
    if (set == InstructionSet::Avx512) {
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
               __builtin_cpu_supports("avx512vl") != 0;
    }
#endif
    return false;
}

InstructionSet best_instruction_set() noexcept {
    static const InstructionSet best = [] {
        for (const InstructionSet set : {InstructionSet::Avx512, InstructionSet::Avx2}) {
            if (is_available(set)) return set;
        }
        return InstructionSet::Portable;
    }();
    return best;
}

}  // namespace graze

#include "narrow/certified/fast_tiers.hpp"

#ifdef GRAZE_X86_DISPATCH
#include <immintrin.h>
#endif

// One pass for each instruction set, as in fast_tiers.cpp. Plain C++ would gain nothing for many queries: it
// is what one query is asked with.
#include "narrow/certified/tiers/several-inl.hpp"

#ifdef GRAZE_X86_DISPATCH
#define GRAZE_TIERS_TOGGLE
#define GRAZE_TIERS_AVX2
#include "narrow/certified/tiers/several-inl.hpp"
#undef GRAZE_TIERS_AVX2

#undef GRAZE_TIERS_TOGGLE
#define GRAZE_TIERS_AVX512
#include "narrow/certified/tiers/several-inl.hpp"
#endif

namespace graze::certified {

template <class Motion>
SeparatedBatch<Motion> separated_batch(InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set == InstructionSet::Avx512 && is_available(InstructionSet::Avx512))
        return &avx512::separated_of<Motion>;
    if (set != InstructionSet::Portable && is_available(InstructionSet::Avx2))
        return &avx2::separated_of<Motion>;
#endif
    static_cast<void>(set);
    return nullptr;
}

template <class Motion>
bool is_separated_alone(const Motion& motion, const FastSeparationOptions& options) noexcept {
    return portable::is_separated_alone(motion, options);
}

template bool is_separated_alone(const VertexFaceMotion&, const FastSeparationOptions&) noexcept;
template bool is_separated_alone(const EdgeEdgeMotion&, const FastSeparationOptions&) noexcept;
template SeparatedBatch<VertexFaceMotion> separated_batch<VertexFaceMotion>(
    InstructionSet) noexcept;
template SeparatedBatch<EdgeEdgeMotion> separated_batch<EdgeEdgeMotion>(InstructionSet) noexcept;

}  // namespace graze::certified

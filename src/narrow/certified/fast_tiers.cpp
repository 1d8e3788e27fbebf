#include "narrow/certified/fast_tiers.hpp"

#ifdef GRAZE_X86_DISPATCH
#include <immintrin.h>
#endif

// One pass over the tiers for each instruction set: the first is plain C++, in namespace portable.
#include "narrow/certified/tiers/cascade-inl.hpp"
#include "narrow/certified/tiers/separation-inl.hpp"

#ifdef GRAZE_X86_DISPATCH
#define GRAZE_TIERS_TOGGLE
#define GRAZE_TIERS_AVX2
#include "narrow/certified/tiers/cascade-inl.hpp"
#include "narrow/certified/tiers/separation-inl.hpp"
#endif

namespace graze::certified {

template <class Motion>
FastFunction<Motion> fast_tiers(InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set != InstructionSet::Portable && is_available(InstructionSet::Avx2))
        return &avx2::answer<Motion>;
#endif
    static_cast<void>(set);
    return &portable::answer<Motion>;
}

template <class Motion>
FastSeparation<Motion> fast_separation(InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set != InstructionSet::Portable && is_available(InstructionSet::Avx2)) {
        return &avx2::separation_answer<Motion>;
    }
#endif
    static_cast<void>(set);
    return &portable::separation_answer<Motion>;
}

template <class Motion>
FastDistance<Motion> fast_distance(InstructionSet set) noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (set != InstructionSet::Portable && is_available(InstructionSet::Avx2)) {
        return &avx2::start_distance_lower<Motion>;
    }
#endif
    static_cast<void>(set);
    return &portable::start_distance_lower<Motion>;
}

template FastFunction<VertexFaceMotion> fast_tiers<VertexFaceMotion>(InstructionSet) noexcept;
template FastFunction<EdgeEdgeMotion> fast_tiers<EdgeEdgeMotion>(InstructionSet) noexcept;
template FastFunction<VertexVertexMotion> fast_tiers<VertexVertexMotion>(InstructionSet) noexcept;
template FastFunction<VertexEdgeMotion> fast_tiers<VertexEdgeMotion>(InstructionSet) noexcept;
template FastSeparation<VertexFaceMotion> fast_separation<VertexFaceMotion>(
    InstructionSet) noexcept;
template FastSeparation<EdgeEdgeMotion> fast_separation<EdgeEdgeMotion>(InstructionSet) noexcept;
template FastSeparation<VertexVertexMotion> fast_separation<VertexVertexMotion>(
    InstructionSet) noexcept;
template FastSeparation<VertexEdgeMotion> fast_separation<VertexEdgeMotion>(
    InstructionSet) noexcept;
template FastDistance<VertexFaceMotion> fast_distance<VertexFaceMotion>(InstructionSet) noexcept;
template FastDistance<EdgeEdgeMotion> fast_distance<EdgeEdgeMotion>(InstructionSet) noexcept;
template FastDistance<VertexVertexMotion> fast_distance<VertexVertexMotion>(
    InstructionSet) noexcept;
template FastDistance<VertexEdgeMotion> fast_distance<VertexEdgeMotion>(InstructionSet) noexcept;

}  // namespace graze::certified

// Prints a hash of the answers to generated queries, bit by bit: the same however it is compiled.
// Defends G-ALL-4 (docs/GUARANTEES.md).
#include <bit>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <graze/graze.hpp>
#include <type_traits>
#include <vector>

namespace {

std::uint64_t state = 1;

// Integers only (SplitMix64), so that the queries do not depend on the flags.
std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

// A double in [1, 2) with a few or all bits, and now and then a subnormal one.
double coordinate() {
    const std::uint64_t r = next();
    if (r % 64 == 0) return std::bit_cast<double>(r >> 40);
    const std::uint64_t bits = r % 3 == 0 ? (r >> 12) & ~0x1ffffffffffffU : r >> 12;
    return std::bit_cast<double>(0x3ff0000000000000U | bits);
}

std::uint64_t hash = 0xcbf29ce484222325U;
int contacts = 0;

void add(std::uint64_t bits) {
    hash = (hash ^ bits) * 0x100000001b3U;
}

void add(const graze::CcdResult& result) {
    contacts += result.verdict == graze::Verdict::Contact ? 1 : 0;
    add(static_cast<std::uint64_t>(result.verdict));
    add(std::bit_cast<std::uint64_t>(result.toi_lower));
    add(std::bit_cast<std::uint64_t>(result.toi_upper));
    add(std::bit_cast<std::uint64_t>(result.tolerance));
}

template <class Motion>
bool ask(int count) {
    std::vector<Motion> motions(static_cast<std::size_t>(count));
    for (Motion& motion : motions) {
        std::array<double, 6 * Motion::kVertices> numbers;
        for (double& x : numbers)
            x = coordinate();
        motion = std::bit_cast<Motion>(numbers);
    }
    std::vector<graze::CcdResult> results(motions.size());
    if (!graze::ccd(motions, results)) return false;
    for (std::size_t i = 0; i < motions.size(); ++i) {
        add(results[i]);
        add(graze::ccd(motions[i]));
        add(graze::ccd(motions[i], {.min_separation = 0x1p-6}));
    }
    return true;
}

}  // namespace

int main() {
    const bool asked = ask<graze::VertexFaceMotion>(200) && ask<graze::EdgeEdgeMotion>(200) &&
                       ask<graze::VertexVertexMotion>(50) && ask<graze::VertexEdgeMotion>(50);
    std::printf("%016" PRIx64 " of %d contacts\n", hash, contacts);
    return asked && contacts > 100 ? 0 : 1;
}

#include "graze/generate/numbered.hpp"

#include "graze/core/power_of_two.hpp"

namespace graze::generate {
namespace {

double placed(double x, const Placement& placement) noexcept {
    const double y = scaled(x, placement.scale);
    return placement.shift == 0.0 ? y : y + placement.shift;  // -0 + 0 would lose a sign
}

Vec3 placed(const Vec3& p, const Placement& placement) noexcept {
    return {placed(p.x, placement), placed(p.y, placement), placed(p.z, placement)};
}

}  // namespace

NumberedQuery numbered_query(std::uint64_t n, std::span<const Family> families,
                             std::span<const QueryKind> kinds) {
    return {families[n % families.size()], kinds[n / families.size() % kinds.size()],
            n / (families.size() * kinds.size())};
}

io::QueryRecord placed(const io::QueryRecord& record, QueryKind kind,
                       const Placement& placement) noexcept {
    io::QueryRecord result;
    for (std::size_t c = 0; c < vertex_count(kind); ++c) {
        result.corners[c] = {placed(record.corners[c].start, placement),
                             placed(record.corners[c].end, placement)};
    }
    return result;
}

}  // namespace graze::generate

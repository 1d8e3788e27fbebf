// Numbered queries of all families, and queries scaled and shifted.
#pragma once

#include <cstdint>
#include <span>

#include "graze/generate/families.hpp"

namespace graze::generate {

// Query number n of the endless list that alternates between families and kinds.
struct NumberedQuery {
    Family family;
    QueryKind kind;
    std::uint64_t seed;
};
// Requires: neither list is empty.
[[nodiscard]] NumberedQuery numbered_query(std::uint64_t n, std::span<const Family> families,
                                           std::span<const QueryKind> kinds);

// Every coordinate times 2^scale, then plus shift, each rounded to nearest: another query.
struct Placement {
    int scale = 0;
    double shift = 0.0;

    friend constexpr bool operator==(const Placement&, const Placement&) noexcept = default;
};
// Without the truth that the record may carry, since that is of the old query. The identity changes
// no bit.
[[nodiscard]] io::QueryRecord placed(const io::QueryRecord& record, QueryKind kind,
                                     const Placement& placement) noexcept;

}  // namespace graze::generate

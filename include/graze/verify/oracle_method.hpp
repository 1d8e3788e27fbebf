// The exact oracle as a method, so that the tool can run it beside the others.
#pragma once

#include "graze/io/query_file.hpp"
#include "graze/narrow/method.hpp"
#include "graze/oracle/oracle.hpp"

namespace graze::verify {

// The same query in the oracle's own types, bit for bit.
[[nodiscard]] oracle::Query oracle_query(const io::QueryRecord& record, QueryKind kind) noexcept;
[[nodiscard]] oracle::Norm oracle_norm(Norm norm) noexcept;

// The result for [0, t_max] that follows from the ground truth over the whole step.
// Guarantee: exact for every t_max in [0, 1]. Unresolved iff the truth is Invalid.
[[nodiscard]] CcdResult result_up_to(const oracle::Truth& truth, double t_max) noexcept;

// Guarantee: everything. [toi_lower, toi_upper] are neighbouring doubles around the exact first
// time, or equal, whatever the requested time width; one query is one check. Unresolved only where a
// coordinate is not finite or memory runs out.
// Cost: tens of microseconds to milliseconds a query.
[[nodiscard]] Method make_oracle() noexcept;

}  // namespace graze::verify

// What the timings of a list say, as text and as JSON, and whether its methods agree.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "list_timing.hpp"
#include "tier_times.hpp"

namespace graze::bench {

// How often verdict i of one met verdict j of the other; in the order of the enumeration.
struct Agreement {
    std::string a;
    std::string b;
    std::array<std::array<std::uint64_t, 3>, 3> counts{};
    // Queries in which one has proved separation and the other has proved contact, as both declare:
    // one of the two proofs is wrong.
    std::uint64_t contradictions = 0;
};

struct ListReport {
    std::string name;
    QueryKind kind = QueryKind::VertexFace;
    std::uint64_t available = 0;            // queries in the whole list
    std::uint64_t asked = 0;                // what --limit leaves of them
    std::optional<double> build_seconds{};  // of the list of pairs
    StreamTime gathering{};                 // alone
    StreamTime asking{};                    // a whole pass, with a method that does nothing
    std::vector<MethodTiming> methods{};    // their verdicts are dropped once compared
    std::vector<Agreement> agreements{};
    std::optional<TierTimes> tiers{};  // of `certified`, where asked for
};

// Every method with every other, and with the truths where there are any: contact or separated, and
// unresolved where a query has none. Then drops the verdicts, a byte a query and method.
void compare_methods(ListReport& report, const std::vector<Verdict>& truths);
[[nodiscard]] std::uint64_t contradictions(const ListReport& report);

[[nodiscard]] std::string report_text(const ListReport& report);
[[nodiscard]] app::Json report_json(const ListReport& report);

}  // namespace graze::bench

// What a method's declaration means for one answer, given the exact ones. Needs the modules core and
// narrow alone, so that tests and fuzzers can use it without the tool.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graze/core/rounding.hpp"
#include "graze/narrow/method.hpp"

namespace graze::verify {

enum class Claim : std::uint8_t {
    // The first seven are declared in a Guarantee. What it declares of scale is about two answers, and
    // held by tests/property.
    NoFalseNegatives,
    NoFalsePositives,
    ProvedToiLower,
    ProvedToiUpper,
    ProvedTolerance,
    ProgressWhenApart,
    AlwaysResolves,
    // These hold for every method.
    NumbersInRange,
    InfiniteWhenSeparated,
    UnresolvedWhenNotFinite,
};

inline constexpr std::array<Claim, 10> kAllClaims = {
    Claim::NoFalseNegatives,       Claim::NoFalsePositives, Claim::ProvedToiLower,
    Claim::ProvedToiUpper,         Claim::ProvedTolerance,  Claim::ProgressWhenApart,
    Claim::AlwaysResolves,         Claim::NumbersInRange,   Claim::InfiniteWhenSeparated,
    Claim::UnresolvedWhenNotFinite};

[[nodiscard]] constexpr std::size_t index_of(Claim claim) noexcept {
    return static_cast<std::size_t>(claim);
}

// "no_false_negatives": the names of Guarantee and of result files.
[[nodiscard]] constexpr std::string_view name(Claim claim) noexcept {
    constexpr std::array<std::string_view, kAllClaims.size()> kNames = {
        "no_false_negatives",        "no_false_positives", "proved_toi_lower",
        "proved_toi_upper",          "proved_tolerance",   "progress_when_apart",
        "always_resolves",           "numbers_in_range",   "infinite_when_separated",
        "unresolved_when_not_finite"};
    return kNames[index_of(claim)];
}

// What has happened where it is broken.
[[nodiscard]] constexpr std::string_view breach_of(Claim claim) noexcept {
    constexpr std::array<std::string_view, kAllClaims.size()> kBreaches = {
        "a contact is called separated",
        "a miss is called contact",
        "toi_lower lies after the first contact",
        "toi_upper lies before the first contact",
        "the primitives do not come as near as the tolerance says",
        "no progress, though the start is separated",
        "the query is unresolved",
        "a time or the tolerance is negative or NaN",
        "separated with a finite time or tolerance",
        "a query that is not finite is answered"};
    return kBreaches[index_of(claim)];
}

class ClaimSet {
public:
    constexpr ClaimSet() = default;
    void add_if(bool condition, Claim claim) {
        if (condition) bits_.set(index_of(claim));
    }
    [[nodiscard]] bool has(Claim claim) const { return bits_.test(index_of(claim)); }
    [[nodiscard]] bool empty() const noexcept { return bits_.none(); }
    // The first in the order of the enumeration.
    [[nodiscard]] std::optional<Claim> first() const {
        for (const Claim claim : kAllClaims) {
            if (has(claim)) return claim;
        }
        return std::nullopt;
    }
    friend ClaimSet operator&(ClaimSet a, const ClaimSet& b) noexcept {
        a.bits_ &= b.bits_;
        return a;
    }
    friend bool operator==(const ClaimSet&, const ClaimSet&) noexcept = default;

private:
    std::bitset<kAllClaims.size()> bits_;
};

[[nodiscard]] inline ClaimSet claims_of(const Guarantee& guarantee) {
    ClaimSet set;
    set.add_if(guarantee.no_false_negatives, Claim::NoFalseNegatives);
    set.add_if(guarantee.no_false_positives, Claim::NoFalsePositives);
    set.add_if(guarantee.proved_toi_lower, Claim::ProvedToiLower);
    set.add_if(guarantee.proved_toi_upper, Claim::ProvedToiUpper);
    set.add_if(guarantee.proved_tolerance, Claim::ProvedTolerance);
    set.add_if(guarantee.progress_when_separated, Claim::ProgressWhenApart);
    set.add_if(guarantee.always_resolves, Claim::AlwaysResolves);
    set.add_if(true, Claim::NumbersInRange);
    set.add_if(true, Claim::InfiniteWhenSeparated);
    set.add_if(true, Claim::UnresolvedWhenNotFinite);
    return set;
}

// What must be asked to verify the tolerance of an answer: contact within RU(d + tolerance) in the
// max-norm, in the same [0, t_max]. Nothing where the answer follows without it:
//   the tolerance is infinite (no claim), negative or NaN (broken in any case);
//   the truth is contact, since then |x|_max <= |x| <= d <= d + tolerance at some time;
//   d + tolerance is above the largest double: no exact answer can be asked for, nor denied.
[[nodiscard]] inline std::optional<CcdOptions> tolerance_question(const CcdOptions& options,
                                                                  const CcdResult& truth,
                                                                  const CcdResult& found) {
    if (truth.verdict != Verdict::Separated || !(found.tolerance >= 0.0)) return std::nullopt;
    const double reach = add_up(options.min_separation, found.tolerance);
    if (!(reach < kInfinity)) return std::nullopt;
    CcdOptions question = options;
    question.min_separation = reach;
    question.norm = Norm::Max;
    return question;
}

struct ExactAnswers {
    // To the query as it was asked; Unresolved where that is not finite.
    CcdResult truth;
    // To tolerance_question(), where there is one.
    std::optional<CcdResult> at_tolerance;
};

// Every claim that `found` would break, whether it was made or not.
//   The exact [toi_lower, toi_upper] are equal or neighbouring doubles around the first time e, so
//   a double x satisfies x <= e iff x <= truth.toi_lower, and x >= e iff x >= truth.toi_upper.
// Comparisons are written so that NaN breaks the claim; so does a question that nobody asked.
[[nodiscard]] inline ClaimSet faults_of(const CcdOptions& options, const ExactAnswers& exact,
                                        const CcdResult& found) {
    const CcdResult& truth = exact.truth;
    const bool touches = truth.verdict == Verdict::Contact;
    ClaimSet faults;
    if (truth.verdict == Verdict::Unresolved) {
        faults.add_if(!(found == CcdResult{}), Claim::UnresolvedWhenNotFinite);
        return faults;
    }
    const bool comes_near = !tolerance_question(options, truth, found) ||
                            (exact.at_tolerance && exact.at_tolerance->verdict == Verdict::Contact);
    const bool all_infinite = found.toi_lower == kInfinity && found.toi_upper == kInfinity &&
                              found.tolerance == kInfinity;
    const bool is_separated = found.verdict == Verdict::Separated;
    faults.add_if(touches && is_separated, Claim::NoFalseNegatives);
    faults.add_if(!touches && found.verdict == Verdict::Contact, Claim::NoFalsePositives);
    faults.add_if(touches && !(found.toi_lower <= truth.toi_lower), Claim::ProvedToiLower);
    faults.add_if(!(found.toi_upper >= truth.toi_upper), Claim::ProvedToiUpper);
    faults.add_if(!comes_near, Claim::ProvedTolerance);
    faults.add_if(truth.toi_lower > 0.0 && !(found.toi_lower > 0.0), Claim::ProgressWhenApart);
    faults.add_if(found.verdict == Verdict::Unresolved, Claim::AlwaysResolves);
    faults.add_if(!(found.toi_lower >= 0.0 && found.toi_upper >= 0.0 && found.tolerance >= 0.0),
                  Claim::NumbersInRange);
    faults.add_if(is_separated && !all_infinite, Claim::InfiniteWhenSeparated);
    return faults;
}

// Those of them that the method made.
[[nodiscard]] inline ClaimSet broken_claims(const Guarantee& guarantee, const CcdOptions& options,
                                            const ExactAnswers& exact, const CcdResult& found) {
    return claims_of(guarantee_for(guarantee, options)) & faults_of(options, exact, found);
}

}  // namespace graze::verify

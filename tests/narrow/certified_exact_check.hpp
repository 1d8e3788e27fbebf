// What exact_first_contact guarantees, held against the oracle: shared by its tests.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "graze/io/hex_float.hpp"
#include "graze/verify/oracle_method.hpp"
#include "narrow/certified/exact_contact.hpp"

namespace graze {

using certified::ExactContact;
using io::QueryRecord;

inline ExactContact exact_contact(const QueryRecord& record, QueryKind kind, double t_max,
                                  double width) {
    const auto ask = [&]<class Motion>(std::type_identity<Motion>) {
        return certified::exact_first_contact(io::motion_of<Motion>(record), t_max, width);
    };
    return visit(kind, ask);
}

inline oracle::Truth truth_of(const QueryRecord& record, QueryKind kind) {
    return oracle::first_contact(verify::oracle_query(record, kind));
}

// All that exact_first_contact guarantees. The truth [L, U] is the exact time, or the neighbouring
// doubles around it: a double is <= the exact time iff it is <= L, and >= it iff it is >= U.
inline void expect_guarantee(const ExactContact& found, const oracle::Truth& truth, double t_max,
                             double width) {
    const bool contact = truth.state == oracle::State::Contact && truth.toi_upper <= t_max;
    ASSERT_NE(truth.state, oracle::State::Invalid);
    ASSERT_EQ(found.contact, contact) << "t_max " << t_max;
    if (!contact) {
        EXPECT_EQ(found, (ExactContact{false, kInfinity, kInfinity}));
        return;
    }
    EXPECT_LE(found.lower, truth.toi_lower);
    EXPECT_GE(found.upper, truth.toi_upper);
    EXPECT_LE(found.upper, t_max);
    EXPECT_EQ(found.lower > 0.0, truth.toi_lower > 0.0);
    EXPECT_TRUE(found.lower < found.upper || truth.toi_lower == truth.toi_upper);
    EXPECT_EQ(found.upper > 0.0, truth.toi_upper > 0.0);
    const bool neighbours = std::nextafter(found.lower, 2.0) >= found.upper;
    EXPECT_TRUE(neighbours || found.upper - found.lower <= width);
    // Halving down to neighbouring doubles meets every double on the way.
    if (width == 0.0) {
        EXPECT_EQ(found.lower, truth.toi_lower);
        EXPECT_EQ(found.upper, truth.toi_upper);
    }
}

// Ends of the step at which the verdict turns, and others.
inline std::vector<double> interesting_ends(const oracle::Truth& truth, std::mt19937_64& rng) {
    std::vector<double> ends = {1.0, 0.5, 0.0, std::uniform_real_distribution<>(0.0, 1.0)(rng)};
    if (truth.state != oracle::State::Contact) return ends;
    for (const double t : {truth.toi_lower, truth.toi_upper}) {
        for (const double end : {std::nextafter(t, -1.0), t, std::nextafter(t, 2.0)}) {
            if (end >= 0.0 && end <= 1.0) ends.push_back(end);
        }
    }
    return ends;
}

inline void expect_exact(const QueryRecord& record, QueryKind kind, std::mt19937_64& rng) {
    SCOPED_TRACE(std::string(short_name(kind)) + "\n" + io::to_hex(record, kind));
    const oracle::Truth truth = truth_of(record, kind);
    for (const double t_max : interesting_ends(truth, rng)) {
        for (const double width : {0.0, 1e-9, 1.0}) {
            expect_guarantee(exact_contact(record, kind, t_max, width), truth, t_max, width);
        }
    }
}

}  // namespace graze

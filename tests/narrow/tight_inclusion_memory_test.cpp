// What `tight-inclusion` takes and keeps of memory, and what it does without.
// Defends G-TIGHT-5 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <thread>

#include "graze/narrow/tight_inclusion.hpp"
#include "narrow/counting_new.hpp"

namespace graze {
namespace {

using test::AllocationFailure;
using test::memory;
using test::Memory;
using test::watch_memory;

// A motion whose boxes nearly all survive, so that levels double: along y and z, F is far within
// the filter, along x it comes into the filter soon after the start. The first box of a level is
// always the one on the filter's edge, so that none is accepted before doubles end.
struct Filling {
    TightInclusionOptions options;
    Vec3 origin;
    double epsilon = 0.0;  // the filter on each axis
};

Filling filling(InclusionFilter filter) {
    Filling fill;
    fill.options.filter = filter;
    fill.options.query.distance_tolerance = 0x1p-1074;
    if (filter == InclusionFilter::Tight) {
        // 8u times three times the scene's side.
        constexpr double kSide = 0x1p+50;
        fill.options.scene =
            SceneBounds{{-kSide / 2, -kSide / 2, -kSide / 2}, {kSide / 2, kSide / 2, kSide / 2}};
        fill.epsilon = 8 * 0x1p-53 * 3 * kSide;
    } else {
        // 60u times the cube of the largest coordinate.
        fill.origin = {1024.0, 1024.0, 1024.0};
        fill.epsilon = 60 * 0x1p-53 * 0x1p+30;
    }
    return fill;
}

MovingPoint rest_at(const Vec3& at) {
    return {at, at};
}

// F along x, from a little above the filter to below zero; along y and z a tenth of the filter.
struct FillingPoints {
    MovingPoint moving;
    MovingPoint moving_beside;
    MovingPoint resting;
    MovingPoint resting_y;
    MovingPoint resting_z;
};
FillingPoints points_of(const Filling& fill) {
    const Vec3& o = fill.origin;
    const double e = fill.epsilon;
    const auto at = [&](double x, double y, double z) {
        return Vec3{o.x + x * e, o.y + y * e, o.z + z * e};
    };
    return {{at(1.015, 0, 0), at(-0.485, 0, 0)},
            {at(1.015, 0.1, 0), at(-0.485, 0.1, 0)},
            rest_at(o),
            rest_at(at(0, 0.1, 0)),
            rest_at(at(0, 0, 0.1))};
}

CcdResult ask(QueryKind kind, const Filling& fill) {
    const FillingPoints p = points_of(fill);
    switch (kind) {
        case QueryKind::VertexFace:
            return tight_inclusion(
                VertexFaceMotion{p.moving, {p.resting, p.resting_y, p.resting_z}}, fill.options);
        case QueryKind::EdgeEdge:
            return tight_inclusion(
                EdgeEdgeMotion{{p.moving, p.moving_beside}, {p.resting, p.resting_z}},
                fill.options);
        case QueryKind::VertexVertex:
            return tight_inclusion(VertexVertexMotion{p.moving, p.resting}, fill.options);
        case QueryKind::VertexEdge:
            break;
    }
    return tight_inclusion(VertexEdgeMotion{p.moving, {p.resting, p.resting_y}}, fill.options);
}

constexpr std::array<InclusionFilter, 2> kBothFilters = {InclusionFilter::Tight,
                                                         InclusionFilter::Paper};

// Runs in a thread of its own, whose workspaces are new.
template <class Action>
void in_new_thread(const Action& action) {
    std::thread(action).join();
}

// --- While a query runs
// ---------------------------------------------------------------------------

std::size_t peak_of(QueryKind kind, const Filling& fill) {
    std::size_t peak = 0;
    in_new_thread([&] {
        watch_memory();
        const std::size_t before = memory().held;
        static_cast<void>(ask(kind, fill));
        peak = memory().peak - before;
    });
    return peak;
}

TEST(TightInclusionMemory, NoQueryHoldsMoreThanTheStatedBytes) {
    std::size_t level_by_level = 0;
    std::size_t parked = 0;
    for (const InclusionFilter filter : kBothFilters) {
        for (const QueryKind kind : kAllQueryKinds) {
            Filling fill = filling(filter);
            for (const std::uint64_t max_checks : {1'000'000U, 1U << 20U}) {
                fill.options.query.max_checks = max_checks;
                level_by_level = std::max(level_by_level, peak_of(kind, fill));
            }
            // Enough to come down to the last level once.
            fill.options.query.max_checks = 8'000'000;
            parked = std::max(parked, peak_of(kind, fill));
        }
    }
    std::printf("peak: %zu bytes level by level, %zu bytes with parked levels, stated %zu\n",
                level_by_level, parked, kTightInclusionMaxBytes);
    EXPECT_LE(level_by_level, kTightInclusionMaxBytes);
    EXPECT_LE(parked, kTightInclusionMaxBytes);
    // The attack fills levels: 40 bytes for each of 2^19 boxes, and most of the levels that there
    // are.
    EXPECT_GT(level_by_level, (std::size_t{1} << 19U) * 40);
    EXPECT_GT(parked, kTightInclusionMaxBytes / 2);
}

// --- From query to query
// --------------------------------------------------------------------------

// Every kind and both filters in one thread, with levels up to what is kept and above.
TEST(TightInclusionMemory, AThreadKeepsNoMoreThanTheStatedBytes) {
    std::size_t most = 0;
    in_new_thread([&] {
        const std::size_t before = memory().held;
        for (const std::uint64_t max_checks : {1'000U, 10'000U, 20'000U, 40'000U, 100'000U, 10U}) {
            for (const InclusionFilter filter : kBothFilters) {
                Filling fill = filling(filter);
                fill.options.query.max_checks = max_checks;
                for (const QueryKind kind : kAllQueryKinds) {
                    static_cast<void>(ask(kind, fill));
                    most = std::max(most, memory().held - before);
                }
            }
        }
    });
    std::printf("kept by a thread: %zu bytes, stated %zu\n", most, kTightInclusionKeptBytes);
    EXPECT_LE(most, kTightInclusionKeptBytes);
    EXPECT_GT(most, kTightInclusionKeptBytes / 8);
}

TEST(TightInclusionMemory, ASmallQueryAllocatesNothingTheSecondTime) {
    for (const InclusionFilter filter : kBothFilters) {
        Filling fill = filling(filter);
        fill.options.query.max_checks = 1000;
        for (const QueryKind kind : kAllQueryKinds) {
            const CcdResult first = ask(kind, fill);
            watch_memory();
            const CcdResult second = ask(kind, fill);
            EXPECT_EQ(memory().allocations, 0U);
            EXPECT_EQ(first, second);
        }
    }
}

TEST(TightInclusionMemory, AThreadThatEndsGivesEverythingBack) {
    const std::size_t before = memory().held;
    in_new_thread([] {
        for (const InclusionFilter filter : kBothFilters) {
            for (const QueryKind kind : kAllQueryKinds)
                static_cast<void>(ask(kind, filling(filter)));
        }
    });
    EXPECT_EQ(memory().held, before);
}

// --- Without memory
// -------------------------------------------------------------------------------

// A query that may allocate `count` times, and then the same query again with all the memory.
struct Starved {
    CcdResult without;
    CcdResult again;
    std::size_t left_behind = 0;
};
Starved starve(QueryKind kind, const Filling& fill, std::size_t count) {
    Starved outcome;
    in_new_thread([&] {
        const std::size_t before = memory().held;
        {
            const AllocationFailure failure(count);
            outcome.without = ask(kind, fill);
        }
        outcome.again = ask(kind, fill);
        outcome.left_behind = memory().held - before;
    });
    return outcome;
}

// Fails at the first allocation, then `step` allocations later, and so on until the query gets all
// that it needs.
void expect_closed_failure(QueryKind kind, const Filling& fill, std::size_t step) {
    const CcdResult whole = ask(kind, fill);
    std::size_t count = 0;
    for (;; count += step) {
        SCOPED_TRACE(count);
        const Starved outcome = starve(kind, fill, count);
        EXPECT_EQ(outcome.again, whole);
        EXPECT_LE(outcome.left_behind, kTightInclusionKeptBytes);
        if (outcome.without == whole) break;
        EXPECT_EQ(outcome.without, CcdResult{});
    }
    EXPECT_GT(count, 6U) << "levels of three arrays and two marks: more allocations than these";
}

TEST(TightInclusionMemory, WithoutMemoryItIsUnresolvedAndTheNextQueryIsAnsweredAsEver) {
    for (const InclusionFilter filter : kBothFilters) {
        Filling fill = filling(filter);
        for (const QueryKind kind : {QueryKind::EdgeEdge, QueryKind::VertexVertex}) {
            fill.options.query.max_checks = 50'000;
            expect_closed_failure(kind, fill, 1);
        }
        // With parked levels.
        fill.options.query.max_checks = (1U << 20U) + 2;
        expect_closed_failure(QueryKind::EdgeEdge, fill, 13);
    }
}

}  // namespace
}  // namespace graze

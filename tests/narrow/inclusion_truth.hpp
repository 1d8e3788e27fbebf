// What `tight-inclusion` promises, held against the oracle, query by query.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/exact_reference.hpp"
#include "graze/core/rounding.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/narrow/start_separation.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "graze/oracle/oracle.hpp"

namespace graze::testing {

inline constexpr std::array<InclusionFilter, 2> kBothFilters = {InclusionFilter::Tight,
                                                                InclusionFilter::Paper};
[[nodiscard]] inline const char* name(InclusionFilter filter) {
    return filter == InclusionFilter::Tight ? "ours" : "paper";
}

// One query.
struct Question {
    QueryKind kind = QueryKind::VertexFace;
    io::QueryRecord record;
};

template <class Answer>
[[nodiscard]] auto with_motion(const Question& question, const Answer& answer) {
    return visit(question.kind, [&]<class Motion>(std::type_identity<Motion>) {
        return answer(io::motion_of<Motion>(question.record));
    });
}
[[nodiscard]] inline CcdResult ask(const Question& question, const TightInclusionOptions& options) {
    return with_motion(question,
                       [&](const auto& motion) { return tight_inclusion(motion, options); });
}
[[nodiscard]] inline std::string to_text(const Question& question) {
    return std::string(short_name(question.kind)) + "\n" +
           io::to_hex(question.record, question.kind);
}

[[nodiscard]] inline oracle::Query oracle_query(const Question& question) {
    oracle::Query query;
    switch (question.kind) {
        case QueryKind::VertexFace:
            query.kind = oracle::Kind::VertexFace;
            break;
        case QueryKind::EdgeEdge:
            query.kind = oracle::Kind::EdgeEdge;
            break;
        case QueryKind::VertexVertex:
            query.kind = oracle::Kind::VertexVertex;
            break;
        case QueryKind::VertexEdge:
            query.kind = oracle::Kind::VertexEdge;
            break;
    }
    for (std::size_t c = 0; c < vertex_count(question.kind); ++c) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            query.start[c][axis] = question.record.corners[c].start[axis];
            query.end[c][axis] = question.record.corners[c].end[axis];
        }
    }
    return query;
}

// The exact first time in [0, 1] that the max-norm distance is <= d.
[[nodiscard]] inline oracle::Truth truth_within(const Question& question, double d) {
    const oracle::Query query = oracle_query(question);
    return d == 0.0 ? oracle::first_contact(query)
                    : oracle::first_within(query, d, oracle::Norm::Max);
}
// Is that time <= t_max? The bracket holds no double but its ends, so that its upper end decides.
[[nodiscard]] inline bool happens_by(const oracle::Truth& truth, double t_max) {
    return truth.state == oracle::State::Contact && truth.toi_upper <= t_max;
}

// The distance comes down to d + tolerance somewhere in [0, t_max]: true, or too large to ask.
[[nodiscard]] inline bool tolerance_is_true(const Question& question, const CcdOptions& options,
                                            double tolerance) {
    const double reach = add_up(options.min_separation, tolerance);
    return reach == kInfinity || happens_by(truth_within(question, reach), options.t_max);
}

// Everything that is promised of an answer, for the truth of the same query and separation.
inline void expect_sound(const Question& question, const TightInclusionOptions& options,
                         const oracle::Truth& truth, const CcdResult& found) {
    const CcdOptions& query = options.query;
    const bool touches = happens_by(truth, query.t_max);
    EXPECT_LE(found.checks, query.max_checks);
    EXPECT_EQ(found.toi_upper, kInfinity);
    EXPECT_GE(found.toi_lower, 0.0);
    if (found.verdict == Verdict::Separated) {
        EXPECT_FALSE(touches) << "false negative";
        EXPECT_EQ(found, separated(found.checks));
        return;
    }
    ASSERT_EQ(found.verdict, Verdict::Contact);
    EXPECT_GE(found.tolerance, 0.0);
    EXPECT_LE(found.toi_lower, query.t_max);
    if (touches) {
        EXPECT_LE(found.toi_lower, truth.toi_lower) << "contact before toi_lower";
    } else {
        EXPECT_TRUE(tolerance_is_true(question, query, found.tolerance))
            << "never as near as " << exact::hex(found.tolerance);
    }
    if (truth.toi_lower > 0.0 && query.t_max > 0.0 && !(found.toi_lower > 0.0)) {
        const double free_time = with_motion(question, [&](const auto& motion) {
            return free_time_from_start(motion, query.min_separation);
        });
        EXPECT_EQ(free_time, 0.0) << "apart at the start, and no progress";
    }
}

// The answer of every instruction set: the same bits.
inline CcdResult ask_all_sets(const Question& question, TightInclusionOptions options) {
    options.instructions = InstructionSet::Portable;
    const CcdResult found = ask(question, options);
    for (const InstructionSet set : kAllInstructionSets) {
        options.instructions = set;
        EXPECT_EQ(ask(question, options), found) << graze::name(set);
    }
    return found;
}

// Calls check(family, question) for queries `first` to `first + count - 1` of every family and
// kind; of the wild family, whose exact answers take long, a tenth.
template <class Check>
void for_each_generated(std::uint64_t first, std::uint64_t count, const Check& check) {
    for (const generate::Family family : generate::kAllFamilies) {
        const std::uint64_t share = family == generate::Family::Wild ? (count + 9) / 10 : count;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = first; seed < first + share; ++seed) {
                const Question question{kind, generate::query(family, kind, seed)};
                SCOPED_TRACE(std::string(generate::name(family)) + " #" + std::to_string(seed) +
                             " " + to_text(question));
                check(family, question);
            }
        }
    }
}

}  // namespace graze::testing

// What a method that claims never to miss is held to, beyond the sample of tests/contract.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/exact_check.hpp"

namespace graze::testing {

struct Counts {
    int contacts = 0;
    int misses = 0;
    int false_negatives = 0;
    int false_positives = 0;
    int broken_promises = 0;
};

// Every family and kind, `count` seeds from `first` on; of the wild one, whose exact answers take
// long, a tenth.
inline Counts counts_on_families(const Method& method, std::uint64_t first, std::uint64_t count,
                                 const CcdOptions& options) {
    Counts counts;
    for (const generate::Family family : generate::kAllFamilies) {
        const std::uint64_t share = family == generate::Family::Wild ? count / 10 : count;
        for (const QueryKind kind : kAllQueryKinds) {
            if (!supports(method, kind)) continue;
            for (std::uint64_t seed = first; seed < first + share; ++seed) {
                const verify::Question question{kind, generate::query(family, kind, seed), options};
                const CcdResult truth = verify::exact_answer(question);
                const CcdResult found = verify::answer_of(method, kind, question.record, options);
                const verify::ClaimSet broken =
                    verify::claims_of(method.guarantee) & verify::faults_of(question, truth, found);
                const bool touches = truth.verdict == Verdict::Contact;
                const bool is_separated = found.verdict == Verdict::Separated;
                counts.contacts += touches ? 1 : 0;
                counts.misses += touches ? 0 : 1;
                counts.false_negatives += touches && is_separated ? 1 : 0;
                counts.false_positives += !touches && !is_separated ? 1 : 0;
                counts.broken_promises += broken.empty() ? 0 : 1;
                EXPECT_TRUE(broken.empty()) << verify::breach_of(*broken.first()) << ": "
                                            << generate::name(family) << " #" << seed << "\n"
                                            << io::to_hex(question.record, kind);
            }
        }
    }
    return counts;
}

}  // namespace graze::testing

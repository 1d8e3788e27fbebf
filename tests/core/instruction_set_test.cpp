#include "graze/core/instruction_set.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace graze {
namespace {

TEST(InstructionSetTest, PlainCodeRunsOnEveryMachine) {
    EXPECT_TRUE(is_available(InstructionSet::Portable));
}

TEST(InstructionSetTest, EverySetHasANameOfItsOwn) {
    EXPECT_EQ(name(InstructionSet::Portable), "portable");
    EXPECT_EQ(name(InstructionSet::Avx2), "avx2");
    EXPECT_EQ(name(InstructionSet::Avx512), "avx512");
    std::set<std::string_view> names;
    for (const InstructionSet set : kAllInstructionSets)
        names.insert(name(set));
    EXPECT_EQ(names.size(), kAllInstructionSets.size());
}

// kAllInstructionSets is in the order of width.
TEST(InstructionSetTest, TheBestOneIsTheWidestThatIsAvailable) {
    InstructionSet widest = InstructionSet::Portable;
    for (const InstructionSet set : kAllInstructionSets) {
        if (is_available(set)) widest = set;
    }
    EXPECT_EQ(best_instruction_set(), widest);
    EXPECT_EQ(best_instruction_set(), best_instruction_set());
}

// Every machine with eight lanes has four.
TEST(InstructionSetTest, WiderSetsImplyNarrowerOnes) {
    EXPECT_TRUE(!is_available(InstructionSet::Avx512) || is_available(InstructionSet::Avx2));
}

TEST(InstructionSetTest, AValueThatNamesNoSetIsNotAvailable) {
    EXPECT_FALSE(is_available(static_cast<InstructionSet>(250)));
    EXPECT_EQ(name(static_cast<InstructionSet>(250)), "?");
}

#if !defined(__x86_64__)
TEST(InstructionSetTest, OtherMachinesRunPlainCode) {
    EXPECT_EQ(best_instruction_set(), InstructionSet::Portable);
}
#endif

}  // namespace
}  // namespace graze

// What searches of the first impact ask of `certified`: answers up to a limit, and the narrowest
// brackets, which distinguish contacts that tie.
// Defends G-CERTIFIED-1, G-CERTIFIED-3 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "graze/narrow/certified.hpp"
#include "graze/narrow/method.hpp"
#include "narrow/certified/exact_contact.hpp"
#include "narrow/certified/fast_tiers.hpp"

namespace graze {
namespace {

using certified::ExactContact;
using certified::FastAnswer;

// Small integers meet in every degenerate way; mirror images of a start are flat at 1/2, where all
// that then overlaps touches; the others are what simulations have.
enum class Recipe { Integers, Mirrored, Random };

template <class Motion>
class Motions {
public:
    Motions(Recipe recipe, std::uint64_t seed) : recipe_(recipe), random_(seed) {}
    Motion next() {
        Motion motion;
        for (MovingPoint* point : points(motion))
            *point = next_point();
        return motion;
    }

private:
    static std::array<MovingPoint*, 4> points(VertexFaceMotion& m) {
        return {&m.vertex, &m.face[0], &m.face[1], &m.face[2]};
    }
    static std::array<MovingPoint*, 4> points(EdgeEdgeMotion& m) {
        return {&m.edge_a[0], &m.edge_a[1], &m.edge_b[0], &m.edge_b[1]};
    }
    double coordinate() {
        if (recipe_ == Recipe::Integers) return std::uniform_int_distribution<int>(-2, 2)(random_);
        return std::uniform_real_distribution<double>(-1.0, 1.0)(random_);
    }
    Vec3 position() { return {coordinate(), coordinate(), coordinate()}; }
    MovingPoint next_point() {
        const Vec3 start = position();
        if (recipe_ == Recipe::Mirrored) return {start, {start.x, start.y, -start.z}};
        return {start, position()};
    }

    Recipe recipe_;
    std::mt19937_64 random_;
};

template <class Motion>
class CertifiedUntil : public ::testing::Test {};
using Polygons = ::testing::Types<VertexFaceMotion, EdgeEdgeMotion>;
TYPED_TEST_SUITE(CertifiedUntil, Polygons);

constexpr int kMotions = 3000;

// Separated: nothing is in [0, until]. Anything else: the bits of the answer for all of the step.
TYPED_TEST(CertifiedUntil, IsTheAnswerForAllOfTheStepOrProvesThatItsBeginningIsFree) {
    const Method method = make_certified();
    const QueryFunctions<TypeParam>& functions = functions_of<TypeParam>(method);
    int free = 0;
    int same = 0;
    for (const Recipe recipe : {Recipe::Integers, Recipe::Mirrored, Recipe::Random}) {
        Motions<TypeParam> motions(recipe, 1);
        for (int i = 0; i < kMotions; ++i) {
            const TypeParam motion = motions.next();
            const CcdResult whole = functions.query(nullptr, motion, {});
            const bool touches = whole.verdict == Verdict::Contact;
            for (const double until : {0.0, 1e-5, 0.4, touches ? whole.toi_lower : 0.5,
                                       touches ? whole.toi_upper : 0.6, 1.0}) {
                const CcdResult found = functions.until(nullptr, motion, {}, until);
                if (found.verdict == Verdict::Separated) {
                    CcdOptions options;
                    options.t_max = until;
                    ASSERT_EQ(functions.query(nullptr, motion, options).verdict,
                              Verdict::Separated);
                    free += touches ? 1 : 0;
                } else {
                    ASSERT_EQ(found, whole);
                    ++same;
                }
            }
        }
    }
    EXPECT_GT(free, 1000);
    EXPECT_GT(same, 1000);
}

TYPED_TEST(CertifiedUntil, TheNarrowestBracketIsThatOfTheExactTier) {
    CcdOptions options;
    options.time_width = certified::kNarrowest;
    const auto fast = certified::fast_tiers<TypeParam>(best_instruction_set());
    int by_few_signs = 0;
    int at_doubles = 0;
    for (const Recipe recipe : {Recipe::Integers, Recipe::Mirrored, Recipe::Random}) {
        Motions<TypeParam> motions(recipe, 2);
        for (int i = 0; i < kMotions; ++i) {
            const TypeParam motion = motions.next();
            const CcdResult found = certify(motion, options);
            const ExactContact exact = certified::exact_first_contact(motion, 1.0, 0.0);
            ASSERT_EQ(found.verdict == Verdict::Contact, exact.contact);
            if (!exact.contact) continue;
            ASSERT_EQ(found.toi_lower, exact.lower);
            ASSERT_EQ(found.toi_upper, exact.upper);
            const FastAnswer open = fast(motion, {1.0, certified::kNarrowest});
            by_few_signs += open.state == FastAnswer::State::Open && open.lower > 0.0 ? 1 : 0;
            at_doubles += exact.lower == exact.upper && exact.lower > 0.0 ? 1 : 0;
        }
    }
    EXPECT_GT(by_few_signs, 200);
    EXPECT_GT(at_doubles, 100);
}

// A bracket that is as wide as the proof allows: whichever it is, the narrowest one is the same.
TYPED_TEST(CertifiedUntil, TheNarrowestBracketDoesNotDependOnTheOneThatItComesFrom) {
    int contacts = 0;
    for (const Recipe recipe : {Recipe::Mirrored, Recipe::Random}) {
        Motions<TypeParam> motions(recipe, 3);
        const auto fast = certified::fast_tiers<TypeParam>(best_instruction_set());
        for (int i = 0; i < kMotions; ++i) {
            const TypeParam motion = motions.next();
            const FastAnswer open = fast(motion, {1.0, certified::kNarrowest});
            if (open.state != FastAnswer::State::Open || !(open.lower > 0.0)) continue;
            const ExactContact exact = certified::exact_first_contact(motion, 1.0, 0.0);
            ASSERT_LE(open.lower, exact.lower);
            ASSERT_GE(open.upper, exact.upper);
            const double lower = std::nextafter(exact.lower, 0.0);
            const double upper = std::nextafter(exact.upper, 2.0);
            EXPECT_EQ(certified::narrowest_contact(motion, lower, upper), exact);
            EXPECT_EQ(certified::narrowest_contact(motion, open.lower, upper), exact);
            EXPECT_EQ(certified::narrowest_contact(motion, lower, open.upper), exact);
            ++contacts;
        }
    }
    EXPECT_GT(contacts, 200);
}

}  // namespace
}  // namespace graze

#include "graze/verify/oracle_method.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "graze/verify/methods.hpp"

namespace graze::verify {
namespace {

constexpr double kDenormMin = 0x1p-1074;

TEST(OracleMethod, CutsAtTMaxWithoutLosingTheBoundary) {
    using oracle::State;
    const double next = std::nextafter(0.5, 1.0);
    const auto verdict = [](oracle::Truth truth, double t_max) {
        return result_up_to(truth, t_max).verdict;
    };
    EXPECT_EQ(verdict({State::Contact, 0.5, 0.5}, 0.5), Verdict::Contact);
    EXPECT_EQ(verdict({State::Contact, 0.5, next}, 0.5), Verdict::Separated);
    EXPECT_EQ(verdict({State::Contact, 0.5, next}, next), Verdict::Contact);
    EXPECT_EQ(verdict({State::Contact, 0.0, kDenormMin}, 0.0), Verdict::Separated);
    EXPECT_EQ(verdict({State::Contact, 0.0, 0.0}, 0.0), Verdict::Contact);
    EXPECT_EQ(verdict({State::Separated, kInfinity, kInfinity}, 1.0), Verdict::Separated);
    EXPECT_EQ(verdict({State::Invalid, 0.0, kInfinity}, 1.0), Verdict::Unresolved);
}

VertexFaceMotion random_motion(std::mt19937_64& rng) {
    std::uniform_real_distribution<double> coordinate(-1.0, 1.0);
    std::array<MovingPoint, 4> vertices;
    for (MovingPoint& vertex : vertices) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            vertex.start[axis] = coordinate(rng);
            vertex.end[axis] = coordinate(rng);
        }
    }
    return motion_from_vertices<VertexFaceMotion>(vertices);
}

// The cut at t_max is derived; here it is held against the oracle's own answer on a shortened step,
// at the doubles around the first time where a mistake would show.
TEST(OracleMethod, TheCutAgreesWithTheOracleOnTheShortenedStep) {
    std::mt19937_64 rng(20250111);
    const Method method = make_oracle();
    int contacts = 0;
    for (int i = 0; i < 400; ++i) {
        const VertexFaceMotion motion = random_motion(rng);
        const CcdResult whole = run(method, motion);
        if (whole.verdict != Verdict::Contact || whole.toi_lower == 0.0) continue;
        ++contacts;
        const oracle::Query query = oracle_query(io::record_of(motion), QueryKind::VertexFace);
        for (const double t_max :
             {std::nextafter(whole.toi_lower, 0.0), whole.toi_lower, whole.toi_upper}) {
            const CcdResult cut = run(method, motion, {.t_max = t_max});
            const bool touches =
                oracle::first_contact_in(query, 0.0, t_max).state == oracle::State::Contact;
            EXPECT_EQ(cut.verdict, touches ? Verdict::Contact : Verdict::Separated);
        }
    }
    EXPECT_GT(contacts, 20);
}

TEST(OracleMethod, InputThatIsNotFiniteIsUnresolved) {
    VertexFaceMotion motion;
    motion.vertex.start.x = std::nan("");
    const CcdResult result = run(make_oracle(), motion);
    EXPECT_EQ(result, CcdResult{});
}

TEST(Methods, DefaultIsCertifiedWhereItExistsAndElseTheOracle) {
    const MethodRegistry registry = all_methods();
    EXPECT_NE(registry.find("oracle"), nullptr);
    const bool has_certified = registry.find("certified") != nullptr;
    EXPECT_EQ(default_method_name(), has_certified ? "certified" : "oracle");
}

}  // namespace
}  // namespace graze::verify

#include "graze/narrow/contact_point.hpp"

#include <gtest/gtest.h>

#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/narrow/certified.hpp"

namespace graze {
namespace {

using generate::Family;

MovingPoint at_rest(const Vec3& p) {
    return {p, p};
}
const std::array<MovingPoint, 3> kTriangle = {at_rest({0, 0, 0}), at_rest({1, 0, 0}),
                                              at_rest({0, 1, 0})};

TEST(ContactPoint, OfAFallingVertexLooksUp) {
    const VertexFaceMotion falls{{{0.25, 0.5, 1}, {0.25, 0.5, -1}}, kTriangle};
    const ContactPoint contact = contact_point(falls, 0.5);
    EXPECT_NEAR(contact.u, 0.25, 1e-15);
    EXPECT_NEAR(contact.v, 0.5, 1e-15);
    EXPECT_EQ(contact.normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(contact.feature_b, (Feature{Feature::Type::Face, 0}));
    EXPECT_LE(contact.distance_upper, 1e-15);
    const VertexFaceMotion rises{{{0.25, 0.5, -1}, {0.25, 0.5, 1}}, kTriangle};
    EXPECT_EQ(contact_point(rises, 0.5).normal, (Vec3{0, 0, -1}));
}

TEST(ContactPoint, KnowsCornersAndEdgesOfAFace) {
    const auto feature_under = [](double x, double y) {
        return contact_point(VertexFaceMotion{{{x, y, 1}, {x, y, -1}}, kTriangle}, 0.5).feature_b;
    };
    using enum Feature::Type;
    EXPECT_EQ(feature_under(0, 0), (Feature{Corner, 0}));
    EXPECT_EQ(feature_under(1, 0), (Feature{Corner, 1}));
    EXPECT_EQ(feature_under(0, 1), (Feature{Corner, 2}));
    EXPECT_EQ(feature_under(0.5, 0), (Feature{Edge, 0}));
    EXPECT_EQ(feature_under(0.5, 0.5), (Feature{Edge, 1}));
    EXPECT_EQ(feature_under(0, 0.5), (Feature{Edge, 2}));
}

TEST(ContactPoint, OfCrossingEdgesIsAcrossBoth) {
    const EdgeEdgeMotion falls{
        {MovingPoint{{-1, 0, 1}, {-1, 0, -1}}, MovingPoint{{1, 0, 1}, {1, 0, -1}}},
        {at_rest({0.5, -1, 0}), at_rest({0.5, 1, 0})}};
    const ContactPoint contact = contact_point(falls, 0.5);
    EXPECT_NEAR(contact.u, 0.75, 1e-15);
    EXPECT_NEAR(contact.v, 0.5, 1e-15);
    EXPECT_EQ(contact.normal, (Vec3{0, 0, 1}));
    EXPECT_EQ(contact.feature_a, (Feature{Feature::Type::Edge, 0}));
    EXPECT_EQ(contact.feature_b, (Feature{Feature::Type::Edge, 0}));
}

TEST(ContactPoint, RefusesWhatIsNotFiniteOrNotInTheStep) {
    const VertexVertexMotion motion{at_rest({0, 0, 0}), at_rest({1, 0, 0})};
    EXPECT_EQ(contact_point(motion, 2.0).distance_upper, kInfinity);
    EXPECT_EQ(contact_point(motion, std::nan("")).distance_upper, kInfinity);
    const VertexVertexMotion bad{at_rest({kInfinity, 0, 0}), at_rest({1, 0, 0})};
    EXPECT_EQ(contact_point(bad, 0.5).distance_upper, kInfinity);
}

// At the time that certified brackets to 1e-15, the points are as near as that time allows,
// whatever the scale.
template <class Motion>
void expect_near_contacts(Family family, int exponent) {
    int contacts = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        io::QueryRecord record = generate::query(family, Motion::kKind, seed);
        double size = 0.0;
        for (MovingPoint& corner : record.corners) {
            for (Vec3* p : {&corner.start, &corner.end}) {
                for (std::size_t k = 0; k < 3; ++k) {
                    (*p)[k] = std::ldexp((*p)[k], exponent);
                    size = std::max(size, std::fabs((*p)[k]));
                }
            }
        }
        const Motion motion = io::motion_of<Motion>(record);
        const CcdResult found = certify(motion, {.time_width = 1e-15});
        if (found.verdict != Verdict::Contact) continue;
        ++contacts;
        const ContactPoint contact = contact_point(motion, found.toi_lower);
        SCOPED_TRACE(io::to_hex(record, Motion::kKind));
        EXPECT_LE(contact.distance_upper, 1e-13 * size);
        EXPECT_TRUE(contact.u >= 0.0 && contact.u <= 1.0);
        EXPECT_TRUE(contact.v >= 0.0 && contact.v <= 1.0);
        if (contact.normal != Vec3{}) {
            EXPECT_NEAR(norm(contact.normal), 1.0, 1e-14);
        }
    }
    EXPECT_GT(contacts, 30);
}

TEST(ContactPoint, OfCertifiedContactsBringsThePrimitivesTogether) {
    for (const int exponent : {-400, 0, 400}) {
        for (const Family family : {Family::Ordinary, Family::Boundary, Family::SmallIntegers}) {
            SCOPED_TRACE(generate::name(family));
            expect_near_contacts<VertexFaceMotion>(family, exponent);
            expect_near_contacts<EdgeEdgeMotion>(family, exponent);
        }
        expect_near_contacts<VertexEdgeMotion>(Family::Boundary, exponent);
        expect_near_contacts<VertexVertexMotion>(Family::Boundary, exponent);
    }
}

}  // namespace
}  // namespace graze

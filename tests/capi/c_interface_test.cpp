// The C interface gives the answers of the library, and a status for everything that is wrong.
// Defends G-CAPI-1, G-CAPI-2, G-CAPI-3 (docs/GUARANTEES.md).
#include <graze.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "graze/ccd.hpp"
#include "graze/mesh.hpp"
#include "graze/narrow/query_kind.hpp"
#include "graze/rigid.hpp"
#include "graze/slide.hpp"

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

extern "C" int graze_c_layout_is_checked(void);

// --- queries -------------------------------------------------------------------------------------

// n queries of that kind, (n, points, 3), with coordinates on a coarse grid: many contacts.
std::vector<double> random_coordinates(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> grid(-8, 8);
    std::vector<double> values(count);
    for (double& x : values)
        x = 0.125 * grid(random);
    return values;
}

graze_view packed(const double* data, std::uint64_t count) {
    return {data, count, 0, 0, 0, GRAZE_FLOAT64, 0};
}
graze_view packed(const std::vector<double>& points) {
    return packed(points.data(), points.size() / 3);
}

std::vector<graze::Vec3> points_of(const double* numbers, std::size_t count) {
    std::vector<graze::Vec3> points;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]});
    return points;
}

template <class Motion>
Motion motion_of(const double* start, const double* end) {
    std::array<graze::MovingPoint, Motion::kVertices> v;
    for (std::size_t i = 0; i < v.size(); ++i)
        v[i] = {{start[3 * i], start[3 * i + 1], start[3 * i + 2]},
                {end[3 * i], end[3 * i + 1], end[3 * i + 2]}};
    return graze::motion_from_vertices<Motion>(v);
}

void expect_same(const graze_result& found, const graze::CcdResult& wanted) {
    EXPECT_EQ(found.verdict, static_cast<int>(wanted.verdict));
    EXPECT_EQ(found.toi_lower, wanted.toi_lower);
    EXPECT_EQ(found.toi_upper, wanted.toi_upper);
    EXPECT_EQ(found.tolerance, wanted.tolerance);
    EXPECT_EQ(found.checks, wanted.checks);
    EXPECT_EQ(found.reserved, 0);
}

TEST(CInterface, IsTheOneOfItsHeader) {
    EXPECT_EQ(graze_abi_version(), GRAZE_ABI_VERSION);
    EXPECT_EQ(graze_c_layout_is_checked(), 1);
    EXPECT_STREQ(graze_status_text(GRAZE_OK), "ok");
    EXPECT_STREQ(graze_status_text(GRAZE_BUSY), "busy");
    EXPECT_STREQ(graze_status_text(12345), "unknown status");
    EXPECT_STRNE(graze_version(), "");
}

TEST(CInterface, AnswersQueriesWithTheBitsOfTheLibrary) {
    for (const double separation : {0.0, 0.01}) {
        for (const graze::QueryKind kind : graze::kAllQueryKinds) {
            graze_query_options options;
            ASSERT_EQ(graze_query_options_init(&options, sizeof options), GRAZE_OK);
            options.min_separation = separation;
            graze::visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
                constexpr std::size_t kNumbers = 3 * Motion::kVertices;
                const std::vector<double> start = random_coordinates(kNumbers * 100, 1);
                const std::vector<double> end = random_coordinates(kNumbers * 100, 2);
                for (std::size_t i = 0; i < 100; ++i) {
                    const double* from = start.data() + kNumbers * i;
                    const double* to = end.data() + kNumbers * i;
                    graze_result found;
                    ASSERT_EQ(graze_ccd(static_cast<graze_kind>(kind), from, to, kNumbers, &options,
                                        &found),
                              GRAZE_OK);
                    expect_same(found, graze::ccd(motion_of<Motion>(from, to),
                                                  {.min_separation = separation}));
                }
            });
        }
    }
}

// Every layout of the same numbers: doubles and floats, with gaps, backwards, coordinate by coordinate.
TEST(CInterface, ReadsBatchesInAnyLayout) {
    constexpr std::size_t kCount = 150;
    const std::vector<double> start = random_coordinates(12 * kCount, 3);
    const std::vector<double> end = random_coordinates(12 * kCount, 4);
    std::vector<graze_result> wanted(kCount);
    const graze_view from = packed(start.data(), kCount);
    const graze_view to = packed(end.data(), kCount);
    ASSERT_EQ(graze_ccd_batch(GRAZE_EDGE_EDGE, &from, &to, nullptr, wanted.data(), kCount),
              GRAZE_OK);
    for (std::size_t i = 0; i < kCount; ++i)
        expect_same(wanted[i], graze::ccd(motion_of<graze::EdgeEdgeMotion>(start.data() + 12 * i,
                                                                           end.data() + 12 * i)));

    struct Layout {
        std::int64_t stride, point_stride, coordinate_stride;
        std::size_t bytes, first;
        graze_scalar scalar;
    };
    const std::int64_t n = kCount;
    const std::vector<Layout> layouts = {
        {48, 12, 4, 48 * kCount, 0, GRAZE_FLOAT32},
        {0, 0, 0, 48 * kCount, 0, GRAZE_FLOAT32},
        {101, 25, 8, 101 * kCount, 1, GRAZE_FLOAT64},                 // with gaps, not aligned
        {-96, 24, 8, 96 * kCount, 96 * (kCount - 1), GRAZE_FLOAT64},  // backwards
        {4, 4 * 3 * n, 4 * n, 48 * kCount, 0, GRAZE_FLOAT32},         // coordinate by coordinate
        {96, -24, -8, 96 * kCount, 88, GRAZE_FLOAT64},                // inside out
    };
    for (const Layout& layout : layouts) {
        const auto lay_out = [&](const std::vector<double>& values) {
            std::vector<std::byte> bytes(layout.bytes + 8);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const auto q = static_cast<std::int64_t>(i / 12);
                const auto p = static_cast<std::int64_t>(i % 12 / 3);
                const auto c = static_cast<std::int64_t>(i % 3);
                const std::int64_t at =
                    static_cast<std::int64_t>(layout.first) +
                    (layout.stride == 0 ? 48 * q + 12 * p + 4 * c
                                        : layout.stride * q + layout.point_stride * p +
                                              layout.coordinate_stride * c);
                const auto small = static_cast<float>(values[i]);
                if (layout.scalar == GRAZE_FLOAT32)
                    std::memcpy(bytes.data() + at, &small, sizeof small);
                else
                    std::memcpy(bytes.data() + at, &values[i], sizeof values[i]);
            }
            return bytes;
        };
        const std::vector<std::byte> a = lay_out(start);
        const std::vector<std::byte> b = lay_out(end);
        const graze_view view_a = {a.data() + layout.first,
                                   kCount,
                                   layout.stride,
                                   layout.point_stride,
                                   layout.coordinate_stride,
                                   layout.scalar,
                                   0};
        graze_view view_b = view_a;
        view_b.data = b.data() + layout.first;
        std::vector<graze_result> found(kCount);
        ASSERT_EQ(graze_ccd_batch(GRAZE_EDGE_EDGE, &view_a, &view_b, nullptr, found.data(), kCount),
                  GRAZE_OK);
        EXPECT_EQ(std::memcmp(found.data(), wanted.data(), kCount * sizeof found[0]), 0);
    }
}

TEST(CInterface, NamesTheArgumentAndTheIndexThatIsWrong) {
    std::vector<double> start = random_coordinates(24, 5);
    const std::vector<double> end = random_coordinates(24, 6);
    graze_result result;
    EXPECT_EQ(graze_ccd(GRAZE_VERTEX_FACE, nullptr, end.data(), 12, nullptr, &result),
              GRAZE_NULL_POINTER);
    EXPECT_STREQ(graze_last_error(), "start is NULL");
    EXPECT_EQ(graze_last_error_index(), -1);
    EXPECT_EQ(graze_ccd(GRAZE_VERTEX_EDGE, start.data(), end.data(), 12, nullptr, &result),
              GRAZE_WRONG_SIZE);
    EXPECT_STREQ(graze_last_error(), "coordinates has a length of 12, not 9");
    EXPECT_EQ(graze_ccd(4, start.data(), end.data(), 12, nullptr, &result), GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(graze_ccd(GRAZE_VERTEX_FACE, start.data(), end.data(), 12, nullptr, &result),
              GRAZE_OK);
    EXPECT_STREQ(graze_last_error(), "");

    start[12 + 7] = kNan;
    graze_result results[2];
    const graze_view from = packed(start.data(), 2);
    const graze_view to = packed(end.data(), 2);
    EXPECT_EQ(graze_ccd_batch(GRAZE_VERTEX_FACE, &from, &to, nullptr, results, 2),
              GRAZE_NOT_FINITE);
    EXPECT_EQ(graze_last_error_index(), 1);
    EXPECT_NE(std::string(graze_last_error()).find("query 1"), std::string::npos);
    expect_same(results[0],
                graze::ccd(motion_of<graze::VertexFaceMotion>(start.data(), end.data())));
    expect_same(results[1], graze::CcdResult{});
    EXPECT_EQ(graze_ccd(GRAZE_VERTEX_FACE, start.data() + 12, end.data(), 12, nullptr, &result),
              GRAZE_NOT_FINITE);
    EXPECT_EQ(graze_last_error_index(), 7);
    expect_same(result, graze::CcdResult{});
}

TEST(CInterface, RefusesSizesThatNoMemoryHas) {
    const double numbers[12] = {};
    graze_result result;
    graze_view view = packed(numbers, 1);
    for (const std::int64_t stride :
         {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(),
          std::int64_t{1} << 62}) {
        graze_view bad = view;
        bad.stride = stride;
        bad.coordinate_stride = stride;
        EXPECT_EQ(graze_ccd_batch(GRAZE_VERTEX_FACE, &bad, &view, nullptr, &result, 1),
                  GRAZE_WRONG_SIZE);
    }
    view.count = ~std::uint64_t{0};
    EXPECT_EQ(graze_ccd_batch(GRAZE_VERTEX_FACE, &view, &view, nullptr, &result, view.count),
              GRAZE_WRONG_SIZE);
    graze_mesh mesh;
    EXPECT_EQ(graze_mesh_create(std::uint64_t{1} << 32, nullptr, 0, nullptr, 0, &mesh),
              GRAZE_WRONG_SIZE);
    EXPECT_EQ(mesh.id, 0U);
}

TEST(CInterface, RefusesOptionsOfAnotherVersion) {
    graze_query_options options;
    EXPECT_EQ(graze_query_options_init(&options, sizeof options + 8), GRAZE_WRONG_SIZE);
    EXPECT_EQ(graze_query_options_init(&options, 8), GRAZE_WRONG_SIZE);
    ASSERT_EQ(graze_query_options_init(&options, sizeof options), GRAZE_OK);
    const double start[6] = {0, 0, 0, 1, 0, 0};
    graze_result result;
    const auto ask = [&] {
        return graze_ccd(GRAZE_VERTEX_VERTEX, start, start, 6, &options, &result);
    };
    EXPECT_EQ(ask(), GRAZE_OK);
    options.size = sizeof options + 8;
    EXPECT_EQ(ask(), GRAZE_WRONG_SIZE);
    options.size = sizeof options;
    options.reserved = 1;
    EXPECT_EQ(ask(), GRAZE_INVALID_OPTION);
    options.reserved = 0;
    options.t_max = kNan;
    EXPECT_EQ(ask(), GRAZE_INVALID_OPTION);
    EXPECT_NE(std::string(graze_last_error()).find("t_max"), std::string::npos);
    EXPECT_EQ(result.verdict, GRAZE_UNRESOLVED);
}

TEST(CInterface, KeepsTheErrorsOfThreadsSeparate) {
    graze_result result;
    EXPECT_NE(graze_ccd(7, nullptr, nullptr, 0, nullptr, &result), GRAZE_OK);
    std::thread([] { EXPECT_STREQ(graze_last_error(), ""); }).join();
    EXPECT_STREQ(graze_last_error(), "there is no kind 7");
}

TEST(CInterface, MeasuresDistancesAndContacts) {
    const double start[12] = {0.25, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double end[12] = {0.25, 0.25, -1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    double distance = -1.0;
    ASSERT_EQ(graze_distance_lower(GRAZE_VERTEX_FACE, start, 12, GRAZE_EUCLIDEAN, &distance),
              GRAZE_OK);
    EXPECT_LE(distance, 1.0);
    EXPECT_GT(distance, 0.999999);
    graze_contact contact;
    ASSERT_EQ(graze_contact_point(GRAZE_VERTEX_FACE, start, end, 12, 0.5, &contact), GRAZE_OK);
    EXPECT_NEAR(contact.u, 0.25, 1e-12);
    EXPECT_NEAR(contact.normal[2], 1.0, 1e-12);
    EXPECT_EQ(contact.feature_b, 2);
    EXPECT_EQ(graze_contact_point(GRAZE_VERTEX_FACE, start, end, 12, 1.5, &contact),
              GRAZE_OUT_OF_RANGE);
    EXPECT_TRUE(std::isinf(contact.distance_upper));
}

// --- meshes --------------------------------------------------------------------------------------

// Two sheets of triangles, one above the other, which it falls through.
struct Sheets {
    static constexpr std::uint32_t kSide = 4;
    std::vector<std::uint32_t> faces;
    std::vector<double> start;
    std::vector<double> end;
    graze_mesh mesh{0};

    Sheets() {
        for (const double z : {0.0, 1.0})
            add_sheet(z);
        end = start;
        for (std::size_t i = start.size() / 2 + 2; i < end.size(); i += 3)
            end[i] = -1.0 - 0.01 * static_cast<double>(i % 7);
        EXPECT_EQ(
            graze_mesh_create(start.size() / 3, faces.data(), faces.size() / 3, nullptr, 0, &mesh),
            GRAZE_OK)
            << graze_last_error();
    }
    ~Sheets() { EXPECT_EQ(graze_mesh_destroy(mesh), GRAZE_OK); }
    Sheets(const Sheets&) = delete;
    Sheets& operator=(const Sheets&) = delete;

    void add_sheet(double z) {
        const auto first = static_cast<std::uint32_t>(start.size() / 3);
        for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
            const double skew = z == 0.0 ? 0.0 : 0.3;
            start.insert(start.end(), {i % kSide + skew, i / kSide + skew, z});
            if (i % kSide + 1 == kSide || i / kSide + 1 == kSide) continue;
            const std::uint32_t v = first + i;
            faces.insert(faces.end(), {v, v + 1, v + kSide, v + 1, v + kSide + 1, v + kSide});
        }
    }
    graze::MeshStepper stepper() const {
        std::vector<graze::FaceIndices> rows(faces.size() / 3);
        std::memcpy(rows.data(), faces.data(), faces.size() * sizeof faces[0]);
        return graze::MeshStepper(*graze::make_topology(start.size() / 3, rows));
    }
    static std::vector<graze::Vec3> points(const std::vector<double>& numbers) {
        return points_of(numbers.data(), numbers.size() / 3);
    }
};

TEST(CInterfaceMesh, FindsTheImpactsOfTheLibrary) {
    const Sheets sheets;
    graze::MeshStepper stepper = sheets.stepper();
    const auto wanted =
        stepper.all_impacts(Sheets::points(sheets.start), Sheets::points(sheets.end));
    const graze_view from = packed(sheets.start);
    const graze_view to = packed(sheets.end);
    std::uint64_t count = 0;
    graze_step_result result;
    // Too small: nothing is lost silently, and nothing is searched twice.
    EXPECT_EQ(graze_mesh_all_impacts(sheets.mesh, &from, &to, nullptr, nullptr, 0, &count, &result),
              GRAZE_BUFFER_TOO_SMALL);
    ASSERT_EQ(count, wanted->impacts.size());
    ASSERT_GT(count, 10U);
    std::vector<graze_impact> impacts(count);
    ASSERT_EQ(graze_mesh_kept_impacts(sheets.mesh, impacts.data(), count, &count), GRAZE_OK);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(impacts[i].kind, static_cast<int>(wanted->impacts[i].kind));
        EXPECT_EQ(impacts[i].a, wanted->impacts[i].a);
        EXPECT_EQ(impacts[i].b, wanted->impacts[i].b);
        expect_same(impacts[i].result, wanted->impacts[i].result);
    }
    EXPECT_EQ(result.toi_lower, wanted->toi_lower);
    graze_step_result first;
    ASSERT_EQ(graze_mesh_first_impact(sheets.mesh, &from, &to, nullptr, &first), GRAZE_OK);
    EXPECT_EQ(first.toi_lower, wanted->toi_lower);
    EXPECT_EQ(first.has_impact, 1);
    EXPECT_EQ(first.impact.a, result.impact.a);
    EXPECT_EQ(std::memcmp(&first.contact, &result.contact, sizeof first.contact), 0);
}

TEST(CInterfaceMesh, StepsAndBoundsAreThoseOfTheLibrary) {
    const Sheets sheets;
    graze::MeshStepper stepper = sheets.stepper();
    const auto start = Sheets::points(sheets.start);
    const auto end = Sheets::points(sheets.end);
    const graze_view from = packed(sheets.start);
    const graze_view to = packed(sheets.end);
    const std::uint64_t n = start.size();
    std::vector<double> positions(3 * n);
    graze_safe_step step;
    ASSERT_EQ(graze_mesh_largest_safe_step(sheets.mesh, &from, &to, nullptr, positions.data(),
                                           3 * n, &step),
              GRAZE_OK);
    const auto safe = graze::largest_safe_step(stepper, start, end);
    EXPECT_EQ(step.fraction, safe->fraction);
    EXPECT_EQ(Sheets::points(positions), safe->positions);

    std::vector<double> values(n);
    ASSERT_EQ(graze_mesh_free_radii(sheets.mesh, &from, 2.0, nullptr, values.data(), n), GRAZE_OK);
    EXPECT_EQ(values, *graze::free_radii(stepper, start, 2.0));
    ASSERT_EQ(graze_mesh_free_fractions(sheets.mesh, &from, &to, nullptr, values.data(), n,
                                        positions.data(), 3 * n),
              GRAZE_OK);
    EXPECT_EQ(values, graze::free_fractions(stepper, start, end)->fraction);
    double least = 0.0;
    ASSERT_EQ(graze_mesh_clearance(sheets.mesh, &from, 2.0, nullptr, values.data(), n, &least),
              GRAZE_OK);
    EXPECT_EQ(least, stepper.clearance(start, 2.0)->least);

    // Halfway through each other.
    std::vector<double> tilted = sheets.start;
    for (std::size_t i = 0; i < tilted.size(); i += 3)
        tilted[i + 2] = i < tilted.size() / 2 ? 0.1 * tilted[i] : 0.31 - 0.1 * tilted[i + 1];
    const graze_view at = packed(tilted);
    std::uint64_t count = 0;
    graze_intersection intersections[64];
    ASSERT_EQ(graze_mesh_intersections(sheets.mesh, &at, nullptr, intersections, 64, &count),
              GRAZE_OK);
    const auto wanted = stepper.intersections(Sheets::points(tilted));
    ASSERT_EQ(count, wanted->size());
    ASSERT_GT(count, 0U);
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_EQ(intersections[i].a, (*wanted)[i].a);
}

TEST(CInterfaceMesh, HonoursFiltersAndThickness) {
    const Sheets sheets;
    const graze_view from = packed(sheets.start);
    const graze_view to = packed(sheets.end);
    const std::size_t n = sheets.start.size() / 3;
    graze_step_options options;
    ASSERT_EQ(graze_step_options_init(&options, sizeof options), GRAZE_OK);
    graze_step_result result;
    const auto verdict = [&] {
        EXPECT_EQ(graze_mesh_first_impact(sheets.mesh, &from, &to, &options, &result), GRAZE_OK)
            << graze_last_error();
        return result.verdict;
    };
    EXPECT_EQ(verdict(), GRAZE_CONTACT);
    const double without = result.toi_lower;
    const std::vector<std::uint8_t> fixed(n, 1);
    options.fixed = fixed.data();
    options.fixed_count = n;
    EXPECT_EQ(verdict(), GRAZE_SEPARATED);
    options.fixed_count = n - 1;
    EXPECT_EQ(graze_mesh_first_impact(sheets.mesh, &from, &to, &options, &result),
              GRAZE_WRONG_SIZE);
    EXPECT_NE(std::string(graze_last_error()).find("fixed"), std::string::npos);
    options.fixed = nullptr;
    options.fixed_count = 0;

    const std::vector<std::uint32_t> body(n, 3);
    options.body = body.data();
    options.body_count = n;
    options.within_bodies = 0;
    EXPECT_EQ(verdict(), GRAZE_SEPARATED);
    options.within_bodies = 1;
    options.accepts = [](void*, graze_kind kind, std::uint32_t, std::uint32_t) {
        return std::int32_t{kind == GRAZE_EDGE_EDGE};
    };
    EXPECT_EQ(verdict(), GRAZE_CONTACT);
    EXPECT_EQ(result.impact.kind, GRAZE_EDGE_EDGE);
    options.accepts = nullptr;

    const std::vector<double> radius(n, 0.1);
    options.radius = radius.data();
    options.radius_count = n;
    EXPECT_EQ(verdict(), GRAZE_CONTACT);
    EXPECT_LT(result.toi_lower, without);
}

struct Reentrant {
    graze_mesh mesh;
    graze_status same = GRAZE_OK;
    graze_status other = GRAZE_INTERNAL;
};

double energy_that_calls(void* user, const double* positions, std::uint64_t coordinates) {
    auto* self = static_cast<Reentrant*>(user);
    std::uint64_t count = 0;
    self->same = graze_mesh_kept_impacts(self->mesh, nullptr, 0, &count);
    graze_mesh another;
    self->other = graze_mesh_create(3, nullptr, 0, nullptr, 0, &another);
    EXPECT_EQ(graze_mesh_destroy(another), GRAZE_OK);
    EXPECT_EQ(graze_mesh_destroy(another),
              GRAZE_BAD_HANDLE);  // an error that the caller's call is not
    double sum = 0.0;
    for (std::uint64_t i = 2; i < coordinates; i += 3)
        sum += positions[i];
    return sum;
}

TEST(CInterfaceMesh, RefusesAMeshThatIsInUse) {
    const Sheets sheets;
    Reentrant reentrant{sheets.mesh};
    const graze_view from = packed(sheets.start);
    const graze_view to = packed(sheets.end);
    std::vector<double> positions(sheets.start.size());
    graze_line_search found;
    ASSERT_EQ(graze_mesh_line_search(sheets.mesh, &from, &to, energy_that_calls, &reentrant,
                                     nullptr, nullptr, positions.data(), positions.size(), &found),
              GRAZE_OK)
        << graze_last_error();
    EXPECT_STREQ(graze_last_error(), "");
    EXPECT_GT(found.alpha, 0.0);
    EXPECT_EQ(reentrant.same, GRAZE_BUSY);
    EXPECT_EQ(reentrant.other, GRAZE_OK);
    std::uint64_t count = 0;
    EXPECT_EQ(graze_mesh_kept_impacts(sheets.mesh, nullptr, 0, &count), GRAZE_OK);
}

TEST(CInterfaceMesh, CancelsForACallback) {
    const Sheets sheets;
    const graze_view from = packed(sheets.start);
    const graze_view to = packed(sheets.end);
    graze_step_options options;
    ASSERT_EQ(graze_step_options_init(&options, sizeof options), GRAZE_OK);
    graze_step_result result;
    options.stop = [](void*) { return std::int32_t{1}; };
    EXPECT_EQ(graze_mesh_first_impact(sheets.mesh, &from, &to, &options, &result), GRAZE_CANCELLED);
    EXPECT_EQ(result.verdict, GRAZE_UNRESOLVED);
    EXPECT_EQ(result.toi_lower, 0.0);
    options.stop = [](void*) { return std::int32_t{0}; };
    EXPECT_EQ(graze_mesh_first_impact(sheets.mesh, &from, &to, &options, &result), GRAZE_OK);
}

TEST(CInterfaceMesh, TurnsWhatACallbackThrowsIntoAStatus) {
    const Sheets sheets;
    const graze_view from = packed(sheets.start);
    const graze_view to = packed(sheets.end);
    std::vector<double> positions(sheets.start.size());
    graze_line_search found;
    const auto search = [&](graze_energy energy) {
        return graze_mesh_line_search(sheets.mesh, &from, &to, energy, nullptr, nullptr, nullptr,
                                      positions.data(), positions.size(), &found);
    };
    EXPECT_EQ(search([](void*, const double*, std::uint64_t) -> double { throw 1; }),
              GRAZE_INTERNAL);
    EXPECT_EQ(search([](void*, const double*, std::uint64_t) -> double { throw std::bad_alloc(); }),
              GRAZE_OUT_OF_MEMORY);
    EXPECT_EQ(search([](void*, const double*, std::uint64_t) { return kNan; }), GRAZE_NOT_FINITE);
    EXPECT_EQ(search([](void*, const double* p, std::uint64_t) { return p[50]; }), GRAZE_OK);
}

// --- handles -------------------------------------------------------------------------------------

TEST(CInterfaceHandles, NeverTakesAFreedOneForANewOne) {
    std::vector<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) {
        graze_mesh mesh;
        ASSERT_EQ(graze_mesh_create(3, nullptr, 0, nullptr, 0, &mesh), GRAZE_OK);
        EXPECT_NE(mesh.id, 0U);
        EXPECT_TRUE(seen.empty() || seen.back() != mesh.id);
        seen.push_back(mesh.id);
        ASSERT_EQ(graze_mesh_destroy(mesh), GRAZE_OK);
        EXPECT_EQ(graze_mesh_destroy(mesh), GRAZE_BAD_HANDLE);
    }
    for (const std::uint64_t id : seen)
        EXPECT_EQ(graze_mesh_counts({id}, nullptr, nullptr, nullptr), GRAZE_BAD_HANDLE);
    EXPECT_EQ(graze_mesh_destroy({0}), GRAZE_OK);
}

TEST(CInterfaceHandles, RefusesThoseOfAnotherKind) {
    graze_level level;
    ASSERT_EQ(graze_level_create(GRAZE_FLOAT64, &level), GRAZE_OK);
    EXPECT_EQ(graze_mesh_counts({level.id}, nullptr, nullptr, nullptr), GRAZE_BAD_HANDLE);
    EXPECT_EQ(graze_body_destroy({level.id}), GRAZE_BAD_HANDLE);
    EXPECT_EQ(graze_level_counts(level, nullptr, nullptr), GRAZE_OK);
    EXPECT_EQ(graze_level_destroy(level), GRAZE_OK);
}

// Threads that make, use and free meshes at once; each call is answered, and nothing is lost.
TEST(CInterfaceHandles, AreSafeFromManyThreads) {
    const Sheets sheets;
    const graze_view from = packed(sheets.start);
    const graze_view to = packed(sheets.end);
    std::atomic<int> answered{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            graze_step_options options;
            EXPECT_EQ(graze_step_options_init(&options, sizeof options), GRAZE_OK);
            options.threads = 1;
            for (int i = 0; i < 50; ++i) {
                graze_mesh own;
                EXPECT_EQ(graze_mesh_create(3, nullptr, 0, nullptr, 0, &own), GRAZE_OK);
                graze_step_result result;
                const graze_status status =
                    graze_mesh_first_impact(sheets.mesh, &from, &to, &options, &result);
                EXPECT_TRUE(status == GRAZE_OK || status == GRAZE_BUSY);
                if (status == GRAZE_OK) ++answered;
                EXPECT_EQ(graze_mesh_destroy(own), GRAZE_OK);
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_GT(answered, 0);
}

#if !defined(GRAZE_SANITIZE_ADDRESS) && !defined(GRAZE_SANITIZE_THREAD)
// Asks for 16 GiB in a process that may have half of one.
[[noreturn]] void create_a_huge_mesh() {
    const rlimit limit{1U << 29, 1U << 29};
    if (setrlimit(RLIMIT_AS, &limit) != 0) std::exit(2);
    graze_mesh mesh;
    const graze_status status = graze_mesh_create(0xffff'fff0U, nullptr, 0, nullptr, 0, &mesh);
    std::exit(status == GRAZE_OUT_OF_MEMORY && mesh.id == 0 ? 0 : 1);
}

TEST(CInterfaceDeathTest, ReturnsAStatusWhereMemoryRunsOut) {
    EXPECT_EXIT(create_a_huge_mesh(), testing::ExitedWithCode(0), "");
}
#endif

// --- rigid bodies --------------------------------------------------------------------------------

struct Cube {
    graze_body body{0};
    graze::rigid::RigidBody same = make();
    Cube() {
        const graze_view view = packed(kCorners.data(), 8);
        EXPECT_EQ(graze_body_create(&view, nullptr, 0, &kFaces[0][0], 36, &body), GRAZE_OK)
            << graze_last_error();
    }
    ~Cube() { EXPECT_EQ(graze_body_destroy(body), GRAZE_OK); }
    Cube(const Cube&) = delete;
    Cube& operator=(const Cube&) = delete;

    static constexpr std::array<double, 24> kCorners = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                                        0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    static constexpr std::array<std::array<std::uint32_t, 3>, 12> kFaces = {{{0, 2, 3},
                                                                             {0, 3, 1},
                                                                             {4, 5, 7},
                                                                             {4, 7, 6},
                                                                             {0, 1, 5},
                                                                             {0, 5, 4},
                                                                             {2, 6, 7},
                                                                             {2, 7, 3},
                                                                             {0, 4, 6},
                                                                             {0, 6, 2},
                                                                             {1, 3, 7},
                                                                             {1, 7, 5}}};
    static graze::rigid::RigidBody make() {
        return std::move(*graze::rigid::RigidBody::create(points_of(kCorners.data(), 8), kFaces));
    }
};

constexpr graze_pose kHere = {{1, 0, 0, 0}, {0, 0, 0}};
constexpr graze_body_step kRest = {kHere, kHere};
constexpr graze_body_step kHit = {{{1, 0, 0, 0}, {3, 0.1, 0.2}},
                                  {{0.8, 0, 0, 0.6}, {0.5, 0.1, 0.2}}};
const graze::rigid::PairStep kPair = {
    {}, {{{1, 0, 0, 0}, {3, 0.1, 0.2}}, {{0.8, 0, 0, 0.6}, {0.5, 0.1, 0.2}}}};

TEST(CInterfaceRigid, FindsTheImpactsOfTheLibrary) {
    const Cube cube;
    graze_rigid_result found;
    ASSERT_EQ(graze_rigid_first_impact(cube.body, cube.body, &kRest, &kHit, nullptr, &found),
              GRAZE_OK)
        << graze_last_error();
    const auto wanted = graze::rigid::first_impact(cube.same, cube.same, kPair);
    EXPECT_EQ(found.verdict, GRAZE_CONTACT);
    EXPECT_EQ(found.toi_lower, wanted.toi_lower);
    EXPECT_EQ(found.toi_upper, wanted.toi_upper);
    EXPECT_EQ(found.contact.a, wanted.contact.a);
    EXPECT_EQ(found.contact.point[0], wanted.contact.point.x);
    EXPECT_EQ(found.start, GRAZE_START_SEPARATED);

    const auto all = graze::rigid::all_impacts(cube.same, cube.same, kPair, {}, -1.0);
    ASSERT_GT(all.collisions.size(), 1U);
    std::uint64_t count = 0;
    std::int32_t complete = 0;
    graze_rigid_contact contacts[100];
    EXPECT_EQ(graze_rigid_all_collisions(cube.body, cube.body, &kRest, &kHit, nullptr, -1.0,
                                         contacts, 1, &count, &complete),
              GRAZE_BUFFER_TOO_SMALL);
    EXPECT_EQ(graze_rigid_all_collisions(cube.body, cube.body, &kRest, &kHit, nullptr, -1.0,
                                         contacts, 100, &count, &complete),
              GRAZE_OK);
    ASSERT_EQ(count, all.collisions.size());
    EXPECT_EQ(complete, all.complete ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
        const auto world = graze::rigid::to_world(all.collisions[i], kPair);
        EXPECT_EQ(contacts[i].time_lower, world.time_lower);
        EXPECT_EQ(contacts[i].point[1], world.point.y);
    }
}

TEST(CInterfaceRigid, MeasuresStatesAndDistances) {
    const Cube cube;
    graze_start_state state = -1;
    ASSERT_EQ(graze_rigid_start_state(cube.body, &kHere, cube.body, &kHit.start, &state), GRAZE_OK);
    EXPECT_EQ(state, GRAZE_START_SEPARATED);
    ASSERT_EQ(graze_rigid_start_state(cube.body, &kHere, cube.body, &kHit.end, &state), GRAZE_OK);
    EXPECT_EQ(state, GRAZE_START_CONTACT);
    graze_rigid_gap gap;
    ASSERT_EQ(graze_rigid_distance(cube.body, &kHere, cube.body, &kHit.start, nullptr, &gap),
              GRAZE_OK);
    EXPECT_LE(gap.lower, 2.0);
    EXPECT_GE(gap.upper, 2.0);
    EXPECT_LT(gap.upper - gap.lower, 1e-6);
    graze_body_info info;
    ASSERT_EQ(graze_body_inspect(cube.body, &info), GRAZE_OK);
    EXPECT_EQ(info.vertices, 8U);
    EXPECT_EQ(info.faces, 12U);
    EXPECT_EQ(info.edges, 18U);
    EXPECT_EQ(info.open_edges + info.non_manifold_edges + info.wrong_faces, 0U);
}

TEST(CInterfaceRigid, RefusesWrongPosesOptionsAndSurfaces) {
    const Cube cube;
    graze_rigid_result found;
    graze_body_step bent = kHit;
    bent.end.rotation[0] = 2.0;
    EXPECT_NE(graze_rigid_first_impact(cube.body, cube.body, &kRest, &bent, nullptr, &found),
              GRAZE_OK);
    EXPECT_NE(std::string(graze_last_error()).find("step_b"), std::string::npos);
    EXPECT_EQ(found.verdict, GRAZE_UNRESOLVED);
    graze_rigid_options options;
    ASSERT_EQ(graze_rigid_options_init(&options, sizeof options), GRAZE_OK);
    options.t_max = 2.0;
    EXPECT_EQ(graze_rigid_first_impact(cube.body, cube.body, &kRest, &kHit, &options, &found),
              GRAZE_INVALID_OPTION);
    options.t_max = 1.0;
    options.progress = [](void*, double) { return std::int32_t{1}; };
    options.stop = [](void*) { return std::int32_t{1}; };
    EXPECT_EQ(graze_rigid_first_impact(cube.body, cube.body, &kRest, &kHit, &options, &found),
              GRAZE_CANCELLED);
    EXPECT_EQ(found.verdict, GRAZE_UNRESOLVED);

    const graze_view view = packed(Cube::kCorners.data(), 8);
    graze_body body;
    const std::uint32_t corners[4] = {0, 1, 9, 2};
    const std::uint32_t counts[1] = {4};
    EXPECT_EQ(graze_body_create(&view, counts, 1, corners, 4, &body), GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(graze_body_create(&view, counts, 1, corners, 3, &body), GRAZE_WRONG_SIZE);
    EXPECT_EQ(graze_body_create(&view, nullptr, 0, corners, 4, &body), GRAZE_WRONG_SIZE);
    EXPECT_EQ(body.id, 0U);
}

// --- slide ---------------------------------------------------------------------------------------

template <class Real>
void expect_moves_of_the_library(graze_scalar scalar) {
    const std::vector<double> points = {-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9,
                                        4,  0, -9, 4, 5, -9, 4, 5, 9, 4,  0, 9};
    const std::vector<std::uint32_t> faces = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7};
    graze_level level;
    std::uint32_t part = 9;
    ASSERT_EQ(graze_level_create(scalar, &level), GRAZE_OK);
    const graze_view view = packed(points);
    ASSERT_EQ(graze_level_add_part(level, &view, faces.data(), 4, nullptr, 0, &part), GRAZE_OK);
    EXPECT_EQ(part, 0U);
    graze::slide::Level<Real> same;
    std::vector<graze::Vec<Real>> same_points;
    for (std::size_t i = 0; i < points.size(); i += 3)
        same_points.push_back({static_cast<Real>(points[i]), static_cast<Real>(points[i + 1]),
                               static_cast<Real>(points[i + 2])});
    std::vector<std::array<std::uint32_t, 3>> rows(4);
    std::memcpy(rows.data(), faces.data(), faces.size() * sizeof faces[0]);
    ASSERT_TRUE(same.add_part(same_points, rows).has_value());

    graze_mover mover;
    ASSERT_EQ(graze_mover_init(&mover, sizeof mover), GRAZE_OK);
    mover.radii[1] = 1.5;
    graze::slide::Shape<Real> shape{{Real{1}, static_cast<Real>(1.5), Real{1}}};
    double at[3] = {0, 1.75, 0};
    graze::Vec<Real> same_at{Real{0}, static_cast<Real>(1.75), Real{0}};
    const double by[3] = {0.5, -0.25, 0.125};
    const graze::Vec<Real> same_by{static_cast<Real>(0.5), static_cast<Real>(-0.25),
                                   static_cast<Real>(0.125)};
    graze_move move;
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(graze_level_slide(level, &mover, at, by, &move), GRAZE_OK) << graze_last_error();
        const auto moved = graze::slide::move_and_slide(same, shape, same_at, same_by);
        same_at = moved.position;
        for (std::size_t k = 0; k < 3; ++k) {
            at[k] = move.position[k];
            ASSERT_EQ(at[k], double{same_at[k]});
        }
        EXPECT_EQ(move.touch_count, moved.contact_count);
        EXPECT_EQ(move.gap_proved, 1);
    }
    EXPECT_GT(move.touch_count, 0);
    std::int32_t found = 0;
    double gap = 0.0;
    graze_touch touch;
    ASSERT_EQ(graze_level_gap(level, &mover, at, 1.0, &found, &gap, &touch), GRAZE_OK);
    EXPECT_EQ(found, 1);
    EXPECT_GE(gap, move.skin * 0.999);
    graze_sweep sweep;
    ASSERT_EQ(graze_level_sweep(level, &mover, at, by, 0.0, &sweep), GRAZE_OK);
    EXPECT_EQ(sweep.verdict, GRAZE_CONTACT);
    graze_snap snap;
    ASSERT_EQ(graze_level_snap(level, &mover, at, 1.0, &snap), GRAZE_OK);
    EXPECT_EQ(snap.action, GRAZE_ON_GROUND);
    mover.step_height = 0.5;
    ASSERT_EQ(graze_level_climb(level, &mover, at, by, &move), GRAZE_OK);
    EXPECT_EQ(move.gap_proved, 1);
    EXPECT_EQ(graze_level_move_part(level, 1, &view), GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(graze_level_replace_part(level, 0, &view, nullptr, 0, nullptr, 0), GRAZE_OK);
    ASSERT_EQ(graze_level_sweep(level, &mover, at, by, 0.0, &sweep), GRAZE_OK);
    EXPECT_EQ(sweep.verdict, GRAZE_SEPARATED);
    EXPECT_EQ(graze_level_destroy(level), GRAZE_OK);
}

TEST(CInterfaceSlide, MovesWithTheBitsOfTheLibraryInDouble) {
    expect_moves_of_the_library<double>(GRAZE_FLOAT64);
}

TEST(CInterfaceSlide, MovesWithTheBitsOfTheLibraryInFloat) {
    expect_moves_of_the_library<float>(GRAZE_FLOAT32);
}

TEST(CInterfaceSlide, MovesCapsulesAndTakesMoversWithoutThem) {
    const std::vector<double> floor = {-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9};
    const std::vector<std::uint32_t> faces = {0, 2, 1, 0, 3, 2};
    graze_level level;
    ASSERT_EQ(graze_level_create(GRAZE_FLOAT64, &level), GRAZE_OK);
    const graze_view view = packed(floor);
    std::uint32_t part = 0;
    ASSERT_EQ(graze_level_add_part(level, &view, faces.data(), 2, nullptr, 0, &part), GRAZE_OK);
    graze_mover mover;
    ASSERT_EQ(graze_mover_init(&mover, sizeof mover), GRAZE_OK);
    const double start[3] = {0, 4, 0};
    const double down[3] = {0, -4, 0};
    graze_sweep sweep;
    mover.half_axis[1] = 2.0;
    ASSERT_EQ(graze_level_sweep(level, &mover, start, down, 0.0, &sweep), GRAZE_OK);
    EXPECT_NEAR(sweep.toi_lower, 0.25, 1e-9);
    mover.half_axis[1] = kNan;
    EXPECT_EQ(graze_level_sweep(level, &mover, start, down, 0.0, &sweep), GRAZE_NOT_FINITE);
    EXPECT_NE(std::string(graze_last_error()).find("half_axis"), std::string::npos);
    mover.half_axis[1] = 0x1p1001;
    EXPECT_EQ(graze_level_sweep(level, &mover, start, down, 0.0, &sweep), GRAZE_INVALID_OPTION);
    // Of a program that was compiled before there were capsules: what lies behind is not read.
    ASSERT_EQ(graze_mover_init(&mover, 88), GRAZE_OK);
    EXPECT_EQ(mover.half_axis[1], 0x1p1001);
    ASSERT_EQ(graze_level_sweep(level, &mover, start, down, 0.0, &sweep), GRAZE_OK);
    EXPECT_NEAR(sweep.toi_lower, 0.75, 1e-9);
    for (const std::uint64_t between : {0U, 89U, 96U, 104U, 111U, 113U, 136U, 159U, 161U}) {
        EXPECT_EQ(graze_mover_init(&mover, between), GRAZE_WRONG_SIZE);
        mover.size = between;
        EXPECT_EQ(graze_level_sweep(level, &mover, start, down, 0.0, &sweep), GRAZE_WRONG_SIZE);
    }
    EXPECT_EQ(graze_level_destroy(level), GRAZE_OK);
}

// Onto a floor, in the numbers of the level.
template <class Real>
void expect_boxes_of_the_library(graze_scalar scalar) {
    const std::vector<double> floor = {-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9};
    const std::vector<std::uint32_t> faces = {0, 2, 1, 0, 3, 2};
    graze_level level;
    ASSERT_EQ(graze_level_create(scalar, &level), GRAZE_OK);
    const graze_view view = packed(floor);
    std::uint32_t part = 0;
    ASSERT_EQ(graze_level_add_part(level, &view, faces.data(), 2, nullptr, 0, &part), GRAZE_OK);
    graze::slide::Level<Real> same;
    std::vector<graze::Vec<Real>> points;
    for (std::size_t i = 0; i < floor.size(); i += 3)
        points.push_back(graze::slide::narrowed<Real>({floor[i], floor[i + 1], floor[i + 2]}));
    const std::vector<std::array<std::uint32_t, 3>> triangles = {{0, 2, 1}, {0, 3, 2}};
    ASSERT_TRUE(same.add_part(points, triangles));
    const double half[3] = {0.5, 0.75, 0.4};
    const double rotation[4] = {0.8, 0.0, 0.6, 0.0};
    const double start[3] = {0.1, 2.0, 0.3};
    const double by[3] = {1.0, -3.0, 0.25};
    for (const double* q : {static_cast<const double*>(nullptr), rotation}) {
        graze_mover mover;
        ASSERT_EQ(graze_mover_init(&mover, sizeof mover), GRAZE_OK);
        ASSERT_EQ(graze_mover_set_box(&mover, scalar, half, 0.125, q), GRAZE_OK);
        graze_move move;
        ASSERT_EQ(graze_level_slide(level, &mover, start, by, &move), GRAZE_OK);
        const graze::Quaternion turned =
            q == nullptr ? graze::Quaternion{} : graze::Quaternion{q[0], q[1], q[2], q[3]};
        const auto box =
            graze::slide::rounded_box(graze::slide::narrowed<Real>({half[0], half[1], half[2]}),
                                      static_cast<Real>(0.125), turned);
        const auto expected =
            graze::slide::move_and_slide(same, box, graze::slide::narrowed<Real>({0.1, 2.0, 0.3}),
                                         graze::slide::narrowed<Real>({1.0, -3.0, 0.25}));
        EXPECT_EQ(move.gap_proved, 1);
        EXPECT_EQ(move.position[0], double{expected.position.x});
        EXPECT_EQ(move.position[1], double{expected.position.y});
        EXPECT_EQ(move.position[2], double{expected.position.z});
        EXPECT_GT(move.position[1], 0.75);
        EXPECT_LT(move.position[1], 0.76);
    }
    EXPECT_EQ(graze_level_destroy(level), GRAZE_OK);
}

TEST(CInterfaceSlide, MovesBoxesWithTheBitsOfTheLibraryInDouble) {
    expect_boxes_of_the_library<double>(GRAZE_FLOAT64);
}

TEST(CInterfaceSlide, MovesBoxesWithTheBitsOfTheLibraryInFloat) {
    expect_boxes_of_the_library<float>(GRAZE_FLOAT32);
}

TEST(CInterfaceSlide, RefusesWhatIsNoBox) {
    graze_level level;
    ASSERT_EQ(graze_level_create(GRAZE_FLOAT64, &level), GRAZE_OK);
    graze_mover mover;
    ASSERT_EQ(graze_mover_init(&mover, sizeof mover), GRAZE_OK);
    const graze_mover untouched = mover;
    const double half[3] = {0.5, 0.75, 0.4};
    const double no_rotation[4] = {0.5, 0.0, 0.6, 0.0};
    const double odd_rotation[4] = {kNan, 0.0, 0.6, 0.0};
    for (const double rounding : {0.0, -0.1, 0.41, kNan, graze::kInfinity}) {
        EXPECT_NE(graze_mover_set_box(&mover, GRAZE_FLOAT64, half, rounding, nullptr), GRAZE_OK);
    }
    EXPECT_EQ(graze_mover_set_box(&mover, GRAZE_FLOAT64, half, 0.1, no_rotation),
              GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(graze_mover_set_box(&mover, GRAZE_FLOAT64, half, 0.1, odd_rotation),
              GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(graze_mover_set_box(&mover, 7, half, 0.1, nullptr), GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(graze_mover_set_box(&mover, GRAZE_FLOAT64, nullptr, 0.1, nullptr),
              GRAZE_NULL_POINTER);
    EXPECT_EQ(graze_mover_set_box(nullptr, GRAZE_FLOAT64, half, 0.1, nullptr), GRAZE_NULL_POINTER);
    EXPECT_EQ(std::memcmp(&mover, &untouched, sizeof mover), 0);
    // Of a program that was compiled before there were boxes.
    mover.size = 112;
    EXPECT_EQ(graze_mover_set_box(&mover, GRAZE_FLOAT64, half, 0.1, nullptr), GRAZE_WRONG_SIZE);
    mover.size = sizeof mover;
    // Axes of one's own that lean.
    mover.half_axis[1] = 1.0;
    mover.side_axes[0][0] = 1.0;
    mover.side_axes[0][1] = 0.5;
    const double start[3] = {0, 4, 0};
    const double down[3] = {0, -4, 0};
    graze_sweep sweep;
    EXPECT_EQ(graze_level_sweep(level, &mover, start, down, 0.0, &sweep), GRAZE_INVALID_OPTION);
    EXPECT_NE(std::string(graze_last_error()).find("graze_mover_set_box"), std::string::npos);
    mover.side_axes[0][1] = 0.0;
    EXPECT_EQ(graze_level_sweep(level, &mover, start, down, 0.0, &sweep), GRAZE_OK);
    mover.side_axes[1][1] = kNan;
    EXPECT_EQ(graze_level_sweep(level, &mover, start, down, 0.0, &sweep), GRAZE_NOT_FINITE);
    EXPECT_EQ(graze_level_destroy(level), GRAZE_OK);
}

TEST(CInterfaceSlide, RefusesNumbersThatTheLevelCannotHold) {
    graze_level level;
    ASSERT_EQ(graze_level_create(GRAZE_FLOAT32, &level), GRAZE_OK);
    graze_mover mover;
    ASSERT_EQ(graze_mover_init(&mover, sizeof mover), GRAZE_OK);
    graze_move move;
    const double far[3] = {1e39, 0, 0};
    const double zero[3] = {0, 0, 0};
    EXPECT_EQ(graze_level_slide(level, &mover, far, zero, &move), GRAZE_NOT_FINITE);
    EXPECT_EQ(move.gap_proved, 0);
    mover.radii[2] = 1e-60;  // no float but 0
    EXPECT_EQ(graze_level_slide(level, &mover, zero, zero, &move), GRAZE_INVALID_OPTION);
    EXPECT_EQ(graze_level_create(2, &level), GRAZE_OUT_OF_RANGE);
    EXPECT_EQ(level.id, 0U);
}

}  // namespace

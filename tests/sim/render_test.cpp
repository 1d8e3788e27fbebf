#include "graze/sim/render.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace graze::sim {
namespace {

constexpr Colour kRed{0.9, 0.1, 0.1};
constexpr Colour kBlue{0.1, 0.1, 0.9};

// From -y, z up: x of the scene is x of the picture.
Camera from_the_front() {
    return {{0.0, -10.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}, 0.6};
}

RenderOptions small() {
    RenderOptions options;
    options.width = 80;
    options.height = 60;
    return options;
}

bool is_red(const std::array<std::uint8_t, 3>& p) {
    return p[0] > p[2] + 60;
}
bool is_blue(const std::array<std::uint8_t, 3>& p) {
    return p[2] > p[0] + 60;
}

TEST(RenderTest, DrawsATriangleWhereItShouldBe) {
    const std::vector<Vec3> x = {{-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}};
    const std::vector<FaceIndices> faces = {{0, 1, 2}};
    const std::vector<Colour> colours = {kRed};
    const auto image = render({x, faces, {}, {}, colours}, from_the_front(), small());
    ASSERT_TRUE(image);
    ASSERT_EQ(image->rgb.size(), 3u * 80 * 60);
    // Half of 60 pixels are 10 tan 0.3 = 3.09 units: 9.7 pixels per unit.
    EXPECT_TRUE(is_red(image->pixel(40 - 5, 30 + 5)));   // lower left of the middle: inside
    EXPECT_FALSE(is_red(image->pixel(40 + 5, 30 - 5)));  // upper right: outside
    EXPECT_FALSE(is_red(image->pixel(40 - 12, 30)));
    EXPECT_FALSE(is_red(image->pixel(40, 30 + 12)));
}

TEST(RenderTest, HidesWhatIsBehind) {
    const std::vector<Vec3> x = {{-1, -1, -1}, {1, -1, -1}, {0, -1, 1},  // in front
                                 {-2, 1, -1},  {2, 1, -1},  {0, 1, 2}};
    const std::vector<std::uint32_t> body = {0, 0, 0, 1, 1, 1};
    const std::vector<Colour> colours = {kRed, kBlue};
    for (const bool front_first : {true, false}) {
        std::vector<FaceIndices> faces = {{0, 1, 2}, {3, 4, 5}};
        if (!front_first) std::swap(faces[0], faces[1]);
        const auto image = render({x, faces, {}, body, colours}, from_the_front(), small());
        ASSERT_TRUE(image);
        EXPECT_TRUE(is_red(image->pixel(40, 32)));
        EXPECT_TRUE(is_blue(image->pixel(40 - 13, 38)));
    }
}

TEST(RenderTest, DrawsTheNearerOneAlongALineThroughTwoThatCross) {
    // Two triangles through each other: left of the middle one is nearer, right of it the other.
    const std::vector<Vec3> x = {{-2, -1, -2}, {2, 1, -2},  {0, 0, 2},
                                 {-2, 1, -2},  {2, -1, -2}, {0, 0, 2}};
    const std::vector<FaceIndices> faces = {{0, 1, 2}, {3, 4, 5}};
    const std::vector<std::uint32_t> body = {0, 0, 0, 1, 1, 1};
    const std::vector<Colour> colours = {kRed, kBlue};
    const auto image = render({x, faces, {}, body, colours}, from_the_front(), small());
    ASSERT_TRUE(image);
    EXPECT_TRUE(is_red(image->pixel(40 - 6, 40)));
    EXPECT_TRUE(is_blue(image->pixel(40 + 6, 40)));
}

TEST(RenderTest, CastsAShadowOnTheFloorAndOnOthers) {
    const std::vector<Vec3> x = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    const std::vector<FaceIndices> faces = {{0, 1, 2}, {0, 2, 3}};
    RenderOptions options = small();
    options.floor = -1.0;
    options.light = {0.0, 0.0, 1.0};
    Camera camera = from_the_front();
    camera.eye = {0.0, -10.0, 4.0};
    const auto with = render({x, faces}, camera, options);
    options.shadows = false;
    const auto without = render({x, faces}, camera, options);
    ASSERT_TRUE(with);
    ASSERT_TRUE(without);
    // (0, -0.9, -1) is on the floor under the near edge.
    EXPECT_LT(with->pixel(40, 38)[0] + 20, without->pixel(40, 38)[0]);
    EXPECT_EQ(with->pixel(5, 38), without->pixel(5, 38));
}

TEST(RenderTest, DrawsStrands) {
    const std::vector<Vec3> x = {{-1, 0, 0}, {1, 0, 0}};
    const std::vector<EdgeIndices> strands = {{0, 1}};
    const std::vector<Colour> colours = {kRed};
    const auto image = render({x, {}, strands, {}, colours, 0.3}, from_the_front(), small());
    ASSERT_TRUE(image);
    EXPECT_TRUE(is_red(image->pixel(40, 30)));
    EXPECT_FALSE(is_red(image->pixel(40, 34)));
    EXPECT_FALSE(is_red(image->pixel(52, 30)));
}

TEST(RenderTest, LeavesOutWhatIsBehindTheEyeOrNotFinite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec3> x = {{-1, -20, -1}, {1, -20, -1}, {0, -20, 1}, {nan, 0, 0}};
    const std::vector<FaceIndices> faces = {{0, 1, 2}, {0, 1, 3}};
    const auto image = render({x, faces}, from_the_front(), small());
    ASSERT_TRUE(image);
    for (std::size_t i = 3; i < image->rgb.size(); ++i)
        ASSERT_EQ(image->rgb[i], image->rgb[i % 3]);
}

TEST(RenderTest, RefusesSizesOutOfRange) {
    RenderOptions options;
    options.width = 0;
    EXPECT_FALSE(render({}, from_the_front(), options));
    options = {};
    options.samples = 9;
    EXPECT_FALSE(render({}, from_the_front(), options));
}

TEST(CameraTest, SeesAllPositionsFromAnyDirection) {
    const std::vector<Vec3> x = {{-3, 1, 0}, {5, 2, 1}, {0, -4, 7}, {2, 2, -2}};
    const std::vector<Vec3> directions = {
        {0, -1, 0}, {1, 1, 1}, {0, 0, 1}, {0, 0, -2}, {3, 0, 0.1}};
    for (const Vec3& direction : directions) {
        // A small triangle at each position: all are in the picture.
        for (const Vec3& p : x) {
            const Camera camera = fitted_camera(x, direction);
            const Vec3 s{0.8, 0.8, 0.8};
            const std::vector<Vec3> corners = {p, p + Vec3{s.x, 0, 0}, p + Vec3{0, s.y, 0},
                                               p + Vec3{0, 0, s.z}};
            const std::vector<FaceIndices> faces = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
            const std::vector<Colour> colours = {kRed};
            const auto image = render({corners, faces, {}, {}, colours}, camera, small());
            ASSERT_TRUE(image);
            bool seen = false;
            for (std::uint32_t i = 0; i < 80 * 60; ++i)
                seen = seen || is_red(image->pixel(i % 80, i / 80));
            EXPECT_TRUE(seen);
        }
    }
}

TEST(PngTest, WritesAFileWithItsSignatureAndSize) {
    const Image image{2, 3, std::vector<std::uint8_t>(18, 128)};
    const auto path = std::filesystem::temp_directory_path() / "graze_render_test.png";
    ASSERT_TRUE(write_png(path, image));
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(bytes.substr(1, 3), "PNG");
    EXPECT_EQ(bytes[19], 2);
    EXPECT_EQ(bytes[23], 3);
    std::filesystem::remove(path);
    EXPECT_FALSE(to_png({2, 3, {1, 2}}));
}

}  // namespace
}  // namespace graze::sim

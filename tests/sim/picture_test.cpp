#include "graze/sim/picture.hpp"

#include <gtest/gtest.h>

#include "graze/sim/scene.hpp"

namespace graze::sim {
namespace {

Model small_model() {
    return cloth_scenes().front().make({0.3});
}

TEST(PictureTest, IsTheSameFileForTheSameState) {
    const Model model = small_model();
    const std::vector<Vec3> x = start_state(model).x;
    const auto one = picture_png(model, x, {64, 48});
    const auto two = picture_png(model, x, {64, 48});
    ASSERT_TRUE(one);
    ASSERT_TRUE(two);
    EXPECT_EQ(*one, *two);
    EXPECT_EQ(one->substr(1, 3), "PNG");
}

TEST(RunPageTest, ShowsPlotsPicturesAndCounts) {
    Model model = small_model();
    model.name = "a <b> & c";
    std::vector<FrameStats> frames(3);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        frames[i].frame = i + 1;
        frames[i].tested = 1000 + i;
        frames[i].seconds = 2.0;
        frames[i].seconds_detection = 0.5;
    }
    frames[1].crossings = 77;
    const std::vector<std::string> pictures = {"frame_000000.png", "frame_000001.png"};
    const std::string page = run_page(model, frames, pictures);
    EXPECT_NE(page.find("a &lt;b> &amp; c"), std::string::npos);
    EXPECT_NE(page.find("src=\"frame_000001.png\""), std::string::npos);
    EXPECT_NE(page.find("<td>3003</td>"), std::string::npos);  // all pairs that were tested
    EXPECT_NE(page.find("<td class=\"bad\">77</td>"), std::string::npos);
    EXPECT_NE(page.find("Detection: 25 % of the time"), std::string::npos);
    EXPECT_NE(page.find("<polyline"), std::string::npos);
    EXPECT_EQ(page.find("nan"), std::string::npos);
    EXPECT_EQ(page.find("inf"), std::string::npos);
    EXPECT_EQ(page.find("<script"), std::string::npos);
}

TEST(RunPageTest, ShowsCountsOfIntersectionsOnlyWhereAllStepsWereChecked) {
    const std::string nothing_known = "<td>-</td><td>-</td>";  // intersections, crossings
    std::vector<FrameStats> frames(1);
    frames[0].steps = 2;
    EXPECT_NE(run_page(small_model(), frames, {}).find(nothing_known), std::string::npos);
    frames[0].checked = 1;
    EXPECT_NE(run_page(small_model(), frames, {}).find(nothing_known), std::string::npos);
    frames[0].checked = 2;
    EXPECT_EQ(run_page(small_model(), frames, {}).find("<td>-</td>"), std::string::npos);
}

TEST(RunPageTest, StandsWithoutFrames) {
    const std::string page = run_page(small_model(), {}, {});
    EXPECT_NE(page.find("</html>"), std::string::npos);
}

}  // namespace
}  // namespace graze::sim

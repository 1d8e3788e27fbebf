// The tree against a comparison of every box with every box.
// Defends G-MESH-1 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "graze/broad/box_tree.hpp"

namespace graze {
namespace {

class Collected final : public PairSink {
public:
    void take(std::span<const IndexPair> pairs) override {
        largest_portion = std::max(largest_portion, pairs.size());
        all.insert(all.end(), pairs.begin(), pairs.end());
    }
    [[nodiscard]] std::vector<IndexPair> sorted() const {
        std::vector<IndexPair> copy = all;
        std::sort(copy.begin(), copy.end());
        return copy;
    }
    std::vector<IndexPair> all;
    std::size_t largest_portion = 0;
};

// Small boxes in a cube, some of them points, some equal, one in fifty large.
std::vector<GridBox> random_boxes(std::size_t count, std::uint64_t seed, double size) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    Box scene;
    scene.add({-1.0, -1.0, -1.0});
    scene.add({1.0, 1.0, 1.0});
    const Grid grid(scene);
    std::vector<GridBox> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 10 == 9) {
            boxes.push_back(boxes[i / 2]);
            continue;
        }
        const Vec3 a{unit(random), unit(random), unit(random)};
        const double s = i % 50 == 0 ? 1.0 : i % 7 == 0 ? 0.0 : size;
        const Vec3 b = a + Vec3{s * unit(random), s * unit(random), s * unit(random)};
        boxes.push_back(grid.around(a, b, 1.0, 0.0));
    }
    return boxes;
}

std::vector<IndexPair> exhaustive(const std::vector<GridBox>& a, const std::vector<GridBox>& b) {
    std::vector<IndexPair> pairs;
    for (std::uint32_t i = 0; i < a.size(); ++i)
        for (std::uint32_t j = 0; j < b.size(); ++j)
            if (overlap(a[i], b[j])) pairs.push_back({i, j});
    return pairs;
}
std::vector<IndexPair> exhaustive(const std::vector<GridBox>& a) {
    std::vector<IndexPair> pairs = exhaustive(a, a);
    std::erase_if(pairs, [](const IndexPair& pair) { return pair.first >= pair.second; });
    return pairs;
}

template <class Search>
std::vector<IndexPair> found(const Search& a, const Search& b) {
    Collected pairs;
    for (std::size_t block = 0; block < a.blocks(); ++block)
        a.search(block, b, pairs);
    EXPECT_LE(pairs.largest_portion, PairSink::kPortion);
    return pairs.sorted();
}
template <class Search>
std::vector<IndexPair> found(const Search& a) {
    Collected pairs;
    for (std::size_t block = 0; block < a.blocks(); ++block)
        a.search_self(block, pairs);
    EXPECT_LE(pairs.largest_portion, PairSink::kPortion);
    return pairs.sorted();
}

constexpr std::size_t kCounts[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 513, 1500};

TEST(BoxTree, FindsEveryPairOfOneList) {
    for (const std::size_t count : kCounts) {
        for (const double size : {0.02, 0.3}) {
            const std::vector<GridBox> boxes = random_boxes(count, count + 1, size);
            BoxTree tree;
            tree.build(boxes);
            EXPECT_EQ(found(tree), exhaustive(boxes)) << count << ' ' << size;
        }
    }
}

TEST(BoxTree, FindsEveryPairOfTwoLists) {
    for (const std::size_t count : kCounts) {
        for (const std::size_t other : {std::size_t{0}, std::size_t{1}, std::size_t{300}}) {
            const std::vector<GridBox> a = random_boxes(count, 3, 0.1);
            const std::vector<GridBox> b = random_boxes(other, 4, 0.1);
            BoxTree tree_a;
            BoxTree tree_b;
            tree_a.build(a);
            tree_b.build(b);
            EXPECT_EQ(found(tree_a, tree_b), exhaustive(a, b)) << count << ' ' << other;
        }
    }
}

TEST(BoxTree, IsRightForBoxesThatMovedAway) {
    const std::vector<GridBox> before = random_boxes(700, 11, 0.1);
    const std::vector<GridBox> after = random_boxes(700, 12, 0.1);
    BoxTree tree;
    tree.build(before);
    tree.refit(after);
    EXPECT_EQ(found(tree), exhaustive(after));
    tree.build(random_boxes(20, 13, 0.1));
    EXPECT_EQ(found(tree), exhaustive(random_boxes(20, 13, 0.1)));
}

TEST(BoxTree, HandsOverEveryPairOfManyThatAllOverlap) {
    std::vector<GridBox> boxes = random_boxes(1, 1, 0.1);
    boxes.resize(400, boxes.front());
    BoxTree tree;
    tree.build(boxes);
    EXPECT_EQ(found(tree).size(), 400U * 399U / 2U);
}

TEST(BoxTree, GivesPairsInTheOrderOfSpace) {
    // Neighbours in the list of pairs are neighbours in space: the mean distance of the first boxes
    // of consecutive pairs is far below that of any two.
    std::vector<GridBox> boxes = random_boxes(3000, 21, 0.05);
    BoxTree tree;
    tree.build(boxes);
    Collected pairs;
    for (std::size_t block = 0; block < tree.blocks(); ++block)
        tree.search_self(block, pairs);
    double sum = 0.0;
    for (std::size_t i = 1; i < pairs.all.size(); ++i) {
        const GridBox& a = boxes[pairs.all[i - 1].first];
        const GridBox& b = boxes[pairs.all[i].first];
        sum += std::abs(a.lower[0] - b.lower[0]);
    }
    EXPECT_LT(sum / static_cast<double>(pairs.all.size()), 0.25);
}

// Parts in any order, of any size: as several threads would do them.
void backwards(std::size_t count, std::size_t, const RangeBody& body) {
    constexpr std::size_t kPart = 7;
    for (std::size_t begin = (count + kPart - 1) / kPart * kPart; begin > 0; begin -= kPart)
        body(begin - kPart, std::min(count, begin));
}

TEST(BoxTree, FindsTheSamePairsByGroupsAsByBlocks) {
    for (const std::size_t count : {0UL, 1UL, 8UL, 9UL, 64UL, 65UL, 700UL, 5000UL}) {
        const std::vector<GridBox> boxes = random_boxes(count, count, 0.2);
        const std::vector<GridBox> others = random_boxes(count / 2 + 1, count + 1, 0.1);
        BoxTree tree;
        BoxTree other;
        tree.build(boxes);
        other.build(others);
        Collected self;
        Collected both;
        for (std::size_t group = 0; group < tree.groups(); ++group) {
            tree.search_self_group(group, self);
            tree.search_group(group, other, both);
        }
        EXPECT_EQ(self.sorted(), found(tree)) << count;
        EXPECT_EQ(both.sorted(), found(tree, other)) << count;
    }
}

TEST(BoxTree, IsTheSameHoweverItsLoopsAreSplit) {
    const std::vector<GridBox> boxes = random_boxes(40000, 3, 0.02);
    const auto box_at = [&](std::size_t i) -> const GridBox& { return boxes[i]; };
    const CurveShape shape = CurveShape::for_boxes({0.02F, 0.01F, 0.0F});
    std::array<Collected, 2> pairs;
    const std::array<RangeRunner, 2> runners = {in_sequence, backwards};
    for (std::size_t i = 0; i < runners.size(); ++i) {
        BoxTree tree;
        SortBuffers buffers;
        tree.build(boxes.size(), box_at, box_at, buffers, shape, runners[i]);
        for (std::size_t block = 0; block < tree.blocks(); block += 50)
            tree.search_self(block, pairs[i]);
    }
    EXPECT_EQ(pairs[0].all, pairs[1].all);
}

TEST(BoxTree, FindsEveryPairWhateverTheShapeOfTheCurve) {
    const std::vector<GridBox> boxes = random_boxes(1500, 5, 0.1);
    const auto box_at = [&](std::size_t i) -> const GridBox& { return boxes[i]; };
    const std::vector<IndexPair> all = exhaustive(boxes);
    for (const std::array<float, 3>& extents :
         {std::array{0.0F, 0.0F, 0.0F}, std::array{1.0F, 1e-30F, 1.0F},
          std::array{1e-30F, 1e30F, 1e30F}, std::array{0.1F, 0.2F, 2.0F}}) {
        BoxTree tree;
        SortBuffers buffers;
        tree.build(boxes.size(), box_at, box_at, buffers, CurveShape::for_boxes(extents),
                   in_sequence);
        EXPECT_EQ(found(tree), all);
    }
}

TEST(CurveShape, HasNoCellsAcrossASheetThatIsOneBoxThick) {
    const CurveShape shape = CurveShape::for_boxes({0x1p-9F, 0x1p-9F, 1.0F});
    // The first eight halvings of x and y each come before the first of z.
    for (std::size_t bit = CurveShape::kBits - 16; bit < CurveShape::kBits; ++bit)
        EXPECT_LT(shape.axis_of[bit], 2) << bit;
    std::array<std::size_t, 3> bits{};
    for (const std::uint8_t axis : shape.axis_of)
        ++bits.at(axis);
    EXPECT_LE(*std::max_element(bits.begin(), bits.end()), CurveShape::kMostPerAxis);
}

}  // namespace
}  // namespace graze

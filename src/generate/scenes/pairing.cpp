// Pairs in reach, which of them are near, and how many are kept.
#include <algorithm>
#include <cmath>

#include "generate/scenes/bodies.hpp"
#include "graze/broad/wide_tree.hpp"

namespace graze::generate {
namespace {

// A primitive with the box of its path; `side` distinguishes the two lists.
struct Item {
    Box box;
    std::uint32_t index = 0;
    std::uint8_t side = 0;
};

template <std::size_t N>
Item swept(const SceneStep& step, const std::array<std::uint32_t, N>& corners, std::uint32_t index,
           std::uint8_t side) {
    Item item{{}, index, side};
    for (const std::uint32_t c : corners) {
        item.box.add(step.start[c]);
        item.box.add(step.end[c]);
    }
    return item;
}

std::vector<Item> items_of(const QueryScene& scene, QueryKind kind, const SceneStep& step) {
    std::vector<Item> items;
    if (kind == QueryKind::EdgeEdge) {
        for (std::uint32_t i = 0; i < scene.edges.size(); ++i)
            items.push_back(swept(step, scene.edges[i], i, 0));
        return items;
    }
    for (std::uint32_t i = 0; i < step.start.size(); ++i)
        items.push_back(swept(step, std::array{i}, i, 0));
    for (std::uint32_t i = 0; i < scene.faces.size(); ++i)
        items.push_back(swept(step, scene.faces[i], i, 1));
    return items;
}

bool overlaps(const Box& a, const Box& b) noexcept {
    bool result = true;
    for (std::size_t axis = 0; axis < 3; ++axis)
        result &= a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis];
    return result;
}

template <std::size_t N, std::size_t M>
bool may_meet(const QueryScene& scene, const std::array<std::uint32_t, N>& a,
              const std::array<std::uint32_t, M>& b) noexcept {
    const std::uint32_t body = scene.body[a[0]];
    if (body == scene.body[b[0]] && scene.bends[body] == 0) return false;
    for (const std::uint32_t corner : a) {
        if (std::find(b.begin(), b.end(), corner) != b.end()) return false;
    }
    return true;
}

// The pair in the order of the query, if these two are one.
std::optional<ScenePair> pair_of(const QueryScene& scene, QueryKind kind, const Item& a,
                                 const Item& b) {
    if (kind == QueryKind::EdgeEdge) {
        if (!may_meet(scene, scene.edges[a.index], scene.edges[b.index])) return std::nullopt;
        return ScenePair{0, std::min(a.index, b.index), std::max(a.index, b.index)};
    }
    if (a.side == b.side) return std::nullopt;
    const Item& vertex = a.side == 0 ? a : b;
    const Item& face = a.side == 0 ? b : a;
    if (!may_meet(scene, std::array{vertex.index}, scene.faces[face.index])) return std::nullopt;
    return ScenePair{0, vertex.index, face.index};
}

// A tree over the items, on floats: what it finds is compared as doubles.
struct ItemTree {
    FloatMap<3> map;
    std::vector<std::uint32_t> order;  // the item at each position
    WideTree<3> tree;
};

ItemTree tree_over(std::span<const Item> items) {
    Box scene;
    for (const Item& item : items) {
        scene.add(item.box.lower);
        scene.add(item.box.upper);
    }
    ItemTree result;
    result.map = float_map_around(scene);
    std::vector<FloatBox<3>> boxes(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        boxes[i] = result.map.map(items[i].box);
    result.order = median_order(boxes);
    result.tree.resize(boxes.size());
    result.tree.fit([&](std::size_t i) { return boxes[result.order[i]]; });
    return result;
}

}  // namespace

std::vector<ScenePair> pairs_in_reach(const QueryScene& scene, QueryKind kind, std::uint32_t step) {
    const std::vector<Item> items = items_of(scene, kind, scene.steps[step]);
    const ItemTree tree = tree_over(items);
    std::vector<ScenePair> pairs;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::vector<std::uint32_t> found;  // each pair of items once
        tree.tree.search(tree.map.map(items[i].box), [&](std::uint32_t position) {
            if (tree.order[position] > i) found.push_back(tree.order[position]);
            return true;
        });
        for (const std::uint32_t k : found) {
            if (!overlaps(items[i].box, items[k].box)) continue;
            if (auto pair = pair_of(scene, kind, items[i], items[k])) {
                pair->step = step;
                pairs.push_back(*pair);
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

io::QueryRecord query_of(const QueryScene& scene, QueryKind kind, const ScenePair& pair) {
    const SceneStep& step = scene.steps[pair.step];
    const auto corner = [&](std::uint32_t i) { return MovingPoint{step.start[i], step.end[i]}; };
    io::QueryRecord record;
    if (kind == QueryKind::EdgeEdge) {
        const auto& a = scene.edges[pair.first];
        const auto& b = scene.edges[pair.second];
        record.corners = {corner(a[0]), corner(a[1]), corner(b[0]), corner(b[1])};
    } else {
        const auto& f = scene.faces[pair.second];
        record.corners = {corner(pair.first), corner(f[0]), corner(f[1]), corner(f[2])};
    }
    return record;
}

namespace {

// Corner positions at one end of the step.
using Positions = std::array<Vec3, 4>;

std::array<Positions, 2> both_ends(const io::QueryRecord& record) noexcept {
    std::array<Positions, 2> ends;
    for (std::size_t c = 0; c < 4; ++c) {
        ends[0][c] = record.corners[c].start;
        ends[1][c] = record.corners[c].end;
    }
    return ends;
}

// The differences between vertices of the two primitives.
struct Differences {
    std::array<Vec3, 4> d;
    std::size_t count = 0;
};

Differences differences(const Positions& x, QueryKind kind) noexcept {
    if (kind == QueryKind::EdgeEdge)
        return {{x[2] - x[0], x[3] - x[0], x[2] - x[1], x[3] - x[1]}, 4};
    return {{x[1] - x[0], x[2] - x[0], x[3] - x[0], {}}, 3};
}

// Across both primitives, and from one centre to the other.
std::array<Vec3, 2> directions(const Positions& x, QueryKind kind) noexcept {
    const Differences all = differences(x, kind);
    Vec3 sum;
    for (std::size_t i = 0; i < all.count; ++i)
        sum = sum + all.d[i];
    const Vec3 across = kind == QueryKind::EdgeEdge ? cross(x[1] - x[0], x[3] - x[2])
                                                    : cross(x[2] - x[1], x[3] - x[1]);
    return {across, sum};
}

double size_of(const std::array<Differences, 2>& ends) noexcept {
    double size = 0.0;
    for (const Differences& end : ends) {
        for (std::size_t i = 0; i < end.count; ++i)
            size = std::max(size, norm_sq(end.d[i]));
    }
    return std::sqrt(size);
}

// How far the direction separates them at both ends, and so between: paths are straight.
double gap_along(const std::array<Differences, 2>& ends, const Vec3& direction) noexcept {
    double low = dot(ends[0].d[0], direction);
    double high = low;
    for (const Differences& end : ends) {
        for (std::size_t i = 0; i < end.count; ++i) {
            low = std::min(low, dot(end.d[i], direction));
            high = std::max(high, dot(end.d[i], direction));
        }
    }
    return std::max(low, -high);
}

}  // namespace

bool is_near(const io::QueryRecord& record, QueryKind kind) noexcept {
    const std::array<Positions, 2> x = both_ends(record);
    const std::array<Differences, 2> ends = {differences(x[0], kind), differences(x[1], kind)};
    std::array<Vec3, 7> tried = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, {}, {}, {}, {}};
    for (std::size_t end = 0; end < 2; ++end) {
        const std::array<Vec3, 2> two = directions(x[end], kind);
        tried[3 + 2 * end] = two[0];
        tried[4 + 2 * end] = two[1];
    }
    const double margin = size_of(ends) / 32.0;
    return std::none_of(tried.begin(), tried.end(), [&](const Vec3& direction) {
        return gap_along(ends, direction) > margin * length(direction);
    });
}

std::vector<std::size_t> evenly_spread(std::size_t wanted, std::size_t total) {
    std::vector<std::size_t> picked;
    const std::size_t count = std::min(wanted, total);
    for (std::size_t i = 0; i < count; ++i)
        picked.push_back(i * total / count);  // strictly ascending, since total / count >= 1
    return picked;
}

std::vector<std::size_t> thinned(std::span<const PairClass> candidates, std::size_t wanted) {
    std::array<std::vector<std::size_t>, 3> of_class;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        of_class[static_cast<std::size_t>(candidates[i])].push_back(i);
    const auto& [far, near, touching] = of_class;
    std::array<std::size_t, 3> quota{};
    auto& [far_quota, near_quota, touching_quota] = quota;
    touching_quota = std::min(touching.size(), wanted / 8);
    near_quota = std::min(near.size(), wanted - wanted / 4 - touching_quota);
    far_quota = std::min(far.size(), wanted - touching_quota - near_quota);
    std::size_t missing = wanted - touching_quota - near_quota - far_quota;
    for (const std::size_t next : {std::size_t{1}, std::size_t{0}, std::size_t{2}}) {
        const std::size_t more = std::min(missing, of_class[next].size() - quota[next]);
        quota[next] += more;
        missing -= more;
    }
    std::vector<std::size_t> kept;
    for (std::size_t c = 0; c < of_class.size(); ++c) {
        for (const std::size_t i : evenly_spread(quota[c], of_class[c].size()))
            kept.push_back(of_class[c][i]);
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

}  // namespace graze::generate

// A binary tree over boxes in the order of a Morton curve (Karras, Maximizing Parallelism in the
// Construction of BVHs, Octrees, and k-d Trees, 2012), and the search of pairs in it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cuda/boxes.cuh"
#include "cuda/device.cuh"

namespace graze::cuda {

// Both children with their boxes on x, y and z: one load decides on both. A child that is a leaf is
// ~position. `last` is the last position below the child: a search of the tree in itself visits
// later ones only.
struct alignas(64) TreeNode {
    float lower[2][3];
    float upper[2][3];
    std::int32_t child[2];
    std::uint32_t last[2];
};

// Leaves in Morton order. One leaf has no node.
struct TreeView {
    const TreeNode* nodes;
    const Dop* boxes;            // by position
    const Diagonals* diagonals;  // of them
    const std::uint32_t* names;  // element at each position
    std::uint32_t count;
};

// Bits of x at every third position.
__device__ inline std::uint32_t spread(std::uint32_t x) {
    x = (x | (x << 16)) & 0x030000ffU;
    x = (x | (x << 8)) & 0x0300f00fU;
    x = (x | (x << 4)) & 0x030c30c3U;
    return (x | (x << 2)) & 0x09249249U;
}

// The map puts the scene into [-2, 2], about; what is outside is clamped: worse, not wrong.
static __global__ void morton_codes(const Dop* boxes, std::uint32_t count, std::uint32_t* codes,
                                    std::uint32_t* names) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    std::uint32_t code = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const float middle = 0.5F * (boxes[i].lower[axis] + boxes[i].upper[axis]);
        const float cell = fminf(fmaxf((middle + 1.0F) * 512.0F, 0.0F), 1023.0F);
        code |= spread(static_cast<std::uint32_t>(cell)) << axis;
    }
    codes[i] = code;
    names[i] = i;
}

// The length of the common prefix of the codes at two positions, positions telling equal ones apart;
// -1 outside.
__device__ inline int common_prefix(const std::uint32_t* codes, int count, int i, int j) {
    if (j < 0 || j >= count) return -1;
    const std::uint32_t differ = codes[i] ^ codes[j];
    return differ != 0 ? __clz(static_cast<int>(differ)) : 32 + __clz(i ^ j);
}

// Node i of count - 1 covers a range of positions that begins or ends at i.
static __global__ void link_nodes(const std::uint32_t* codes, std::uint32_t count, TreeNode* nodes,
                                  std::uint32_t* node_parent, std::uint32_t* leaf_parent) {
    const int i = static_cast<int>(thread_index());
    const int n = static_cast<int>(count);
    if (i >= n - 1) return;
    const auto prefix = [&](int j) { return common_prefix(codes, n, i, j); };
    const int direction = prefix(i + 1) > prefix(i - 1) ? 1 : -1;
    const int least = prefix(i - direction);
    int longest = 2;
    while (prefix(i + longest * direction) > least)
        longest *= 2;
    int length = 0;
    for (int step = longest / 2; step >= 1; step /= 2)
        if (prefix(i + (length + step) * direction) > least) length += step;
    const int other = i + length * direction;
    const int shared = prefix(other);
    int split = 0;
    int step = length;
    do {
        step = (step + 1) / 2;
        if (prefix(i + (split + step) * direction) > shared) split += step;
    } while (step > 1);
    const int middle = i + split * direction + (direction < 0 ? -1 : 0);
    const int first = i < other ? i : other;
    const int last = i < other ? other : i;
    TreeNode& node = nodes[i];
    const auto link = [&](int side, int child, bool is_leaf, int child_last) {
        node.child[side] = is_leaf ? ~child : child;
        node.last[side] = static_cast<std::uint32_t>(child_last);
        (is_leaf ? leaf_parent : node_parent)[child] =
            (static_cast<std::uint32_t>(i) << 1) | static_cast<std::uint32_t>(side);
    };
    link(0, middle, first == middle, middle);
    link(1, middle + 1, last == middle + 1, last);
    if (i == 0) node_parent[0] = 0xffffffffU;
}

// From each leaf up: the second to arrive at a node goes on, when both of its boxes are there.
static __global__ void fit_nodes(const Dop* boxes, std::uint32_t count, TreeNode* nodes,
                                 const std::uint32_t* node_parent, const std::uint32_t* leaf_parent,
                                 std::uint32_t* arrived) {
    const std::uint32_t i = thread_index();
    if (i >= count) return;
    float lower[3];
    float upper[3];
    for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = boxes[i].lower[axis];
        upper[axis] = boxes[i].upper[axis];
    }
    std::uint32_t parent = leaf_parent[i];
    while (true) {
        TreeNode& node = nodes[parent >> 1];
        const std::uint32_t side = parent & 1U;
        for (int axis = 0; axis < 3; ++axis) {
            __stcg(&node.lower[side][axis], lower[axis]);
            __stcg(&node.upper[side][axis], upper[axis]);
        }
        __threadfence();
        if (atomicAdd(&arrived[parent >> 1], 1U) == 0) return;
        __threadfence();
        for (int axis = 0; axis < 3; ++axis) {
            lower[axis] = fminf(lower[axis], __ldcg(&node.lower[1 - side][axis]));
            upper[axis] = fmaxf(upper[axis], __ldcg(&node.upper[1 - side][axis]));
        }
        parent = node_parent[parent >> 1];
        if (parent == 0xffffffffU) return;
    }
}

// A node in four loads of 16 bytes, and which of its children overlap.
struct LoadedNode {
    int4 links;  // child, child, last, last
    bool overlaps[2];
};
template <bool kLater>
__device__ inline LoadedNode load_node(const TreeNode* nodes, std::int32_t at, const Dop& box,
                                       std::uint32_t after) {
    static_assert(sizeof(TreeNode) == 64);
    const float4* const words = reinterpret_cast<const float4*>(nodes + at);
    const float4 a = __ldg(words);      // lower[0], lower[1][0]
    const float4 b = __ldg(words + 1);  // lower[1][1..2], upper[0][0..1]
    const float4 c = __ldg(words + 2);  // upper[0][2], upper[1]
    LoadedNode node;
    node.links = __ldg(reinterpret_cast<const int4*>(words + 3));
    node.overlaps[0] = box.lower[0] <= b.z & a.x <= box.upper[0] & box.lower[1] <= b.w &
                       a.y <= box.upper[1] & box.lower[2] <= c.x & a.z <= box.upper[2];
    node.overlaps[1] = box.lower[0] <= c.y & a.w <= box.upper[0] & box.lower[1] <= c.z &
                       b.x <= box.upper[1] & box.lower[2] <= c.w & b.y <= box.upper[2];
    if (kLater) {
        node.overlaps[0] &= static_cast<std::uint32_t>(node.links.z) > after;
        node.overlaps[1] &= static_cast<std::uint32_t>(node.links.w) > after;
    }
    return node;
}

// Calls visit(position) for every leaf whose box overlaps: all of them, or with kLater those behind
// `after`. One of 2^levels searches that share the tree: `part` says which child to take on the first
// levels; a leaf above is the matter of the part whose remaining bits are 0. The depth is at most 62:
// 30 bits of code and 32 of positions.
template <bool kLater, class Visit>
__device__ inline void search(const TreeView& tree, const Dop& box, std::uint32_t after,
                              std::uint32_t part, int levels, const Visit& visit) {
    if (tree.count == 0) return;
    if (tree.count == 1) {
        if (part != 0) return;
        bool overlaps = !kLater;
        for (int axis = 0; axis < 3; ++axis)
            overlaps &= box.lower[axis] <= tree.boxes[0].upper[axis] &&
                        tree.boxes[0].lower[axis] <= box.upper[axis];
        if (overlaps && overlap(box, tree.diagonals[0])) visit(0U);
        return;
    }
    std::int32_t stack[64];
    int depth = 0;
    std::int32_t at = 0;
    const auto visit_leaf = [&](std::int32_t child) {
        const auto position = static_cast<std::uint32_t>(~child);
        if (overlap(box, tree.diagonals[position])) visit(position);
    };
    for (int level = 0; level < levels; ++level) {
        const LoadedNode node = load_node<kLater>(tree.nodes, at, box, after);
        const bool is_second = ((part >> level) & 1U) != 0;
        if (!node.overlaps[is_second ? 1 : 0]) return;
        at = is_second ? node.links.y : node.links.x;
        if (at >= 0) continue;
        if ((part >> level) >> 1 == 0) visit_leaf(at);
        return;
    }
    while (true) {
        const LoadedNode node = load_node<kLater>(tree.nodes, at, box, after);
        if (node.overlaps[0] && node.links.x < 0) visit_leaf(node.links.x);
        if (node.overlaps[1] && node.links.y < 0) visit_leaf(node.links.y);
        const bool goes_first = node.overlaps[0] && node.links.x >= 0;
        const bool goes_second = node.overlaps[1] && node.links.y >= 0;
        if (goes_first) {
            at = node.links.x;
            if (goes_second) stack[depth++] = node.links.y;
        } else if (goes_second) {
            at = node.links.y;
        } else {
            if (depth == 0) return;
            at = stack[--depth];
        }
    }
}

}  // namespace graze::cuda

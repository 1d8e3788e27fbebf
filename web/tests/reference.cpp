// What the native library answers, for the module in WebAssembly to be compared with, bit by bit.
//   web_reference OUT [COUNT]
// COUNT: generated queries for `certified`, in all (default 20000). OUT is a list of blocks, each a line of
// text and doubles behind it (native byte order):
//   queries KIND COUNT METHOD...    6 options; COUNT queries; 5 numbers per method and query
//   rigid VERTICES FACES COUNT      vertices, faces; COUNT times a step (28) and the first impact (5)
//   slide VERTICES FACES COUNT      vertices, faces, shape (12), start; COUNT times a displacement and the move (8)
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "graze/baselines/baselines.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/embedded.hpp"
#include "graze/narrow/method.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/slide/mover.hpp"

namespace graze {
namespace {

using io::QueryRecord;
using Numbers = std::vector<double>;

class BlockFile {
public:
    explicit BlockFile(const char* path) : out_(path, std::ios::binary) {}
    void line(const std::string& text) { out_ << text << '\n'; }
    void numbers(const Numbers& list) {
        out_.write(reinterpret_cast<const char*>(list.data()),
                   static_cast<std::streamsize>(list.size() * sizeof(double)));
    }
    [[nodiscard]] bool finish() {
        out_.close();
        return !out_.fail();
    }

private:
    std::ofstream out_;
};

void append(Numbers& to, const Vec3& v) {
    to.insert(to.end(), {v.x, v.y, v.z});
}

void append(Numbers& to, const CcdResult& result) {
    to.insert(to.end(), {static_cast<double>(result.verdict), result.toi_lower, result.toi_upper,
                         static_cast<double>(result.checks), result.tolerance});
}

Numbers numbers_of(const CcdOptions& o) {
    return {o.min_separation, o.norm == Norm::Max ? 1.0 : 0.0,  o.distance_tolerance, o.time_width,
            o.t_max,          static_cast<double>(o.max_checks)};
}

void write_queries(BlockFile& file, QueryKind kind, const std::vector<QueryRecord>& records,
                   const std::vector<Method>& methods, const CcdOptions& options) {
    std::string head =
        "queries " + std::string(short_name(kind)) + " " + std::to_string(records.size());
    std::vector<Method> able;
    for (const Method& method : methods)
        if (supports(method, kind)) able.push_back(method);
    for (const Method& method : able)
        head += " " + std::string(method.name);
    file.line(head);
    Numbers numbers = numbers_of(options);
    for (const QueryRecord& record : records) {
        for (const bool at_end : {false, true})
            for (std::size_t i = 0; i < vertex_count(kind); ++i)
                append(numbers, at_end ? record.corners[i].end : record.corners[i].start);
    }
    visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        for (const Method& method : able)
            for (const QueryRecord& record : records)
                append(numbers, run(method, io::motion_of<Motion>(record), options));
    });
    file.numbers(numbers);
}

std::vector<QueryRecord> embedded_records(const io::EmbeddedSet& set) {
    std::vector<QueryRecord> records;
    auto stream = io::open_embedded(set);
    if (!stream) std::abort();
    for (;;) {
        const auto record = (*stream)->next();
        if (!record) std::abort();
        if (!*record) return records;
        records.push_back(**record);
    }
}

std::vector<QueryRecord> generated(QueryKind kind, std::uint64_t first, std::uint64_t count) {
    std::vector<QueryRecord> records;
    for (std::uint64_t i = first; i < first + count; ++i) {
        const generate::Family family = generate::kAllFamilies[i % generate::kAllFamilies.size()];
        records.push_back(generate::query(family, kind, i));
    }
    return records;
}

// Small budgets: what is compared is the arithmetic, and it is the same in the first thousand checks.
CcdOptions small_budget() {
    CcdOptions options;
    options.max_checks = 2000;
    return options;
}

void write_all_queries(BlockFile& file, std::uint64_t count) {
    std::vector<Method> methods;
    for (const MethodRegistry& registry : {builtin_methods(), baseline_methods()})
        methods.insert(methods.end(), registry.all().begin(), registry.all().end());
    const std::vector<Method> certified = {*builtin_methods().find("certified")};
    for (const io::EmbeddedSet& set : io::embedded_sets()) {
        write_queries(file, set.kind, embedded_records(set), methods, small_budget());
        for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
            CcdOptions separated = small_budget();
            separated.min_separation = 0x1p-10;
            separated.norm = norm;
            write_queries(file, set.kind, embedded_records(set), certified, separated);
        }
    }
    for (const QueryKind kind : kAllQueryKinds) {
        write_queries(file, kind, generated(kind, 0, 180), methods, small_budget());
        // In blocks that fit in memory on both sides.
        constexpr std::uint64_t kBlock = 50'000;
        for (std::uint64_t done = 0; done < count / 4; done += kBlock) {
            const std::uint64_t now = std::min(kBlock, count / 4 - done);
            write_queries(file, kind, generated(kind, done, now), certified, {});
        }
    }
}

// --- bodies and levels ---------------------------------------------------------------------------

using Triangle = std::array<std::uint32_t, 3>;

const std::vector<Vec3>& cube_vertices() {
    static const std::vector<Vec3> vertices = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                               {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
    return vertices;
}
const std::vector<Triangle>& cube_faces() {
    static const std::vector<Triangle> faces = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                                {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    return faces;
}

// A number in [-1, 1] that follows from its own.
double scattered(std::uint64_t i) noexcept {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x ^= x >> 31;
    return static_cast<double>(static_cast<std::int64_t>(x >> 11)) * 0x1p-52 - 1.0;
}

void write_mesh(BlockFile& file, const std::string& name, std::size_t count) {
    file.line(name + " " + std::to_string(cube_vertices().size()) + " " +
              std::to_string(cube_faces().size()) + " " + std::to_string(count));
    Numbers numbers;
    for (const Vec3& v : cube_vertices())
        append(numbers, v);
    for (const Triangle& face : cube_faces())
        for (const std::uint32_t i : face)
            numbers.push_back(i);
    file.numbers(numbers);
}

Pose scattered_pose(std::uint64_t seed, double distance) {
    const Vec3 axis{scattered(seed), scattered(seed + 1), 1.25 + scattered(seed + 2)};
    return {rotation_about(axis, 0.8 * scattered(seed + 3)),
            {distance * scattered(seed + 4), distance + scattered(seed + 5), scattered(seed + 6)}};
}

void write_bodies(BlockFile& file) {
    constexpr std::size_t kSteps = 60;
    write_mesh(file, "rigid", kSteps);
    const auto body = rigid::RigidBody::create(cube_vertices(), cube_faces());
    if (!body) std::abort();
    Numbers numbers;
    for (std::uint64_t i = 0; i < kSteps; ++i) {
        const rigid::PairStep step{
            {scattered_pose(40 * i, 0.1), scattered_pose(40 * i + 10, 0.1)},
            {scattered_pose(40 * i + 20, 4.0), scattered_pose(40 * i + 30, 1.5)}};
        for (const Pose& pose : {step.a.start, step.a.end, step.b.start, step.b.end}) {
            const Quaternion& q = pose.rotation;
            numbers.insert(numbers.end(), {q.w, q.x, q.y, q.z});
            append(numbers, pose.translation);
        }
        const rigid::ImpactResult result = first_impact(*body, *body, step);
        numbers.insert(numbers.end(),
                       {static_cast<double>(result.verdict), result.toi_lower, result.toi_upper,
                        static_cast<double>(result.checks), static_cast<double>(result.start)});
    }
    file.numbers(numbers);
}

// A shape inside the cube, thrown about.
void write_moves(BlockFile& file, const slide::Shape<double>& shape) {
    constexpr std::size_t kMoves = 2000;
    write_mesh(file, "slide", kMoves);
    slide::Level<double> level;
    if (!level.add_part(cube_vertices(), cube_faces())) std::abort();
    Vec3 position{0.1, 0.2, -0.1};
    Numbers numbers;
    for (const Vec3& part : {shape.radii, shape.half_axis, shape.side_axes[0], shape.side_axes[1]})
        append(numbers, part);
    append(numbers, position);
    for (std::uint64_t i = 0; i < kMoves; ++i) {
        const Vec3 displacement{scattered(3 * i), scattered(3 * i + 1), scattered(3 * i + 2)};
        const auto moved = move_and_slide(level, shape, position, displacement);
        position = moved.position;
        append(numbers, displacement);
        append(numbers, position);
        numbers.insert(
            numbers.end(),
            {static_cast<double>(moved.stopped), moved.skin, moved.gap_proved ? 1.0 : 0.0,
             static_cast<double>(moved.iterations), static_cast<double>(moved.contact_count)});
    }
    file.numbers(numbers);
}

}  // namespace
}  // namespace graze

int main(int count, char** arguments) {
    if (count < 2) {
        std::fputs("usage: web_reference OUT [COUNT]\n", stderr);
        return 2;
    }
    graze::BlockFile file(arguments[1]);
    const std::uint64_t queries = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 20'000;
    graze::write_all_queries(file, queries);
    graze::write_bodies(file);
    graze::write_moves(file, {{0.3, 0.3, 0.3}, {}});
    graze::write_moves(file, graze::slide::capsule(0.2, 0.25, {0.6, 0.0, 0.8}));
    graze::write_moves(
        file, graze::slide::rounded_box<double>({0.3, 0.2, 0.25}, 0.0625, {0.8, 0.0, 0.6, 0.0}));
    return file.finish() ? 0 : 1;
}

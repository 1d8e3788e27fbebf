// Prints a hash of every bit that steps of some meshes give, one line per mesh: builds with and without
// threads must print the same. Fails where 1, 2, 3 and 8 threads give different ones.
#include <bit>
#include <cstdint>
#include <cstdio>
#include <graze/mesh.hpp>
#include <span>

namespace {

// FNV-1a over 64-bit words.
class Hash {
public:
    void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3U; }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void add(const graze::Vec3& v) {
        add(v.x);
        add(v.y);
        add(v.z);
    }
    void add(const graze::Impact& impact) {
        add(static_cast<std::uint64_t>(impact.kind));
        add(std::uint64_t{impact.a});
        add(std::uint64_t{impact.b});
        add(impact.result.toi_lower);
        add(impact.result.toi_upper);
    }
    [[nodiscard]] unsigned long long value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325U;
};

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    double unit() {  // in [0, 1)
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(state_ >> 40) * 0x1p-24;
    }

private:
    std::uint64_t state_;
};

// Two rough sheets, one above the other, that change places; and a few loose points.
struct Sheets {
    std::vector<graze::Vec3> start;
    std::vector<graze::Vec3> end;
    std::vector<graze::FaceIndices> faces;

    Sheets(std::uint32_t side, std::uint64_t seed) {
        Random random(seed);
        for (const double height : {0.0, 4.0}) {
            const auto first = static_cast<std::uint32_t>(start.size());
            for (std::uint32_t i = 0; i < side * side; ++i)
                add(random, i % side, i / side, height);
            for (std::uint32_t row = 0; row + 1 < side; ++row) {
                for (std::uint32_t column = 0; column + 1 < side; ++column) {
                    const std::uint32_t v = first + row * side + column;
                    faces.push_back({v, v + 1, v + side});
                    faces.push_back({v + 1, v + side + 1, v + side});
                }
            }
        }
        for (std::uint32_t i = 0; i < 5; ++i)
            add(random, i, i, 6.0);
    }

    void add(Random& random, double x, double y, double height) {
        start.push_back({x + random.unit(), y + random.unit(), height + random.unit()});
        end.push_back({x + random.unit(), y + random.unit(), 4.0 - height + random.unit()});
    }
};

// With so many threads; trees are built by some calls, and fitted by those that come after them.
bool add_step(const Sheets& sheets, int threads, Hash& hash) {
    const auto mesh = graze::make_topology(sheets.start.size(), sheets.faces);
    if (!mesh) return false;
    graze::MeshStepper stepper(*mesh);
    graze::StepOptions options;
    options.threads = threads;
    const auto all = stepper.all_impacts(sheets.start, sheets.end, options);
    const auto first = stepper.first_impact(sheets.start, sheets.end, options);
    const auto safe = graze::largest_safe_step(stepper, sheets.start, sheets.end, options);
    const auto clearance = stepper.clearance(sheets.start, 2.0, options);
    const auto crossing = stepper.intersections(sheets.end, options);
    const auto energy = [](std::span<const graze::Vec3> p) { return p.back().z; };
    const auto search =
        graze::line_search(stepper, sheets.start, sheets.end, energy, {.step = options});
    if (!all || !first || !safe || !clearance || !crossing || !search) return false;
    if (!first->impact || all->impacts.empty()) return false;
    for (const graze::Impact& impact : all->impacts)
        hash.add(impact);
    hash.add(*first->impact);
    hash.add(first->contact.normal);
    for (const graze::Vec3& position : safe->positions)
        hash.add(position);
    for (const double distance : clearance->by_vertex)
        hash.add(distance);
    hash.add(search->distance);
    hash.add(search->alpha_free);
    for (const graze::Intersection& found : *crossing)
        hash.add(std::uint64_t{found.a} << 32 | found.b);
    for (const std::uint64_t count : all->work.candidates)
        hash.add(count);
    return true;
}

}  // namespace

int main() {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Sheets sheets(30, seed);
        Hash one;
        if (!add_step(sheets, 1, one)) return 1;
        for (const int threads : {2, 3, 8}) {
            Hash more;
            if (!add_step(sheets, threads, more) || more.value() != one.value()) return 1;
        }
        std::printf("%016llx\n", one.value());
    }
    return 0;
}

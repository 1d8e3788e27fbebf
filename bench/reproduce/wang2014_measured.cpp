// Measurements of Wang 2014 on constructed and random motions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "graze/baselines/root_parity_exact.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/narrow/box_separation.hpp"
#include "graze/narrow/certified.hpp"
#include "graze/narrow/query_bounds.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/verify/safe_cubic_families.hpp"
#include "reproduce/mean_time.hpp"
#include "reproduce/wang2014_items.hpp"

namespace graze::app::wang2014 {
namespace {

Error interrupted() {
    return {"cancelled", ErrorCode::Cancelled};
}

// Random motions in the unit cube whose boxes overlap, and how many were drawn for them.
template <class Motion>
struct CubeSet {
    std::vector<Motion> motions;
    std::uint64_t drawn = 0;
};
template <class Motion>
CubeSet<Motion> cube_set(std::uint64_t seed, std::size_t count) {
    CubeSet<Motion> set;
    for (; set.motions.size() < count; ++set.drawn) {
        const Motion motion = testing::random_set_query<Motion>(seed, set.drawn);
        if (box_separation(motion).verdict != Verdict::Separated) set.motions.push_back(motion);
    }
    return set;
}

// --- section 4.4.1 and 4.5.1 -----------------------------------------------------------------------

struct FarthestPositive {
    std::uint64_t queries = 0;
    std::uint64_t false_positives = 0;
    std::uint64_t beyond = 0;  // of the proved bound
    double farthest = 0.0;     // in units of B eps^(1/4)
};

template <class Motion>
bool is_proved_farther(const Motion& motion, double distance) {
    CcdOptions options;
    options.min_separation = distance;
    options.distance_tolerance = 1e-3 * distance;
    return certify(motion, options).verdict == Verdict::Separated;
}

template <class Motion>
void add_positive(const Motion& motion, FarthestPositive& sum) {
    ++sum.queries;
    if (safe_cubic_ccd(motion).verdict != Verdict::Contact) return;
    if (certify(motion).verdict != Verdict::Separated) return;
    ++sum.false_positives;
    const double unit = 0x1p-13 * safe_cubic_bound(motion).length;
    sum.beyond += is_proved_farther(motion, 41.0 * unit) ? 1 : 0;
    if (!is_proved_farther(motion, (sum.farthest + 0.1) * unit)) return;
    double lower = sum.farthest;
    double upper = 64.0;
    while (upper - lower > 0.05) {
        const double middle = 0.5 * (lower + upper);
        (is_proved_farther(motion, middle * unit) ? lower : upper) = middle;
    }
    sum.farthest = lower;
}

// A degenerate contact whose first vertex is moved aside by up to 48 B eps^(1/4).
template <class Motion>
Motion near_miss(const Motion& contact, std::uint64_t seed) {
    testing::Dice dice(seed);
    const double length = 48.0 * dice.fraction() * 0x1p-13 * safe_cubic_bound(contact).length;
    const Vec3 aside = length * dice.point_on_grid(20);
    auto all = vertices(contact);
    all[0].start = all[0].start + aside;
    all[0].end = all[0].end + aside;
    if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
        all[1].start = all[1].start + aside;
        all[1].end = all[1].end + aside;
    }
    return motion_from_vertices<Motion>(all);
}

template <class Motion>
FarthestPositive farthest_positive(Motion (*make)(std::uint64_t) noexcept,
                                   const ReproduceOptions& options, std::uint64_t count) {
    FarthestPositive sum;
    for (std::uint64_t i = 0; i < count && !options.stop.stop_requested(); ++i)
        add_positive(near_miss(make(options.seed + i), options.seed + i), sum);
    return sum;
}

ComparedRow distance_row(std::string what, const FarthestPositive& found) {
    return {std::move(what), "at most 41 B eps^(1/4)",
            fmt::format("farthest {:.1f} B eps^(1/4) of {} false positives in {}, {} beyond 41",
                        found.farthest, found.false_positives, found.queries, found.beyond),
            found.beyond == 0 ? "agrees" : "differs: the bound is broken"};
}

// --- section 5 -------------------------------------------------------------------------------------

struct CubeCosts {
    double basic, safe, basic_no_planes, safe_no_planes;
};
template <class Motion>
CubeCosts cube_costs(const std::vector<Motion>& motions, int passes) {
    SafeCubicOptions without;
    without.plane_culling = false;
    return {mean_ns(motions, passes, [](const Motion& m) { return cubic_ccd(m); }),
            mean_ns(motions, passes, [](const Motion& m) { return safe_cubic_ccd(m); }),
            mean_ns(motions, passes, [&](const Motion& m) { return cubic_ccd(m, without); }),
            mean_ns(motions, passes, [&](const Motion& m) { return safe_cubic_ccd(m, without); })};
}

struct CubeCounts {
    double queries = 0.0;
    double planes = 0.0;
    double spared = 0.0;
    double asked = 0.0;  // queries whose candidates fail by area and weights
    double tests = 0.0;
    double candidates = 0.0;
};
template <class Motion>
void add_counts(const std::vector<Motion>& motions, CubeCounts& sum) {
    for (const Motion& motion : motions) {
        const SafeCubicCounters c = safe_cubic_report(motion).counters;
        SafeCubicOptions all_tests;
        all_tests.vertex_edge_culling = false;
        const SafeCubicCounters all = safe_cubic_report(motion, all_tests).counters;
        sum.queries += 1.0;
        sum.planes += c.plane_culled;
        sum.spared += c.vertex_edge_spared;
        sum.asked += all.vertex_edge_tests > 0 ? 1.0 : 0.0;
        sum.tests += all.vertex_edge_tests;
        sum.candidates += all.candidates;
    }
}

ComparedRow cost_row(std::string what, std::string published, double before, double after) {
    return {std::move(what), std::move(published),
            fmt::format("{:.0f} ns before, {:.0f} ns after: {:+.1f} %", before, after,
                        100.0 * (after / before - 1.0)),
            "more: the free time before each contact, which the paper's tests do not give"};
}

// --- B ---------------------------------------------------------------------------------------------

// An adaptively sampled mesh: queries of every size from 1 to 2^-8, all of one scene.
template <class Motion>
std::vector<Motion> mixed_sizes(std::uint64_t seed, std::size_t count) {
    std::vector<Motion> motions;
    for (std::uint64_t i = 0; motions.size() < count; ++i) {
        const testing::ScaleAndOffset place{power_of_two(-static_cast<int>(i % 9)), 0.0};
        const Motion motion = testing::random_set_query<Motion>(seed, i, place);
        if (box_separation(motion).verdict != Verdict::Separated) motions.push_back(motion);
    }
    return motions;
}

struct BoundRow {
    std::string name;
    double false_positives = 0.0;
    double contacts = 0.0;
    double missed = 0.0;
    double ns = 0.0;
};

template <class Motion>
BoundRow bound_row(std::string name, const Method& method, const std::vector<Motion>& motions,
                   const std::vector<bool>& touches, int passes) {
    BoundRow row{.name = std::move(name)};
    for (std::size_t i = 0; i < motions.size(); ++i) {
        const bool found = run(method, motions[i]).verdict == Verdict::Contact;
        row.contacts += touches[i] ? 1.0 : 0.0;
        row.missed += touches[i] && !found ? 1.0 : 0.0;
        row.false_positives += found && !touches[i] ? 1.0 : 0.0;
    }
    row.ns = mean_ns(motions, passes, [&](const Motion& m) { return run(method, m); });
    return row;
}

// E + 2 V and E + the boxes of section 4.1, from the same queries.
QueryBounds with_displacement(QueryBounds bounds, double displacement) {
    bounds.relative_displacement = displacement;
    return bounds;
}

}  // namespace

Expected<Reproduction> false_positive_distance(const ReproduceOptions& options) {
    const std::uint64_t count = options.quick ? 30'000 : 600'000;
    Reproduction result;
    const FarthestPositive face =
        farthest_positive<VertexFaceMotion>(&testing::degenerate_face, options, count);
    options.progress.tell(0.5);
    const FarthestPositive edges =
        farthest_positive<EdgeEdgeMotion>(&testing::degenerate_edges, options, count);
    if (options.stop.stop_requested()) return interrupted();
    result.rows = {
        distance_row("vertex-triangle (4.4.1), near misses of degenerate contacts", face),
        distance_row("edge-edge (4.5.1), near misses of degenerate contacts", edges)};
    result.conclusion =
        "No false positive is farther than the proved distance, and near misses of degenerate "
        "contacts come within a percent of it: the bound belongs to the vertex-vertex distance of "
        "vertex-edge tests, and is as good as tight.";
    result.drawings = {
        {"false-positive-distance", "Farthest false positive found, in units of B eps^(1/4)",
         labelled_bars("Distance of false positives, in B eps^(1/4)",
                       {{"proved bound", 41.0, "41"},
                        {"vertex-triangle", face.farthest, fmt::format("{:.1f}", face.farthest)},
                        {"edge-edge", edges.farthest, fmt::format("{:.1f}", edges.farthest)}},
                       BarAxis::Linear)}};
    return result;
}

Expected<Reproduction> unit_cube(const ReproduceOptions& options) {
    const std::size_t count = options.quick ? 20'000 : 200'000;
    const int passes = options.quick ? 5 : 15;
    const auto faces = cube_set<VertexFaceMotion>(options.seed, count);
    const auto edges = cube_set<EdgeEdgeMotion>(options.seed, count);
    const CubeCosts f = cube_costs(faces.motions, passes);
    options.progress.tell(0.4);
    if (options.stop.stop_requested()) return interrupted();
    const CubeCosts e = cube_costs(edges.motions, passes);
    options.progress.tell(0.8);
    if (options.stop.stop_requested()) return interrupted();
    CubeCounts c;
    add_counts(faces.motions, c);
    add_counts(edges.motions, c);
    const double passed = static_cast<double>(faces.motions.size() + edges.motions.size()) /
                          static_cast<double>(faces.drawn + edges.drawn);
    Reproduction result;
    result.rows = {
        cost_row("vertex-face, with planes", "364 and 369 ns: +1.4 %", f.basic, f.safe),
        cost_row("edge-edge, with planes", "364 and 369 ns: +1.4 %", e.basic, e.safe),
        cost_row("vertex-face, without planes", "-", f.basic_no_planes, f.safe_no_planes),
        cost_row("edge-edge, without planes", "-", e.basic_no_planes, e.safe_no_planes),
        {"pass the test of boxes", "nearly half", fmt::format("{:.0f} %", 100.0 * passed),
         "depends on how velocities are drawn"},
        {"of those pass the test of planes", "nearly one third of all",
         fmt::format("{:.0f} % of them, {:.0f} % of all", 100.0 * (1.0 - c.planes / c.queries),
                     100.0 * passed * (1.0 - c.planes / c.queries)),
         "depends on how velocities are drawn"},
        {"vertex-edge tests that culling spares", "more than 99.9 %",
         fmt::format("{:.3f} % of {:.0f} queries", 100.0 * c.spared / std::max(c.asked, 1.0),
                     c.asked),
         c.spared >= 0.999 * c.asked ? "agrees" : "differs"},
        {"valid candidates of a vertex-edge test", "about seven, of 38",
         fmt::format("{:.1f}, of 38", c.candidates / std::max(c.tests, 1.0)),
         "more: large motions, where more of the candidates are in the step"}};
    result.conclusion =
        "Random motions in the unit cube; times are of queries whose boxes overlap. The protected "
        "test costs a miss as many instructions as before contacts had a free time; a contact "
        "costs more than the basic test's, which ends with yes. The culling of vertex-edge tests "
        "leaves next to none of them.";
    result.drawings = {
        {"unit-cube", "Mean time of a query whose boxes overlap",
         labelled_bars("ns per query",
                       {{"face, basic", f.basic, fmt::format("{:.0f} ns", f.basic)},
                        {"face, protected", f.safe, fmt::format("{:.0f} ns", f.safe)},
                        {"edges, basic", e.basic, fmt::format("{:.0f} ns", e.basic)},
                        {"edges, protected", e.safe, fmt::format("{:.0f} ns", e.safe)},
                        {"paper, basic", 364.0, "364 ns (2014)"},
                        {"paper, protected", 369.0, "369 ns (2014)"}},
                       BarAxis::Linear)}};
    return result;
}

Expected<Reproduction> exact_approach(const ReproduceOptions& options) {
    const std::size_t count = options.quick ? 1'500 : 20'000;
    const auto set = cube_set<VertexFaceMotion>(options.seed, count);
    const double safe =
        mean_ns(set.motions, 9, [](const VertexFaceMotion& m) { return safe_cubic_ccd(m); });
    const double exact =
        mean_ns(set.motions, 1, [](const VertexFaceMotion& m) { return root_parity_exact(m); });
    options.progress.tell(0.5);
    if (options.stop.stop_requested()) return interrupted();
    const double certified =
        mean_ns(set.motions, 9, [](const VertexFaceMotion& m) { return certify(m); });
    Reproduction result;
    const double ratio = exact / safe;
    result.rows = {
        {"exact root parity after boxes", "4,962 ns", fmt::format("{:.0f} ns", exact),
         "other code: ours is exact throughout, without an interval filter"},
        {"safe-cubic after boxes", "369 ns", fmt::format("{:.0f} ns", safe), "other machine"},
        {"how many times faster", "20 to 40 (13 by the times printed)",
         fmt::format("{:.0f}", ratio), ratio >= 13.0 ? "agrees" : "differs"},
        {"certified, which is exact too", "-", fmt::format("{:.0f} ns", certified),
         "exact answers no longer cost more than protected ones"}};
    result.conclusion =
        "The protected cubic test is more than ten times faster than exact root parity. The "
        "comparison has aged: filters in floating point give exact answers at a like price.";
    result.drawings = {
        {"exact-approach", "Mean time of a vertex-face query whose boxes overlap",
         labelled_bars("ns per query (log scale)",
                       {{"safe-cubic", safe, fmt::format("{:.0f} ns", safe)},
                        {"certified", certified, fmt::format("{:.0f} ns", certified)},
                        {"exact root parity", exact, fmt::format("{:.0f} ns", exact)}},
                       BarAxis::Logarithmic)}};
    return result;
}

Expected<Reproduction> bounds(const ReproduceOptions& options) {
    const std::size_t count = options.quick ? 20'000 : 200'000;
    const int passes = options.quick ? 3 : 9;
    const auto motions = mixed_sizes<EdgeEdgeMotion>(options.seed, count);
    std::vector<bool> touches;
    BoundsOfQueries all;
    double largest_displacement = 0.0;
    for (const EdgeEdgeMotion& motion : motions) {
        touches.push_back(certify(motion).verdict == Verdict::Contact);
        all.add(motion);
        for (const MovingPoint& v : vertices(motion))
            for (std::size_t k = 0; k < 3; ++k)
                largest_displacement =
                    std::max(largest_displacement, std::fabs(v.end[k] - v.start[k]));
    }
    options.progress.tell(0.5);
    if (options.stop.stop_requested()) return interrupted();
    const QueryBounds scene = all.bounds(BoundSource::Scene);
    const QueryBounds pair = all.bounds(BoundSource::Pair);
    const QueryBounds twice = with_displacement(scene, 2.0 * largest_displacement);
    const MovingBox box{scene.box->lower, scene.box->upper, scene.box->lower, scene.box->upper};
    const QueryBounds by_boxes = with_displacement(scene, relative_displacement_upper(box));
    const Method plain = make_safe_cubic();
    const auto row = [&](std::string name, const Method& method) {
        return bound_row(std::move(name), method, motions, touches, passes);
    };
    const std::array<BoundRow, 5> rows = {row("each query", plain),
                                          row("pair: its edges + V_rel", with_bounds(plain, pair)),
                                          row("scene: E + V_rel", with_bounds(plain, scene)),
                                          row("scene: E + 2V", with_bounds(plain, twice)),
                                          row("scene: E + boxes", with_bounds(plain, by_boxes))};
    Reproduction result;
    std::vector<LabelledBar> bars;
    DataTable table{"bounds",
                    "Edge-edge queries of sizes from 1 to 1/256 in one scene",
                    {"B of", "false positives", "missed", "contacts", "ns per query"},
                    {}};
    for (const BoundRow& r : rows) {
        result.rows.push_back({"false positives, B of " + r.name, "-",
                               fmt::format("{:.0f} for {:.0f} contacts, {:.0f} missed, {:.0f} ns",
                                           r.false_positives, r.contacts, r.missed, r.ns),
                               r.missed == 0.0 ? "safe" : "differs: contacts are missed"});
        bars.push_back({r.name, r.false_positives, fmt::format("{:.0f}", r.false_positives)});
        table.rows.push_back({r.name, fmt::format("{:.0f}", r.false_positives),
                              fmt::format("{:.0f}", r.missed), fmt::format("{:.0f}", r.contacts),
                              fmt::format("{:.1f}", r.ns)});
    }
    result.rows.push_back(
        {"B for every pair is smaller on adaptively sampled meshes", "stated",
         fmt::format("{:.1f} times fewer false positives than with the scene's",
                     rows[2].false_positives / std::max(rows[1].false_positives, 1.0)),
         rows[1].false_positives <= rows[2].false_positives ? "agrees" : "differs"});
    result.conclusion =
        "Every choice of B is safe; false positives grow with it. B of each query gives the "
        "fewest; B of pairs is between it and that of the scene, which is for those who need "
        "tolerances that do not change from step to step.";
    result.drawings = {{"bounds", "False positives by the choice of B",
                        labelled_bars("False positives", bars, BarAxis::Linear)}};
    result.tables = {std::move(table)};
    return result;
}

namespace {

struct MissedContacts {
    std::string family;
    std::uint64_t contacts = 0;
    std::uint64_t by_basic = 0;
    std::uint64_t by_safe = 0;
};
template <class Motion>
MissedContacts missed_contacts(std::string family, Motion (*make)(std::uint64_t) noexcept,
                               const ReproduceOptions& options) {
    MissedContacts missed{.family = std::move(family)};
    const std::uint64_t count = options.quick ? 20'000 : 1'000'000;
    for (std::uint64_t i = 0; i < count && !options.stop.stop_requested(); ++i) {
        const Motion motion = make(options.seed + i);
        ++missed.contacts;
        missed.by_basic += cubic_ccd(motion).verdict == Verdict::Separated ? 1 : 0;
        missed.by_safe += safe_cubic_ccd(motion).verdict == Verdict::Separated ? 1 : 0;
    }
    return missed;
}

}  // namespace

Expected<Reproduction> safety(const ReproduceOptions& options) {
    const std::array<MissedContacts, 6> families = {
        missed_contacts("shrinking face", &testing::shrinking_face, options),
        missed_contacts("shrinking edges", &testing::shrinking_edges, options),
        missed_contacts("vertex parallel to the face", &testing::parallel_to_face, options),
        missed_contacts("edges in one plane", &testing::parallel_to_edges, options),
        missed_contacts("degenerate face", &testing::degenerate_face, options),
        missed_contacts("degenerate edges", &testing::degenerate_edges, options)};
    if (options.stop.stop_requested()) return interrupted();
    Reproduction result;
    std::vector<LabelledBar> bars;
    for (const MissedContacts& f : families) {
        const double percent = 100.0 * static_cast<double>(f.by_basic) /
                               std::max(static_cast<double>(f.contacts), 1.0);
        result.rows.push_back({"missed contacts: " + f.family, "the basic test may fail; ours not",
                               fmt::format("basic {} ({:.1f} %), protected {} of {}", f.by_basic,
                                           percent, f.by_safe, f.contacts),
                               f.by_safe == 0 ? "agrees" : "differs: a contact is missed"});
        bars.push_back({f.family, percent, fmt::format("{:.1f} %", percent)});
    }
    result.conclusion =
        "Contacts by construction in the two situations of section 3.3 and in degenerate ones: the "
        "basic test misses a part of each family, the protected one none. How often that happens "
        "in an animation needs a simulator.";
    result.drawings = {{"safety", "Contacts that the basic cubic test misses",
                        labelled_bars("Missed by the basic test", bars, BarAxis::Linear)}};
    return result;
}

}  // namespace graze::app::wang2014

// Random rigid motions that just collide or just miss, judged by the independent reference.
//   screw_motions --shape car --count 2000 --modes raster,robust,certified --pixels 6,12,24
// Motion i of a seed is the same in every run, so that a long campaign is cut into parts by --first
// and one motion is looked at again by --first I --count 1.
//   0 nothing that must not happen; 1 something did, and is listed on stderr; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <thread>

#include "graze/verify/rigid_motion_judges.hpp"

namespace graze::bench {
namespace {

using rigid::RandomMotion;

struct Request {
    std::string shape = "cube";
    std::uint32_t faces = 0;
    std::uint64_t first = 0;
    std::uint64_t count = 200;
    std::uint64_t seed = 1;
    std::vector<std::string> modes{"reference", "raster", "robust", "certified"};
    std::vector<double> pixels{6.0, 12.0, 24.0};
    unsigned threads = 1;
    double max_degrees = 45.0;
    double far = 0.0;
    bool one_at_rest = false;
    bool grid = false;
    bool list = false;
};

bool asks(const Request& request, std::string_view mode) {
    return std::find(request.modes.begin(), request.modes.end(), mode) != request.modes.end();
}

// --- What is added up ----------------------------------------------------------------------------

struct RasterColumn {
    std::vector<rigid::RasterJudgement> all;
};
struct Sums {
    std::uint64_t contacts = 0;
    std::uint64_t separated = 0;
    std::uint64_t cannot_tell = 0;
    std::uint64_t needed_168_bits = 0;
    std::uint64_t wrong_kind = 0;  // the motion is not of the kind its number says
    double widest_truth = 0.0;
    std::vector<double> least_distances;                                // of those that miss
    std::map<std::string, std::vector<rigid::RasterJudgement>> raster;  // by name and resolution
    std::vector<rigid::CertifiedJudgement> certified;
    std::vector<rigid::EventsJudgement> events;
    std::vector<std::string> failures;
};

class Campaign {
public:
    explicit Campaign(const Request& request) : request_(request) {}

    Sums run() {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<std::thread> others;
        for (unsigned i = 1; i < request_.threads; ++i)
            others.emplace_back([this] { work(); });
        work();
        for (std::thread& other : others)
            other.join();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
        fmt::print(stderr, "{}: {} motions in {:.1f} s\n", request_.shape, request_.count,
                   spent.count());
        return std::move(sums_);
    }

private:
    void work() {
        const rigid::Shapes bodies = rigid::shapes(request_.shape, request_.faces);
        rigid::reference::Pair pair(bodies.a, bodies.b);
        const rigid::RigidBody a(bodies.a);
        const rigid::RigidBody b(bodies.b);
        rigid::RasterSearch search;
        rigid::MotionOptions options;
        options.a_at_rest = request_.one_at_rest;
        options.max_angle = request_.max_degrees * 0.017453292519943295;
        options.far = request_.far;
        for (std::uint64_t i = next_++; i < request_.count; i = next_++) {
            const std::uint64_t index = request_.first + i;
            const RandomMotion random =
                request_.grid ? rigid::grid_motion(pair, request_.seed, index)
                              : rigid::random_motion(pair, bodies, request_.seed, index, options);
            rigid::KnownMotion motion(pair, random);
            add_truth(motion, index);
            if (asks(request_, "raster")) add_raster(search, bodies, motion, index, false);
            if (asks(request_, "robust")) add_raster(search, bodies, motion, index, true);
            if (asks(request_, "certified")) add_certified(a, b, motion, index);
            if (asks(request_, "events")) add_events(a, b, motion, index);
            show_progress(i);
        }
    }

    void show_progress(std::uint64_t done) {
        const std::lock_guard lock(mutex_);
        const auto now = std::chrono::steady_clock::now();
        if (now - last_shown_ < std::chrono::seconds(10)) return;
        last_shown_ = now;
        fmt::print(stderr, "{}: {} of {} motions, {} findings\n", request_.shape, done + 1,
                   request_.count, sums_.failures.size());
    }

    void add_truth(rigid::KnownMotion& motion, std::uint64_t index) {
        std::optional<double> distance;
        if (asks(request_, "reference") && motion.truth().answer == Verdict::Separated)
            distance = motion.distance();
        const std::lock_guard lock(mutex_);
        sums_.contacts += motion.truth().answer == Verdict::Contact;
        sums_.separated += motion.truth().answer == Verdict::Separated;
        sums_.cannot_tell += motion.truth().answer == Verdict::Unresolved;
        sums_.needed_168_bits += motion.truth().needed_168_bits;
        if (motion.truth().answer == Verdict::Unresolved && !request_.grid)
            note(index, "reference", "cannot tell");
        else if (!request_.grid && (motion.truth().answer == Verdict::Contact) != (index % 2 == 1))
            ++sums_.wrong_kind;
        if (motion.truth().answer == Verdict::Contact)
            sums_.widest_truth =
                std::max(sums_.widest_truth, motion.truth().upper - motion.truth().lower);
        if (distance) sums_.least_distances.push_back(*distance);
    }

    void add_raster(rigid::RasterSearch& search, const rigid::Shapes& bodies,
                    rigid::KnownMotion& motion, std::uint64_t index, bool robust) {
        for (const double pixels : request_.pixels) {
            rigid::RasterOptions options;
            options.pixel = rigid::pixel_for(bodies, motion.step(), pixels);
            options.robust = robust;
            const auto judged = judge(search, bodies, motion, options);
            const std::string name = fmt::format("{} {}", robust ? "robust" : "raster", pixels);
            const std::lock_guard lock(mutex_);
            sums_.raster[name].push_back(judged);
            if (judged.refused) note(index, name, "refused");
            if (robust && judged.missed && judged.depth_est > judged.pixel)
                note(index, name,
                     fmt::format("missed, {:.2f} pixels deep", judged.depth_est / judged.pixel));
            if (robust && judged.false_alarm && judged.distance > 4.0 * judged.pixel)
                note(index, name,
                     fmt::format("false, {:.2f} pixels away", judged.distance / judged.pixel));
            if (judged.path_error > (robust ? 1.0 : 4.0) * judged.pixel)
                note(index, name,
                     fmt::format("late by {:.2f} pixels", judged.path_error / judged.pixel));
            if (judged.distance_then > 4.0 * judged.pixel)
                note(index, name,
                     fmt::format("{:.2f} pixels apart at the time reported",
                                 judged.distance_then / judged.pixel));
            if (!robust && judged.missed && judged.depth_est > 2.0 * judged.pixel)
                note(index, name,
                     fmt::format("missed, {:.2f} pixels deep", judged.depth_est / judged.pixel));
        }
    }

    void add_certified(const rigid::RigidBody& a, const rigid::RigidBody& b,
                       const rigid::KnownMotion& motion, std::uint64_t index) {
        const auto judged = judge(a, b, motion);
        const std::lock_guard lock(mutex_);
        sums_.certified.push_back(judged);
        const std::pair<bool, const char*> wrongs[] = {
            {judged.missed, "missed"},
            {judged.false_alarm, "false"},
            {judged.unresolved && motion.truth().answer != Verdict::Unresolved, "unresolved"},
            {judged.late, "late"},
            {judged.unfounded, "unfounded"},
            {judged.wrong_start, "wrong start"}};
        for (const auto& [is_wrong, what] : wrongs)
            if (is_wrong) note(index, "certified", what);
        if (judged.width > 1e-5 && !request_.grid)
            note(index, "certified", fmt::format("width {:.3g}", judged.width));
    }

    void add_events(const rigid::RigidBody& a, const rigid::RigidBody& b,
                    const rigid::KnownMotion& motion, std::uint64_t index) {
        const auto judged = judge_events(a, b, motion);
        const std::lock_guard lock(mutex_);
        sums_.events.push_back(judged);
        if (judged.missing + judged.unfounded > 0 || !judged.complete)
            note(index, "events",
                 fmt::format("of {}: {} missing, {} unfounded{}", judged.events, judged.missing,
                             judged.unfounded, judged.complete ? "" : ", incomplete"));
    }

    // With mutex_ held.
    void note(std::uint64_t index, const std::string& mode, const std::string& what) {
        sums_.failures.push_back(fmt::format("{} --seed {} --first {} --count 1: {} {}",
                                             request_.shape, request_.seed, index, mode, what));
        if (request_.list) fmt::print(stderr, "{}\n", sums_.failures.back());
    }

    const Request& request_;
    std::atomic<std::uint64_t> next_{0};
    std::mutex mutex_;
    std::chrono::steady_clock::time_point last_shown_ = std::chrono::steady_clock::now();
    Sums sums_;
};

// --- Tables
// ----------------------------------------------------------------------------------------

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return std::nan("");
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// A quantile to three digits, or a dash.
std::string text(const std::vector<double>& values, double share) {
    return values.empty() ? "-" : fmt::format("{:.3g}", quantile(values, share));
}

template <class List, class Get>
std::vector<double> collect(const List& list, const Get& get) {
    std::vector<double> values;
    for (const auto& item : list)
        get(item, values);
    return values;
}

void print_truth(const Request& request, const Sums& sums) {
    fmt::print(
        "{}, seed {}, motions {} to {}{}: {} collide, {} miss, {} cannot be told, {} needed "
        "168 bits, {} of another kind than meant; contact times to {:.1e}\n",
        request.shape, request.seed, request.first, request.first + request.count - 1,
        request.one_at_rest ? ", one at rest" : "", sums.contacts, sums.separated, sums.cannot_tell,
        sums.needed_168_bits, sums.wrong_kind, sums.widest_truth);
    if (!sums.least_distances.empty())
        fmt::print("distance of the near misses: least {:.2e}, median {:.2e}, largest {:.2e}\n",
                   quantile(sums.least_distances, 0.0), quantile(sums.least_distances, 0.5),
                   quantile(sums.least_distances, 1.0));
}

void print_raster(const Request& request, const Sums& sums) {
    fmt::print(
        "\n| shape | search, pixels an edge | missed | deepest missed [pixels] | false | farthest "
        "false [pixels] | distance at the time reported [pixels] | time less the true one: median "
        "magnitude, earliest, latest | as a path [pixels]: earliest, latest |\n"
        "|---|---|---|---|---|---|---|---|---|\n");
    for (const auto& [name, list] : sums.raster) {
        const auto count = [&list = list](auto member) {
            return std::count_if(list.begin(), list.end(),
                                 [&](const rigid::RasterJudgement& j) { return j.*member; });
        };
        using J = rigid::RasterJudgement;
        const auto depths = collect(list, [](const J& j, auto& out) {
            if (j.missed) out.push_back(j.depth_est / j.pixel);
        });
        const auto distances = collect(list, [](const J& j, auto& out) {
            if (j.false_alarm) out.push_back(j.distance / j.pixel);
        });
        const auto times = collect(list, [](const J& j, auto& out) {
            if (j.time_error) out.push_back(*j.time_error);
        });
        const auto magnitudes =
            collect(times, [](double t, auto& out) { out.push_back(std::fabs(t)); });
        const auto paths = collect(list, [](const J& j, auto& out) {
            if (j.time_error) out.push_back(j.path_error / j.pixel);
        });
        const auto then =
            collect(list, [](const J& j, auto& out) { out.push_back(j.distance_then / j.pixel); });
        fmt::print("| {} | {} | {} of {} | {} | {} of {} | {} | {} | {}, {}, {} | {}, {} |\n",
                   request.shape, name, count(&J::missed), sums.contacts, text(depths, 1.0),
                   count(&J::false_alarm), sums.separated, text(distances, 1.0), text(then, 1.0),
                   text(magnitudes, 0.5), text(times, 0.0), text(times, 1.0), text(paths, 0.0),
                   text(paths, 1.0));
    }
}

void print_certified(const Request& request, const Sums& sums) {
    using J = rigid::CertifiedJudgement;
    const auto count = [&](bool J::*member) {
        return std::count_if(sums.certified.begin(), sums.certified.end(),
                             [&](const J& j) { return j.*member; });
    };
    const auto widths = collect(sums.certified, [](const J& j, auto& out) {
        if (j.width > 0.0) out.push_back(j.width);
    });
    const auto checks = collect(sums.certified, [](const J& j, auto& out) {
        out.push_back(static_cast<double>(j.checks));
    });
    fmt::print(
        "\n| shape | missed | false | late | unfounded | unresolved | wrong start | width: median, "
        "largest | checks: median, p99, largest |\n|---|---|---|---|---|---|---|---|---|\n"
        "| {} | {} of {} | {} of {} | {} | {} | {} | {} | {}, {} | {}, {}, {} |\n",
        request.shape, count(&J::missed), sums.contacts, count(&J::false_alarm), sums.separated,
        count(&J::late), count(&J::unfounded), count(&J::unresolved), count(&J::wrong_start),
        text(widths, 0.5), text(widths, 1.0), text(checks, 0.5), text(checks, 0.99),
        text(checks, 1.0));
}

void print_events(const Request& request, const Sums& sums) {
    std::size_t events = 0;
    std::size_t missing = 0;
    std::size_t unfounded = 0;
    std::size_t incomplete = 0;
    for (const rigid::EventsJudgement& j : sums.events) {
        events += j.events;
        missing += j.missing;
        unfounded += j.unfounded;
        incomplete += !j.complete;
    }
    fmt::print(
        "\n| shape | events | missing | unfounded | motions not complete |\n|---|---|---|---|---|\n"
        "| {} | {} | {} | {} | {} of {} |\n",
        request.shape, events, missing, unfounded, incomplete, sums.events.size());
}

int run(const Request& request) {
    const Sums sums = Campaign(request).run();
    print_truth(request, sums);
    if (!sums.raster.empty()) print_raster(request, sums);
    if (!sums.certified.empty()) print_certified(request, sums);
    if (!sums.events.empty()) print_events(request, sums);
    constexpr std::size_t kMostShown = 20;
    for (std::size_t i = 0; i < std::min(kMostShown, sums.failures.size()); ++i)
        fmt::print(stderr, "finding: {}\n", sums.failures[i]);
    if (sums.failures.size() > kMostShown)
        fmt::print(stderr, "... {} findings in all (--list shows each)\n", sums.failures.size());
    return sums.failures.empty() ? 0 : 1;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    graze::bench::Request request;
    CLI::App app{"Random rigid motions, judged by an independent reference."};
    app.add_option("--shape", request.shape,
                   "cube, tetrahedron, car, torus, sphere, mixed, thread, comb");
    app.add_option("--faces", request.faces, "for models that have a choice");
    app.add_option("--first", request.first, "number of the first motion");
    app.add_option("--count", request.count, "how many");
    app.add_option("--seed", request.seed);
    app.add_option("--modes,--mode", request.modes,
                   "of reference, raster, robust, certified, events (small shapes)")
        ->delimiter(',');
    app.add_option("--pixels", request.pixels, "a short edge, for raster and robust")
        ->delimiter(',');
    app.add_option("--threads", request.threads)->check(CLI::Range(1, 256));
    app.add_option("--max-degrees", request.max_degrees, "of the relative turn");
    app.add_option("--far", request.far, "from the origin, in sizes of the bodies");
    app.add_flag("--one-at-rest", request.one_at_rest, "A rests at the identity");
    app.add_flag("--grid", request.grid, "features meet exactly; for cubes and tetrahedra");
    app.add_flag("--list", request.list, "each finding on stderr as it comes");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return graze::bench::run(request);
}

// Motions of random robots with a contact that is constructed at a known time, and near misses that are
// verified by samples.
//   robot_motions --contacts 100000 [--first I]     0 missed, 0 late
//   robot_motions --free 2000 [--samples 1000]      0 wrongly free
// Motion i is the same in every run, so that a campaign is cut into parts by --first.
//   0 nothing that must not happen; 1 something did, and is listed on stderr; 2 wrong usage.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "graze/verify/robot_cases.hpp"

namespace graze::bench {
namespace {

using robot::reference::Long;

struct Request {
    std::uint64_t contacts = 0;
    std::uint64_t free = 0;
    std::uint64_t first = 0;
    int samples = 1000;
};

std::uint64_t check_contacts(const Request& request) {
    std::uint64_t missed = 0;
    std::uint64_t late = 0;
    std::uint64_t proved = 0;
    std::uint64_t narrow = 0;
    for (std::uint64_t i = request.first; i < request.first + request.contacts; ++i) {
        const auto c = robot::reference::random_motion_case(i);
        const auto result = *c.scene()->check_motion(c.segment);
        const auto time = static_cast<double>(c.time);
        if (result.verdict == Verdict::Separated) {
            ++missed;
            fmt::print(stderr, "motion {}: missed\n", i);
        } else if (result.toi_lower > time + 1e-12) {
            ++late;
            fmt::print(stderr, "motion {}: late, {} after {}\n", i, result.toi_lower, time);
        }
        proved += result.verdict == Verdict::Contact ? 1 : 0;
        narrow += result.toi_upper - result.toi_lower <= 1e-6 ? 1 : 0;
    }
    fmt::print("{} contacts: {} missed, {} late; {} proved, {} within 1e-6\n", request.contacts,
               missed, late, proved, narrow);
    return missed + late;
}

std::uint64_t check_free(const Request& request) {
    std::uint64_t wrong = 0;
    std::uint64_t free = 0;
    std::uint64_t undecided = 0;
    double least_fraction = 1.0;
    std::uint64_t i = request.first;
    for (; free < request.free; ++i) {
        const double gap = std::pow(10.0, -1.0 - static_cast<double>(i % 6));
        const auto c = robot::reference::random_motion_case(i, gap);
        robot::CheckOptions options;
        options.clearance_accuracy = 0.1;
        const auto result = *c.scene()->check_motion(c.segment, options);
        undecided += result.verdict == Verdict::Unresolved ? 1 : 0;
        if (result.verdict != Verdict::Separated) continue;
        ++free;
        const auto least =
            static_cast<double>(robot::reference::sampled_clearance(c, request.samples));
        if (!(least > 0.0) || result.clearance_lower > least * (1.0 + 1e-12)) {
            ++wrong;
            fmt::print(stderr, "motion {}: clearance {} at samples, {} proved\n", i, least,
                       result.clearance_lower);
        }
        least_fraction = std::min(least_fraction, result.clearance_lower / least);
    }
    fmt::print(
        "{} of {} motions free: {} wrong; {} undecided; clearance proved to {:.3f} at least\n",
        free, i - request.first, wrong, undecided, least_fraction);
    return wrong;
}

int run(int argc, char** argv) {
    Request request;
    CLI::App app{"Motions of robots with contacts at known times, and near misses"};
    app.add_option("--contacts", request.contacts, "motions with a contact");
    app.add_option("--free", request.free, "free motions that are verified");
    app.add_option("--first", request.first, "number of the first motion");
    app.add_option("--samples", request.samples, "of each free motion");
    CLI11_PARSE(app, argc, argv);
    std::uint64_t wrong = 0;
    if (request.contacts > 0) wrong += check_contacts(request);
    if (request.free > 0) wrong += check_free(request);
    return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace graze::bench

int main(int argc, char** argv) {
    return graze::bench::run(argc, argv);
}

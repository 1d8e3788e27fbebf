#include "verify_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graze/io/hex_float.hpp"
#include "graze/verify/ground_truth.hpp"

namespace graze::app {
using namespace verify;
namespace {

constexpr const char* kRow =
    "{:<26}{:<4}{:>9}{:>10}{:>9}{:>6}{:>9}{:>6}{:>6}{:>7}{:>6}{:>8}{:>9}\n";

std::string row_text(const VerifyRow& row) {
    const VerifyCounts& counts = row.counts;
    const std::string tolerance =
        counts.max_tolerance ? fmt::format("{:.2g}", *counts.max_tolerance) : "-";
    return fmt::format(fmt::runtime(kRow), row.method.name, short_name(row.kind), counts.queries,
                       counts.contacts, counts.false_positives,
                       counts.count(Claim::NoFalseNegatives), counts.unresolved,
                       counts.count(Claim::ProvedToiLower), counts.count(Claim::ProvedToiUpper),
                       counts.count(Claim::ProgressWhenApart), counts.count(Claim::ProvedTolerance),
                       counts.over_budget, tolerance);
}

std::string breaches_text(const VerifyReport& report) {
    std::string text;
    for (const VerifyRow& row : report.rows) {
        for (const Claim claim : kAllClaims) {
            if (const std::uint64_t count = row.broken(claim); count > 0) {
                text += fmt::format("  {} {}: {} times: {}\n", row.method.name,
                                    short_name(row.kind), count, breach_of(claim));
            }
        }
    }
    return text;
}

std::string result_text(const CcdResult& result) {
    return fmt::format("{}, toi_lower {}, toi_upper {}, tolerance {}", name(result.verdict),
                       io::to_hex(result.toi_lower), io::to_hex(result.toi_upper),
                       io::to_hex(result.tolerance));
}

std::string broken_text(const BrokenAnswer& broken) {
    return fmt::format("first: query {} ({}), {}: {}\n  said:  {}\n  exact: {}\n{}\n",
                       broken.number, printable(broken.place), broken.method.name,
                       breach_of(*broken.broken.first()), result_text(broken.found),
                       result_text(broken.truth),
                       io::to_hex(broken.question.record, broken.question.kind));
}

std::string notes_text(const VerifyReport& report) {
    std::string text;
    if (report.not_finite > 0) {
        text += fmt::format("{} queries are not finite and must be left unresolved\n",
                            report.not_finite);
    }
    if (report.unjudged > 0) {
        text += fmt::format("{} queries could not be verified: the oracle has no answer\n",
                            report.unjudged);
    }
    return text;
}

Json result_json(const CcdResult& result) {
    return {{"verdict", name(result.verdict)},
            {"toi_lower", json_number(result.toi_lower)},
            {"toi_upper", json_number(result.toi_upper)},
            {"checks", result.checks},
            {"tolerance", json_number(result.tolerance)}};
}

Json row_json(const VerifyRow& row) {
    const VerifyCounts& counts = row.counts;
    Json broken = Json::object();
    for (const Claim claim : kAllClaims) {
        if (claims_of(row.method.guarantee).has(claim))
            broken[std::string(name(claim))] = row.broken(claim);
    }
    return {{"method", row.method.name},
            {"kind", short_name(row.kind)},
            {"queries", counts.queries},
            {"contacts", counts.contacts},
            {"false_positives", counts.false_positives},
            {"false_negatives", counts.count(Claim::NoFalseNegatives)},
            {"unresolved", counts.unresolved},
            {"late", counts.count(Claim::ProvedToiLower)},
            {"early", counts.count(Claim::ProvedToiUpper)},
            {"no_progress", counts.count(Claim::ProgressWhenApart)},
            {"wrong_tolerance", counts.count(Claim::ProvedTolerance)},
            {"over_budget", counts.over_budget},
            {"max_tolerance", json_optional(counts.max_tolerance)},
            {"broken", broken}};
}

Json corners_json(const Question& question) {
    Json corners = Json::array();
    const auto point = [](const Vec3& p) {
        return Json{io::to_hex(p.x), io::to_hex(p.y), io::to_hex(p.z)};
    };
    for (std::size_t c = 0; c < vertex_count(question.kind); ++c) {
        const MovingPoint& corner = question.record.corners[c];
        corners.push_back({{"start", point(corner.start)}, {"end", point(corner.end)}});
    }
    return corners;
}

Json broken_json(const BrokenAnswer& broken) {
    Json promises = Json::array();
    for (const Claim claim : kAllClaims) {
        if (broken.broken.has(claim)) promises.push_back(name(claim));
    }
    return {{"number", broken.number},
            {"place", broken.place},
            {"kind", short_name(broken.question.kind)},
            {"method", broken.method.name},
            {"promises", promises},
            {"found", result_json(broken.found)},
            {"exact", result_json(broken.truth)},
            {"corners", corners_json(broken.question)}};
}

}  // namespace

std::string report_text(const VerifyReport& report) {
    std::string text =
        fmt::format(fmt::runtime(kRow), "method", "kind", "queries", "contacts", "FP", "FN",
                    "unres.", "late", "early", "still", "tol!", "over", "max tol");
    for (const VerifyRow& row : report.rows) {
        if (row.counts.queries > 0) text += row_text(row);
    }
    text += notes_text(report);
    if (!report.first_broken) {
        return text + fmt::format("every guarantee holds on {} queries\n", report.queries);
    }
    return text + fmt::format("\n{} answers break a guarantee:\n", report.broken) +
           breaches_text(report) + broken_text(*report.first_broken);
}

Json report_json(const VerifyReport& report) {
    Json rows = Json::array();
    for (const VerifyRow& row : report.rows) {
        if (row.counts.queries > 0) rows.push_back(row_json(row));
    }
    return {
        {"queries", report.queries},
        {"next_seed", report.next},
        {"not_finite", report.not_finite},
        {"unjudged", report.unjudged},
        {"broken", report.broken},
        {"rows", rows},
        {"first_broken", report.first_broken ? broken_json(*report.first_broken) : Json(nullptr)}};
}

Expected<void> outcome_of(const VerifyReport& report) {
    if (report.first_broken) {
        const BrokenAnswer& first = *report.first_broken;
        return Error{fmt::format("{} answers break a guarantee; first query {}, {}: {}",
                                 report.broken, first.number, first.method.name,
                                 breach_of(*first.broken.first()))};
    }
    if (report.unjudged > 0) {
        return Error{
            fmt::format("{} of {} queries could not be verified", report.unjudged, report.queries)};
    }
    const bool was_asked = std::any_of(report.rows.begin(), report.rows.end(),
                                       [](const VerifyRow& row) { return row.counts.queries > 0; });
    return was_asked ? Expected<void>() : Error{"there is no query that these methods have"};
}

std::string text_of(const generate::Placement& placement) {
    std::string text;
    if (placement.scale != 0) text += fmt::format("scaled by 2^{}", placement.scale);
    if (placement.shift != 0.0) {
        text += text.empty() ? "" : ", ";
        text += "shifted by " + io::to_shortest(placement.shift);
    }
    return text;
}

Regression regression_of(const BrokenAnswer& broken, const generate::Placement& placement) {
    const Question& question = broken.question;
    const std::string moved = text_of(placement);
    Regression regression;
    regression.record = question.record;
    regression.kind = question.kind;
    regression.options = question.options;
    regression.method = broken.method.name;
    regression.in_library = builtin_methods().find(broken.method.name) != nullptr;
    regression.answer = broken.found;
    regression.truth = {oracle::State::Contact, broken.truth.toi_lower, broken.truth.toi_upper};
    if (broken.truth.verdict == Verdict::Separated) {
        regression.truth.state = oracle::State::Separated;
        regression.nearest =
            nearest_approach(question.record, question.kind, question.options.t_max);
    }
    regression.what = fmt::format("{}: {}", broken.method.name, breach_of(*broken.broken.first()));
    regression.origin = printable(broken.place) + (moved.empty() ? "" : ", " + moved);
    return regression;
}

}  // namespace graze::app

#include "regression_source.hpp"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <string_view>
#include <vector>

#include "graze/io/hex_float.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/ground_truth.hpp"
#include "graze/verify/hash.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::app {
using namespace verify;
namespace {

using io::to_hex;

// The words of a text: runs of ASCII letters and digits, in lower case.
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    bool inside = false;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_word = byte < 0x80 && std::isalnum(byte) != 0;
        if (is_word && !inside) words.emplace_back();
        if (is_word) words.back() += static_cast<char>(std::tolower(byte));
        inside = is_word;
    }
    return words;
}

std::string snake_case(const std::string& text) {
    std::string joined;
    for (const std::string& word : words_of(text))
        joined += (joined.empty() ? "" : "_") + word;
    return joined;
}

std::string pascal_case(const std::string& text) {
    std::string joined;
    for (std::string word : words_of(text)) {
        word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
        joined += word;
    }
    return joined;
}

std::string motion_type(QueryKind kind) {
    return pascal_case(std::string(long_name(kind))) + "Motion";
}

std::string point(const Vec3& p) {
    return fmt::format("{{{}, {}, {}}}", to_hex(p.x), to_hex(p.y), to_hex(p.z));
}

std::string motion_definition(const Regression& regression) {
    const std::string type = motion_type(regression.kind);
    std::string text = fmt::format(
        "// Corners in the order of the query files, each at the start and at the end of the "
        "step.\n"
        "// clang-format off\nconstexpr {0} kMotion = motion_from_vertices<{0}>({{{{\n",
        type);
    for (std::size_t c = 0; c < vertex_count(regression.kind); ++c) {
        const MovingPoint& corner = regression.record.corners[c];
        text += fmt::format("    {{{},\n     {}}},\n", point(corner.start), point(corner.end));
    }
    return text + "}});\n// clang-format on\n";
}

std::string options_definition(const CcdOptions& options) {
    return fmt::format(
        "constexpr CcdOptions kOptions = {{.min_separation = {},\n"
        "                                 .norm = Norm::{},\n"
        "                                 .distance_tolerance = {},\n"
        "                                 .time_width = {},\n"
        "                                 .t_max = {},\n"
        "                                 .max_checks = {}}};\n",
        to_hex(options.min_separation), options.norm == Norm::Max ? "Max" : "Euclidean",
        to_hex(options.distance_tolerance), to_hex(options.time_width), to_hex(options.t_max),
        options.max_checks);
}

// One expectation that holds for methods which declare it.
std::string check_if(std::string_view declared, std::string_view expectation) {
    return fmt::format("    if (declared.{}) {{\n        {};\n    }}\n", declared, expectation);
}

// Times are doubles and the bounds are neighbours or equal, so comparing with the lower one is
// exact for toi_lower, and with the upper one for toi_upper.
std::string truth_checks(const oracle::Truth& truth) {
    const std::string progress =
        truth.toi_lower > 0.0
            ? check_if("progress_when_separated", "EXPECT_GT(result.toi_lower, 0.0)")
            : "";
    if (truth.state == oracle::State::Contact) {
        return check_if("no_false_negatives", "EXPECT_NE(result.verdict, Verdict::Separated)") +
               check_if("proved_toi_lower", "EXPECT_LE(result.toi_lower, kFirstTimeLower)") +
               check_if("proved_toi_upper", "EXPECT_GE(result.toi_upper, kFirstTimeUpper)") +
               progress;
    }
    return check_if("no_false_positives", "EXPECT_NE(result.verdict, Verdict::Contact)") +
           check_if("proved_toi_upper", "EXPECT_EQ(result.toi_upper, kInfinity)") +
           check_if("proved_tolerance",
                    "EXPECT_GE(add_up(kOptions.min_separation, result.tolerance), kNearest)") +
           progress;
}

std::string truth_definition(const Regression& regression) {
    const oracle::Truth& truth = regression.truth;
    if (truth.state == oracle::State::Contact) {
        return fmt::format(
            "\n// Neighbouring doubles around the exact first time of contact, or equal where it "
            "is "
            "a double.\n"
            "constexpr double kFirstTimeLower = {};\nconstexpr double kFirstTimeUpper = {};\n",
            to_hex(truth.toi_lower), to_hex(truth.toi_upper));
    }
    return fmt::format(
        "\n// The smallest double that the max-norm distance comes down to in [0, t_max].\n"
        "constexpr double kNearest = {};\n",
        regression.nearest < kInfinity ? to_hex(regression.nearest) : "kInfinity");
}

// What holds for every method, whatever it declares.
constexpr std::string_view kFormChecks =
    "    EXPECT_TRUE(result.toi_lower >= 0.0 && result.toi_upper >= 0.0 && result.tolerance >= "
    "0.0);\n"
    "    if (result.verdict == Verdict::Separated) {\n"
    "        EXPECT_EQ(result, separated(result.checks));\n    }\n";

std::string check_function(const oracle::Truth& truth) {
    return fmt::format(
        "void expect_what_it_declares(const Method& method) {{\n"
        "    SCOPED_TRACE(std::string(method.name));\n"
        "    const Guarantee declared = guarantee_for(method.guarantee, kOptions);\n"
        "    const CcdResult result = run(method, kMotion, kOptions);\n"
        "{}{}{}}}\n",
        truth_checks(truth),
        check_if("always_resolves", "EXPECT_NE(result.verdict, Verdict::Unresolved)"), kFormChecks);
}

std::string test_function(const Regression& regression) {
    const std::string head = fmt::format(
        "TEST(Regression{}, {}) {{\n    const MethodRegistry registry = builtin_methods();\n",
        regression_id(regression.record, regression.kind), pascal_case(regression.what));
    if (!regression.in_library) {
        return head +
               fmt::format(
                   "    for (const Method& method : registry.all()) {{\n"
                   "        if (!supports(method, {}::kKind) || !supports(method, kOptions)) "
                   "continue;\n"
                   "        expect_what_it_declares(method);\n    }}\n}}\n",
                   motion_type(regression.kind));
    }
    return head + fmt::format(
                      "    const Method* method = registry.find(\"{}\");\n"
                      "    ASSERT_NE(method, nullptr);\n"
                      "    expect_what_it_declares(*method);\n}}\n",
                      regression.method);
}

std::string opening_comment(const Regression& regression) {
    return fmt::format(
        "// {}.\n//\n// {} query, {}.\n// Exact truth: {}.\n"
        "// When this was written, `{}` said: {},\n// toi_lower {}, toi_upper {}, tolerance {}.\n",
        regression.what, long_name(regression.kind), regression.origin, describe(regression.truth),
        regression.method, name(regression.answer.verdict), to_hex(regression.answer.toi_lower),
        to_hex(regression.answer.toi_upper), to_hex(regression.answer.tolerance));
}

oracle::Truth truth_as_asked(const RegressionQuery& query) {
    GroundTruthOptions options;
    options.min_separation = query.options.min_separation;
    options.norm = query.options.norm;
    const oracle::Truth truth =
        ground_truths(std::span(&query.record, 1), query.kind, options).front().truth;
    if (result_up_to(truth, query.options.t_max).verdict != Verdict::Separated) return truth;
    return {oracle::State::Separated, kInfinity, kInfinity};
}

}  // namespace

Regression regression_of(const RegressionQuery& query, std::string what, std::string origin) {
    const Run run{query.method, query.kind, query.options, {}};
    Regression regression;
    regression.record = query.record;
    regression.kind = query.kind;
    regression.options = query.options;
    regression.method = query.method.name;
    regression.in_library = builtin_methods().find(query.method.name) != nullptr;
    regression.answer = answers_of(run, std::span(&query.record, 1)).front().result;
    regression.truth = truth_as_asked(query);
    if (regression.truth.state == oracle::State::Separated) {
        regression.nearest = nearest_approach(query.record, query.kind, query.options.t_max);
    }
    regression.what = std::move(what);
    regression.origin = std::move(origin);
    return regression;
}

std::string regression_id(const io::QueryRecord& record, QueryKind kind) {
    Fnv1a hash;
    hash.add(static_cast<std::uint64_t>(kind), 1);
    for (std::size_t c = 0; c < vertex_count(kind); ++c) {
        for (const Vec3& p : {record.corners[c].start, record.corners[c].end}) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                hash.add(std::bit_cast<std::uint64_t>(p[axis]), 8);
            }
        }
    }
    return fmt::format("{:08x}", hash.value() >> 32);
}

std::string regression_file_name(const Regression& regression) {
    return fmt::format("{}_{}.cpp", regression_id(regression.record, regression.kind),
                       snake_case(regression.what));
}

std::string regression_source(const Regression& regression) {
    return fmt::format(
        "{}#include <gtest/gtest.h>\n\n#include <string>\n\n"
        "#include \"graze/core/rounding.hpp\"\n#include \"graze/narrow/method.hpp\"\n\n"
        "namespace graze {{\nnamespace {{\n\n{}\n{}{}\n{}\n{}\n"
        "}}  // namespace\n}}  // namespace graze\n",
        opening_comment(regression), motion_definition(regression),
        options_definition(regression.options), truth_definition(regression),
        check_function(regression.truth), test_function(regression));
}

}  // namespace graze::app

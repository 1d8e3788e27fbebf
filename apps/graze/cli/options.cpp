#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "graze/io/hex_float.hpp"
#include "graze/verify/methods.hpp"
#include "places.hpp"

namespace graze::app {
using namespace verify;
namespace {

QueryKind parse_kind(const std::string& text) {
    const std::optional<QueryKind> kind = query_kind_from_name(text);
    if (!kind) fail_usage(fmt::format("--kind: '{}' is none of vf, ee, vv, ve", text));
    return *kind;
}

Norm parse_norm(const std::string& text) {
    if (text == "euclidean") return Norm::Euclidean;
    if (text != "max") fail_usage(fmt::format("--norm: '{}' is neither max nor euclidean", text));
    return Norm::Max;
}

const Method& method_named(const MethodRegistry& registry, const std::string& option,
                           const std::string& name) {
    const Method* method = registry.find(name);
    if (method == nullptr) {
        fail_usage(
            fmt::format("{}: there is no '{}'; there are: {}", option, name, registry.names()));
    }
    return *method;
}

// Wrong use: valid options that the method does not honour, which can only be the separation.
void check_honours(const Method& method, const CcdOptions& options) {
    if (supports(method, options)) return;
    fail_usage(fmt::format("method '{}' does not honour --min-separation in the {} norm",
                           method.name, name(options.norm)));
}

double number_from(const std::string& option, const std::string& text) {
    const std::optional<double> number = io::parse_double(text);
    if (!number) fail_usage(fmt::format("{}: '{}' is no number", option, text));
    return *number;
}

}  // namespace

Expected<ExitCode> succeeded(const Expected<void>& outcome, ExitCode code) {
    return outcome ? Expected(code) : Expected<ExitCode>(outcome.error());
}

void add_exit_code_option(App& app, bool& wanted) {
    app.add_flag("--exit-code", wanted, "Exit with 0 if separated, 3 on contact, 4 if unresolved");
}

ExitCode exit_code_of(Verdict verdict, bool wanted) noexcept {
    if (!wanted || verdict == Verdict::Separated) return ExitCode::Success;
    return verdict == Verdict::Contact ? ExitCode::Contact : ExitCode::Unresolved;
}

Verdict verdict_of(bool any_contact, bool any_unresolved) noexcept {
    if (any_contact) return Verdict::Contact;
    return any_unresolved ? Verdict::Unresolved : Verdict::Separated;
}

void add_json_option(App& app, CommonOptions& common) {
    app.add_option("--json", common.json, "Write one JSON object to this file, or to stdout for -")
        ->type_name("FILE|-");
}

void add_common_options(App& app, CommonOptions& common) {
    add_json_option(app, common);
    add_natural_option(app, "--threads", common.threads, "Number of threads; 0 means all cores",
                       {0, 1024});
}

Option* add_kind_option(App& app, std::optional<QueryKind>& kind) {
    return app
        .add_option_function(
            "--kind", [&kind](const std::string& text) { kind = parse_kind(text); },
            "Kind of the queries: vertex-face, edge-edge, vertex-vertex, vertex-edge")
        ->type_name("vf|ee|vv|ve");
}

Option* add_kind_or_all_option(App& app, std::optional<QueryKind>& kind) {
    const auto parse = [&kind](const std::string& text) {
        kind = text == "all" ? std::nullopt : std::optional(parse_kind(text));
    };
    return app.add_option_function("--kind", parse, "Queries of this kind alone")
        ->type_name("vf|ee|vv|ve|all")
        ->default_str("all");
}

Option* add_family_option(App& app, std::vector<generate::Family>& families) {
    std::string known;
    for (const generate::Family family : generate::kAllFamilies) {
        known += known.empty() ? "" : ", ";
        known += generate::name(family);
    }
    const auto parse = [&families, known](const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            if (name == "all") {
                families.insert(families.end(), generate::kAllFamilies.begin(),
                                generate::kAllFamilies.end());
                continue;
            }
            const std::optional<generate::Family> family = generate::family_from_name(name);
            if (!family) fail_usage(fmt::format("--family: '{}' is none of {}", name, known));
            families.push_back(*family);
        }
    };
    return app.add_list_function("--family", parse, "Any of " + known + "; or all")
        ->delimiter(',')
        ->one_value_each()
        ->type_name("NAME,...");
}

std::optional<io::QueryFormat> query_format_of(std::string_view path) {
    if (path.ends_with(".csv") || path.ends_with(".csv.gz")) return io::QueryFormat::Csv;
    if (path.ends_with(".gzq")) return io::QueryFormat::Binary;
    return std::nullopt;
}

void check_query_file_name(std::string_view path) {
    if (query_format_of(path)) return;
    fail_usage(fmt::format("--out: '{}' ends in none of .csv, .csv.gz, .gzq", path));
}

Option* add_number_option(App& app, const std::string& option, double& value,
                          const std::string& help) {
    const auto take = [&value, option](const std::string& text) {
        value = number_from(option, text);
    };
    return app.add_option_function(option, take, help)
        ->type_name("NUMBER")
        ->default_str(io::to_shortest(value));
}

Option* add_optional_number_option(App& app, const std::string& option,
                                   std::optional<double>& value, const std::string& help) {
    const auto take = [&value, option](const std::string& text) {
        value = number_from(option, text);
    };
    return app.add_option_function(option, take, help)->type_name("NUMBER");
}

Option* add_integer_option(App& app, const std::string& option, int& value, const std::string& help,
                           int least, int most) {
    const auto parse = [&value, option, least, most](const std::string& text) {
        int number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool is_whole = error == std::errc() && end == text.data() + text.size();
        if (!is_whole || number < least || number > most) {
            fail_usage(fmt::format("{}: '{}' is no whole number from {} to {}", option, text, least,
                                   most));
        }
        value = number;
    };
    return app.add_option_function(option, parse, help)
        ->type_name("K")
        ->default_str(std::to_string(value));
}

std::uint64_t natural_from(const std::string& option, std::string_view text, NaturalRange range) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    if (!is_whole || value < range.least || value > range.most) {
        fail_usage(fmt::format("{}: '{}' is no whole number from {} to {}", option, text,
                               range.least, range.most));
    }
    return value;
}

void check_numbers(std::uint64_t seed, std::uint64_t count) {
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max();
    if (count > 0 && count - 1 > kLast - seed) {
        fail_usage(fmt::format("--seed {} and --count {} go past query {}", seed, count, kLast));
    }
}

void check_places(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto& [option, path] = outputs[i];
        if (path.empty()) continue;
        const Place place = output_place_of(path);
        for (std::size_t k = 0; k < i; ++k) {
            if (outputs[k].path.empty() || !do_clash(output_place_of(outputs[k].path), place))
                continue;
            fail_usage(fmt::format("{} '{}' and {} '{}' name the same place", outputs[k].option,
                                   outputs[k].path, option, path));
        }
        for (const std::string& input : inputs) {
            if (input.empty() || !do_clash(place_of(input), place)) continue;
            fail_usage(fmt::format("{} '{}' would overwrite the input '{}'", option, path, input));
        }
    }
}

std::vector<std::string> all_paths(const FileOptions& files) {
    std::vector<std::string> paths = files.files;
    paths.insert(paths.end(), files.truths.begin(), files.truths.end());
    return paths;
}

Option* add_file_options(App& app, FileOptions& files) {
    app.add_option("--truth", files.truths, "JSON array of truths, once per FILE in the same order")
        ->one_value_each()
        ->type_name("FILE.json");
    return app
        .add_option("FILE", files.files, "Query files: CSV, CSV.gz or the binary form (.gzq)")
        ->type_name("");
}

std::vector<QueryInput> inputs_of(const FileOptions& files, QueryKind kind) {
    if (!files.truths.empty() && files.truths.size() != files.files.size()) {
        fail_usage(fmt::format("--truth was given {} times for {} files: once per file",
                               files.truths.size(), files.files.size()));
    }
    std::vector<QueryInput> inputs;
    for (std::size_t i = 0; i < files.files.size(); ++i) {
        io::QuerySource source;
        source.kind = kind;
        source.queries = files.files[i];
        if (!files.truths.empty()) source.truth = files.truths[i];
        inputs.push_back(input_from(source));
    }
    return inputs;
}

void add_effort_options(App& app, CcdOptions& options) {
    add_number_option(app, "--tolerance", options.distance_tolerance,
                      "Length that may count as contact, for methods that have a tolerance");
    add_number_option(app, "--time-width", options.time_width,
                      "Target width of [toi_lower, toi_upper], for methods that bracket");
    add_natural_option(app, "--max-checks", options.max_checks,
                       "Work budget a query; what it leaves open is never separated", {.least = 1});
}

void add_separation_options(App& app, CcdOptions& options) {
    add_number_option(app, "--min-separation", options.min_separation,
                      "Contact means: distance <= this length");
    app.add_option_function(
           "--norm", [&options](const std::string& text) { options.norm = parse_norm(text); },
           "How --min-separation measures distance")
        ->type_name("max|euclidean")
        ->default_str("euclidean");
}

void add_t_max_option(App& app, CcdOptions& options) {
    add_number_option(app, "--t-max", options.t_max,
                      "Look only at [0, t-max] of the step; contact at t-max counts");
}

std::string_view name(Norm norm) noexcept {
    return norm == Norm::Max ? "max" : "euclidean";
}

void check_unique(const std::string& option, std::vector<std::string> values) {
    std::sort(values.begin(), values.end());
    const auto repeated = std::adjacent_find(values.begin(), values.end());
    if (repeated != values.end()) {
        fail_usage(fmt::format("{}: '{}' is named twice", option, *repeated));
    }
}

void add_methods_option(App& app, std::vector<std::string>& names, const MethodRegistry& registry) {
    app.add_option("--methods", names, "Which: " + registry.names())
        ->delimiter(',')
        ->one_value_each()
        ->type_name("A,B,...");
}

namespace {

// Forms with published failures stand beside ones without them: one row of a table is enough, unless
// they are named.
bool takes_part_unnamed(const Method& method, OracleUse oracle) {
    if (method.role == MethodRole::GroundTruth) return oracle == OracleUse::Always;
    return method.role != MethodRole::AsPublished;
}

}  // namespace

MethodChoice choose_methods(const MethodRegistry& registry, const std::vector<std::string>& names,
                            const CcdOptions& options, OracleUse oracle) {
    MethodChoice choice;
    check_unique("--methods", names);
    for (const std::string& name : names) {
        choice.methods.push_back(method_named(registry, "--methods", name));
        check_honours(choice.methods.back(), options);
    }
    if (!names.empty()) return choice;
    for (const Method& method : registry.all()) {
        if (!takes_part_unnamed(method, oracle)) continue;
        if (supports(method, options)) {
            choice.methods.push_back(method);
        } else {
            choice.left_out.emplace_back(method.name);
        }
    }
    if (!choice.methods.empty()) return choice;
    fail_usage(
        choice.left_out.empty()
            ? std::string("there is no method but the oracle: name it with --methods")
            : fmt::format("no method honours --min-separation in the {} norm", name(options.norm)));
}

std::string left_out_text(const MethodChoice& choice, const CcdOptions& options) {
    if (choice.left_out.empty()) return "";
    return fmt::format("left out, no --min-separation in the {} norm: {}\n", name(options.norm),
                       fmt::join(choice.left_out, ", "));
}

std::optional<QueryBounds> BoundChoice::declared() const {
    if (!length) return std::nullopt;
    QueryBounds bounds;
    bounds.declared_length = *length;
    return bounds;
}

void add_bound_option(App& app, BoundChoice& bound) {
    const auto parse = [&bound](const std::string& text) {
        bound = {};
        if (text == "query") return;
        bound.source = text == "pair" ? BoundSource::Pair : BoundSource::Scene;
        if (text == "pair" || text == "scene") return;
        bound.length = number_from("--bound", text);
        if (!(*bound.length > 0.0) || *bound.length == kInfinity)
            fail_usage("--bound: a length must be finite and > 0");
    };
    app.add_option_function(
           "--bound", parse,
           "What tolerances are made of (safe-cubic, tight-inclusion): each query, "
           "the edges of the pair and the displacements of the scene, all of the "
           "scene, or, for safe-cubic, this B; a query that is larger takes its own")
        ->type_name("query|pair|scene|LENGTH")
        ->default_str("query");
}

std::string text_of(const BoundChoice& bound) {
    if (bound.length) return io::to_shortest(*bound.length);
    if (!bound.is_given()) return "query";
    return bound.source == BoundSource::Pair ? "pair" : "scene";
}

void check_bound(const BoundChoice& bound, const Method& method) {
    if (!bound.is_given() || method.bounded != nullptr) return;
    fail_usage(
        fmt::format("--bound: method '{}' has no tolerances that it could bound", method.name));
}

void add_method_options(App& app, MethodOptions& method) {
    method.name = default_method_name();
    app.add_option("--method", method.name, "One of: " + all_methods().names())->type_name("M");
    add_effort_options(app, method.options);
    add_separation_options(app, method.options);
    add_t_max_option(app, method.options);
}

void check_options(const CcdOptions& options) {
    if (!(options.min_separation >= 0.0) || options.min_separation == kInfinity) {
        fail_usage("--min-separation must be finite and >= 0");
    }
    if (!(options.t_max >= 0.0 && options.t_max <= 1.0)) fail_usage("--t-max must be in [0, 1]");
    if (!is_valid(options)) fail_usage("--tolerance and --time-width must be finite and > 0");
}

Method chosen_method(const MethodOptions& choice, QueryKind kind) {
    const MethodRegistry registry = all_methods();
    const Method& method = method_named(registry, "--method", choice.name);
    check_options(choice.options);
    if (!supports(method, kind)) {
        fail_usage(fmt::format("method '{}' has no {} query", choice.name, long_name(kind)));
    }
    check_honours(method, choice.options);
    return method;
}

TruthUse truth_use(const CcdOptions& options, const FileOptions& files) {
    return {.stored_applies = options.min_separation == 0.0 && options.t_max == 1.0,
            .named_by_user = !files.truths.empty()};
}

}  // namespace graze::app

// `graze methods`: what there is, and what each of them proves.
#include <fmt/format.h>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "commands.hpp"
#include "graze/verify/methods.hpp"

namespace graze::app {
using namespace verify;
namespace {

constexpr std::string_view kLegend =
    "no FN      separated is a proof\n"
    "no FP      contact is a proof\n"
    "lower      [0, toi_lower) is proved free\n"
    "upper      a finite toi_upper is a proof of contact at or before it\n"
    "near       a finite tolerance is a proof that they come within separation + tolerance\n"
    "progress   toi_lower > 0 whenever the start is separated\n"
    "resolves   never unresolved on finite input\n"
    "scale      a power of two on all lengths changes no verdict and no time\n"
    "d          minimum separations it honours: e euclidean, m max norm\n";

std::string kinds_of(const Method& method) {
    std::string list;
    for (const QueryKind kind : kAllQueryKinds) {
        if (supports(method, kind))
            list += (list.empty() ? "" : " ") + std::string(short_name(kind));
    }
    return list;
}

std::string separations_of(const Guarantee& guarantee) {
    return std::string(guarantee.min_separation_euclidean ? "e" : "-") +
           (guarantee.min_separation_max_norm ? "m" : "-");
}

std::string_view yes(bool value) {
    return value ? "yes" : "-";
}

constexpr const char* kRow = "{:<26}{:<13}{:<7}{:<7}{:<7}{:<7}{:<6}{:<10}{:<10}{:<7}{:<3}\n";

std::string table(const MethodRegistry& registry) {
    std::string text = fmt::format(fmt::runtime(kRow), "method", "kinds", "no FN", "no FP", "lower",
                                   "upper", "near", "progress", "resolves", "scale", "d");
    for (const Method& method : registry.all()) {
        const Guarantee& g = method.guarantee;
        text += fmt::format(fmt::runtime(kRow), method.name, kinds_of(method),
                            yes(g.no_false_negatives), yes(g.no_false_positives),
                            yes(g.proved_toi_lower), yes(g.proved_toi_upper),
                            yes(g.proved_tolerance), yes(g.progress_when_separated),
                            yes(g.always_resolves), yes(g.scale_invariant), separations_of(g));
    }
    text += "\n";
    for (const Method& method : registry.all()) {
        text += fmt::format("{:<26}{}\n", method.name, method.summary);
    }
    return fmt::format("{}\n{}default: {}\n", text, kLegend, default_method_name());
}

Json guarantee_json(const Guarantee& guarantee) {
    return {{"no_false_negatives", guarantee.no_false_negatives},
            {"no_false_positives", guarantee.no_false_positives},
            {"proved_toi_lower", guarantee.proved_toi_lower},
            {"proved_toi_upper", guarantee.proved_toi_upper},
            {"proved_tolerance", guarantee.proved_tolerance},
            {"progress_when_apart", guarantee.progress_when_separated},
            {"always_resolves", guarantee.always_resolves},
            {"scale_free", guarantee.scale_invariant},
            {"exact_separations", guarantee.exact_separations},
            {"min_separation_euclidean", guarantee.min_separation_euclidean},
            {"min_separation_max_norm", guarantee.min_separation_max_norm}};
}

Json methods_json(const MethodRegistry& registry) {
    Json list = Json::array();
    for (const Method& method : registry.all()) {
        Json kinds = Json::array();
        for (const QueryKind kind : kAllQueryKinds) {
            if (supports(method, kind)) kinds.push_back(short_name(kind));
        }
        list.push_back({{"name", method.name},
                        {"summary", method.summary},
                        {"kinds", kinds},
                        {"guarantee", guarantee_json(method.guarantee)}});
    }
    return {
        {"methods", list}, {"default", default_method_name()}, {"build", to_json(build_info())}};
}

Expected<void> run_methods(const CommonOptions& common) {
    Expected<JsonOutput> json = JsonOutput::open(common.json);
    if (!json) return json.error();
    const MethodRegistry registry = all_methods();
    if (auto written = json->write(methods_json(registry)); !written) return written;
    return json->owns_stdout() ? Expected<void>() : print_report(table(registry));
}

}  // namespace

Command add_methods_command(App& app) {
    App* sub = app.add_command("methods", "List the methods and what each one proves");
    const auto common = std::make_shared<CommonOptions>();
    add_json_option(*sub, *common);
    sub->footer("Examples:\n  graze methods\n  graze methods --json -\n");
    return {sub, [common] { return succeeded(run_methods(*common)); }};
}

}  // namespace graze::app

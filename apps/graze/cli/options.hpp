// The command line options that commands share.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"
#include "graze/generate/families.hpp"
#include "graze/narrow/query_bounds.hpp"
#include "query_input.hpp"

namespace graze::app {

// How the process ends.
enum class ExitCode : std::uint8_t {
    Success = 0,     // whatever the verdicts, unless --exit-code asks for them
    BadInput = 1,    // one line on standard error
    WrongUsage = 2,  // likewise
    Contact = 3,     // with --exit-code, as is the next; `graze check`, `graze robot`: always
    Unresolved = 4,
};
// The code of what succeeded, or the error.
[[nodiscard]] Expected<ExitCode> succeeded(const Expected<void>& outcome,
                                           ExitCode code = ExitCode::Success);

// "--exit-code": the verdict as exit code.
void add_exit_code_option(App& app, bool& wanted);
// Success where the verdict is not wanted.
[[nodiscard]] ExitCode exit_code_of(Verdict verdict, bool wanted) noexcept;
// The verdict of several answers: a contact counts more than what is open, that more than the rest.
[[nodiscard]] Verdict verdict_of(bool any_contact, bool any_unresolved) noexcept;

// A command, and what runs once the command line has been understood.
struct Command {
    App* app = nullptr;
    std::function<Expected<ExitCode>()> run;
    bool runs_on_ranks = false;  // it distributes its work where mpirun started several processes
};

struct CommonOptions {
    std::string json;      // empty: none; "-": standard output
    unsigned threads = 1;  // 0: all cores
};
// "--json" alone, for commands that have nothing to do in parallel.
void add_json_option(App& app, CommonOptions& common);
// "--json", "--threads".
void add_common_options(App& app, CommonOptions& common);

// "--kind": vf, ee, vv, ve or the long names.
Option* add_kind_option(App& app, std::optional<QueryKind>& kind);

// "--kind" of a run over one kind or over all: nothing for "all".
Option* add_kind_or_all_option(App& app, std::optional<QueryKind>& kind);

// "--family": families of generated queries by name, joined by commas; "all" for each of them.
Option* add_family_option(App& app, std::vector<generate::Family>& families);

// The form that the name of a query file asks for: .csv, .csv.gz or .gzq.
[[nodiscard]] std::optional<io::QueryFormat> query_format_of(std::string_view path);
// Wrong use: a name for --out that asks for none of these.
void check_query_file_name(std::string_view path);

// A number read exactly as the query files read theirs: decimal or hex, rounded once.
Option* add_number_option(App& app, const std::string& option, double& value,
                          const std::string& help);

// The same for a number that may be left out.
Option* add_optional_number_option(App& app, const std::string& option,
                                   std::optional<double>& value, const std::string& help);

// A whole number with or without a minus. Wrong use: anything else, or one outside [least, most].
Option* add_integer_option(App& app, const std::string& option, int& value, const std::string& help,
                           int least, int most);

struct NaturalRange {
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};
// Digits and nothing else. Wrong use: anything else, or a number outside the range.
[[nodiscard]] std::uint64_t natural_from(const std::string& option, std::string_view text,
                                         NaturalRange range);

template <std::unsigned_integral Natural>
Option* add_natural_option(App& app, const std::string& option, Natural& value,
                           const std::string& help,
                           NaturalRange range = {0, std::numeric_limits<Natural>::max()}) {
    const auto parse = [&value, option, range](const std::string& text) {
        value = static_cast<Natural>(natural_from(option, text, range));
    };
    return app.add_option_function(option, parse, help)
        ->type_name("N")
        ->default_str(std::to_string(value));
}

// "--count" and "--seed": a run over numbered queries. At most 10^12 of them, years of work, so
// that sums over families stay far from overflow.
inline constexpr NaturalRange kQueryCounts{1, 1'000'000'000'000};
// Wrong use: numbers that go past the last one there is.
void check_numbers(std::uint64_t seed, std::uint64_t count);

// The paths that a command line names, by what happens to them.
struct NamedOutput {
    std::string option;
    std::string path;  // empty: not named; "-": standard output
};
// Wrong use: two outputs at one place, or one at the place of an input.
void check_places(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs);

// Query files with the truth files beside them.
struct FileOptions {
    std::vector<std::string> files;
    std::vector<std::string> truths;  // none, or one a file
};
// The option of the files.
Option* add_file_options(App& app, FileOptions& files);
// The files and the truths.
[[nodiscard]] std::vector<std::string> all_paths(const FileOptions& files);
// One input a file. Wrong use: another number of truths than of files.
[[nodiscard]] std::vector<QueryInput> inputs_of(const FileOptions& files, QueryKind kind);

// "--tolerance", "--time-width", "--max-checks".
void add_effort_options(App& app, CcdOptions& options);
// "--min-separation", "--norm".
void add_separation_options(App& app, CcdOptions& options);

// "--t-max".
void add_t_max_option(App& app, CcdOptions& options);

// "max" or "euclidean".
[[nodiscard]] std::string_view name(Norm norm) noexcept;

// Wrong use: a value that is there twice.
void check_unique(const std::string& option, std::vector<std::string> values);

// "--methods": names joined by commas.
void add_methods_option(App& app, std::vector<std::string>& names, const MethodRegistry& registry);
// Methods for a run that compares, and the names of those that cannot take part.
struct MethodChoice {
    std::vector<Method> methods;
    std::vector<std::string> left_out;
};
enum class OracleUse : std::uint8_t { WhereNamed, Always };
// The methods named or, where none is, all of them: the oracle only if that is requested, and none
// whose name ends in "-published". One that does not honour the separation is left out. Wrong use: to name such a one, one that there is not,
// or one twice; and nothing that is left.
[[nodiscard]] MethodChoice choose_methods(const MethodRegistry& registry,
                                          const std::vector<std::string>& names,
                                          const CcdOptions& options, OracleUse oracle);
// One line about those that were left out; empty if none was.
[[nodiscard]] std::string left_out_text(const MethodChoice& choice, const CcdOptions& options);

// "--bound": what tolerances are made of, for methods that have such.
struct BoundChoice {
    BoundSource source = BoundSource::Query;
    std::optional<double> length;  // B as declared; nothing: from the queries

    [[nodiscard]] bool is_given() const noexcept { return source != BoundSource::Query; }
    // What is declared before the queries are known.
    [[nodiscard]] std::optional<QueryBounds> declared() const;
};
void add_bound_option(App& app, BoundChoice& bound);
// As it is typed: "query", "pair", "scene" or the length.
[[nodiscard]] std::string text_of(const BoundChoice& bound);
// Wrong use: a bound for a method that has no tolerances.
void check_bound(const BoundChoice& bound, const Method& method);

// A method by name and what it is asked with.
struct MethodOptions {
    std::string name;
    CcdOptions options;
};
void add_method_options(App& app, MethodOptions& method);
// Wrong use: no such method, values out of range, a kind or a separation the method lacks.
[[nodiscard]] Method chosen_method(const MethodOptions& choice, QueryKind kind);

// Wrong use: a value outside the range that CcdOptions states.
void check_options(const CcdOptions& options);

[[nodiscard]] TruthUse truth_use(const CcdOptions& options, const FileOptions& files);

}  // namespace graze::app

#include "reproduce_page.hpp"

#include <fmt/format.h>

#include "cli/build_info.hpp"
#include "pictures/html_text.hpp"

namespace graze::app {
namespace {

std::string anchor(const ReproduceItem& item) {
    return fmt::format("{}-{}", name(item.paper), item.id);
}

std::string link(std::string_view target, std::string_view text) {
    return fmt::format("<a href=\"{}\">{}</a>", escaped(target), escaped(text));
}

// Relative to the page.
std::string file_of(const ReproduceItem& item, std::string_view file) {
    return fmt::format("{}/{}/{}", name(item.paper), item.id, file);
}

// A row of cells, each with the heading of its column: where the page is narrow, cells are lines
// and carry it before them.
class WordTable {
public:
    explicit WordTable(std::vector<std::string> headings) : headings_(std::move(headings)) {
        std::string cells;
        for (const std::string& heading : headings_)
            cells += element("th", "", heading);
        rows_ = element("tr", "", cells) + "\n";
    }
    // Cells are HTML.
    void add_row(const std::vector<std::string>& cells) {
        std::string row;
        for (std::size_t i = 0; i < cells.size(); ++i)
            row += i == 0 ? element("td", "", cells[i])
                          : fmt::format("<td data-label=\"{}\">{}</td>", headings_[i], cells[i]);
        rows_ += element("tr", "", row) + "\n";
    }
    [[nodiscard]] std::string html() const {
        return element("div", "words", element("table", "", rows_));
    }

private:
    std::vector<std::string> headings_;
    std::string rows_;
};

// Agreement is blue, more than was published green, a difference yellow.
std::string verdict_cell(const std::string& verdict) {
    const char* colour = verdict.starts_with("agree")    ? "right"
                         : verdict.starts_with("better") ? "pos"
                         : verdict.starts_with("differ") ? "near"
                                                         : "soft";
    return element("span", colour, escaped(verdict));
}

std::string counts_cell(const ItemOutcome& outcome) {
    if (outcome.state == ItemState::Failed) return element("span", "bad", escaped(outcome.message));
    if (outcome.state == ItemState::NotReproducible)
        return element("span", "soft", escaped(outcome.item.reason));
    if (!outcome.has_result()) return element("span", "soft", "-");
    const VerdictCounts counts = count_verdicts(outcome.result);
    const char* colour = counts.differ > 0 ? "near" : counts.better > 0 ? "pos" : "right";
    return element("span", colour, escaped(verdict_text(counts)));
}

std::string status_cell(const ItemOutcome& outcome) {
    const std::string text = escaped(status_text(outcome));
    if (outcome.state == ItemState::Failed) return element("span", "bad", text);
    return outcome.has_result() ? text : element("span", "soft", text);
}

std::string summary_table(const ReproduceReport& report) {
    WordTable table({"item", "paper", "what it is", "status", "verdict"});
    for (const ItemOutcome& outcome : report.items) {
        const ReproduceItem& item = outcome.item;
        const std::string id = outcome.has_result() || outcome.state == ItemState::Failed
                                   ? link("#" + anchor(item), item.id)
                                   : escaped(item.id);
        table.add_row({element("span", "id", id), element("span", "id", name(item.paper)),
                       escaped(item.title), status_cell(outcome), counts_cell(outcome)});
    }
    return table.html();
}

std::string compared_table(const StoredResult& result) {
    if (result.rows.empty()) return "";
    WordTable table({"what", "published", "ours", "verdict"});
    for (const ComparedRow& row : result.rows)
        table.add_row({escaped(row.what), escaped(row.published), escaped(row.ours),
                       verdict_cell(row.verdict)});
    return table.html();
}

std::string caption_html(const std::string& caption, const std::string& file,
                         std::string_view what) {
    return element("figcaption", "", escaped(caption) + " " + link(file, what));
}

std::string drawing_html(const ReproduceItem& item, const Drawing& drawing) {
    const std::string file = file_of(item, drawing.name + ".svg");
    const std::string picture = has_own_style(drawing)
                                    ? fmt::format("<img src=\"{}\" alt=\"{}\" loading=\"lazy\" />",
                                                  escaped(file), escaped(drawing.caption))
                                    : element("div", "scroll", drawing.svg);
    return element("figure", "", picture + caption_html(drawing.caption, file, "SVG")) + "\n";
}

std::string table_html(const ReproduceItem& item, const StoredTable& table) {
    const std::string file = file_of(item, table.name + ".csv");
    if (table.rows.empty())
        return element("p", "",
                       escaped(table.caption) + " " +
                           link(file, fmt::format("CSV, {} rows", table.row_count))) +
               "\n";
    std::vector<std::string> headings;
    for (const std::string& heading : table.headings)
        headings.push_back(escaped(heading));
    HtmlTable html(headings);
    for (const auto& row : table.rows) {
        std::vector<std::string> cells;
        for (const std::string& cell : row)
            cells.push_back(escaped(cell));
        html.add_row(cells);
    }
    return element("figure", "", html.html() + caption_html(table.caption, file, "CSV")) + "\n";
}

std::string item_command(const ReproduceItem& item, const ReproduceSettings& settings) {
    std::string command =
        fmt::format("graze reproduce --paper {} --figure {}", name(item.paper), item.id);
    if (settings.options.quick) command += " --quick";
    if (!settings.options.data.empty()) command += " --data " + settings.options.data;
    if (settings.options.seed != ReproduceOptions{}.seed)
        command += fmt::format(" --seed {}", settings.options.seed);
    return command + " --fresh --out " + settings.out.string();
}

std::string item_section(const ItemOutcome& outcome, const ReproduceSettings& settings) {
    const ReproduceItem& item = outcome.item;
    std::string html = fmt::format("<section id=\"{}\">\n", escaped(anchor(item))) +
                       element("h3", "", escaped(fmt::format("{}: {}", item.id, item.title)));
    if (outcome.state == ItemState::Failed) {
        html += element("p", "bad", "Failed: " + escaped(outcome.message));
    } else {
        const StoredResult& result = outcome.result;
        html += element("p", "conclusion", escaped(result.conclusion)) + compared_table(result);
        for (const Drawing& drawing : result.drawings)
            html += drawing_html(item, drawing);
        for (const StoredTable& table : result.tables)
            html += table_html(item, table);
        html +=
            element("p", "facts",
                    fmt::format("{:.1f} s. ", static_cast<double>(result.milliseconds) / 1e3) +
                        "Made by " + element("code", "", escaped(item_command(item, settings))));
    }
    return html + "</section>\n";
}

std::string paper_sections(const ReproduceReport& report, const ReproduceSettings& settings) {
    std::string html;
    for (const Paper paper : kAllPapers) {
        std::string sections;
        for (const ItemOutcome& outcome : report.items) {
            if (outcome.item.paper != paper) continue;
            if (outcome.has_result() || outcome.state == ItemState::Failed)
                sections += item_section(outcome, settings);
        }
        if (sections.empty()) continue;
        html += fmt::format("<h2 id=\"{}\">{}</h2>\n", name(paper), escaped(citation(paper))) +
                sections;
    }
    return html;
}

std::string opening(const ReproduceReport& report) {
    VerdictCounts all;
    std::size_t results = 0;
    for (const ItemOutcome& outcome : report.items) {
        if (!outcome.has_result()) continue;
        ++results;
        const VerdictCounts counts = count_verdicts(outcome.result);
        all.agree += counts.agree;
        all.better += counts.better;
        all.differ += counts.differ;
        all.other += counts.other;
    }
    std::string text =
        fmt::format("{} of {} items made: {}.", results, report.items.size(), verdict_text(all));
    if (const std::size_t bad = report.count(ItemState::Failed); bad > 0)
        text += fmt::format(" {} failed.", bad);
    return text;
}

std::string facts(const ReproduceReport& report, const ReproduceSettings& settings) {
    const BuildInfo build = build_info();
    std::string html = element(
        "p", "facts",
        escaped(fmt::format("graze {} · {} · {} · {} cores · {} · {} build", build.version,
                            build.cpu, build.os, build.cores, build.compiler, build.build_type)));
    html += element("p", "facts",
                    escaped(fmt::format(
                        "{} samples, seed {}, data: {}",
                        settings.options.quick ? "Small (--quick)" : "Full", settings.options.seed,
                        report.made.data.empty() ? "the project's own" : report.made.data)));
    if (!settings.command.empty())
        html += element("p", "facts", "Made by " + element("code", "", escaped(settings.command)));
    return html;
}

}  // namespace

std::string reproduce_page(const ReproduceReport& report, const ReproduceSettings& settings) {
    std::string body =
        element("h1", "", "Tables and figures of the papers, made again") +
        element("p", "",
                "Each item is a table, figure or statement of a paper. Its rows have the published "
                "number or statement, ours, and whether they agree.") +
        element("p", "verdict", escaped(opening(report))) + facts(report, settings);
    if (!report.is_complete)
        body += element("p", "bad",
                        "Interrupted: items that are not run yet are made by the same command.");
    body += summary_table(report) + paper_sections(report, settings) +
            element("footer", "", element("pre", "", escaped(to_text(build_info())))) + "\n";
    return page_frame("graze reproduce", body);
}

}  // namespace graze::app

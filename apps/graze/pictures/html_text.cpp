#include "html_text.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

// Colours are those of Okabe and Ito, which people who see fewer of them can tell apart. Blue: no
// mistake, yellow: false positives, red: misses contacts.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ink: #1d2329; --soft: #66707a; --line: #d9dee3; --page: #ffffff;
  --panel: #f6f8fa; --right: #0072b2; --near: #e69f00; --miss: #d55e00; --near-text: #8a5a00;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9;
  --c6: #7a7a7a; --c7: #8c6d1f }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --soft: #9aa4ae; --line: #39424b;
  --page: #14181c; --panel: #1c2228; --right: #3aa0dc; --near: #f0b429; --miss: #f2743c;
  --near-text: #f0b429;
  --c0: #3aa0dc; --c1: #f2743c; --c2: #2cc295; --c3: #e39cc3; --c4: #f0b429; --c5: #8fd0f5;
  --c6: #a8a8a8; --c7: #c9a94b } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: var(--ink);
  background: var(--page); max-width: 80rem; margin: 0 auto; padding: 1.6rem 1.4rem 4rem }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem } h2 { font-size: 1.3rem;
  margin: 3rem 0 .3rem; padding-top: 1rem; border-top: 2px solid var(--line) }
h3 { font-size: 1.08rem; margin: 0 0 .3rem } h4 { font-size: .92rem; margin: .5rem 0 .2rem }
p { margin: .35rem 0; max-width: 62rem }
.verdict { font-size: 1.08rem; font-weight: 600; margin: .9rem 0 .5rem; padding: .5rem .8rem;
  border-left: 4px solid var(--right); background: var(--panel) }
.summary table { font-size: .87rem } .groups a { margin-right: .9rem }
nav { margin: .8rem 0 } nav a { margin-right: 1.2rem } a { color: var(--right) }
.facts { color: var(--soft); font-size: .87rem } .soft { color: var(--soft) }
figure { margin: 1.2rem 0 1.8rem; break-inside: avoid } figcaption { color: var(--soft);
  font-size: .82rem; margin-top: .3rem }
code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr));
  gap: .6rem 2rem }
.panels { display: flex; flex-wrap: wrap; gap: .6rem 1.4rem; align-items: flex-end }
.small { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr));
  gap: .5rem 1rem }
.scroll { overflow-x: auto } svg { display: block; max-width: 100%; height: auto }
svg text { font: 11.5px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink) }
svg .soft { fill: var(--soft) } svg .end { text-anchor: end } svg .middle { text-anchor: middle }
svg .strong { font-weight: 700 } svg .tiny { font-size: 10px }
svg .grid { stroke: var(--line); stroke-width: 1 }
svg .axis { stroke: var(--soft); stroke-width: 1 }
.right { fill: var(--right); color: var(--right) } .near { fill: var(--near); color: var(--near) }
.miss { fill: var(--miss); color: var(--miss); font-weight: 700 }
svg text.near { fill: var(--near-text) } td .near { color: var(--near-text) }
.pos { fill: var(--c2); color: var(--c2) } .neg { fill: var(--c3); color: var(--c3) }
.whisker { stroke: var(--soft); stroke-width: 1.2 } .tick { stroke: var(--page); stroke-width: 2 }
.hollow { fill: none; stroke: var(--soft); stroke-width: 1.6 }
.s0 { stroke: var(--c0); color: var(--c0) } .s1 { stroke: var(--c1); color: var(--c1) }
.s2 { stroke: var(--c2); color: var(--c2) } .s3 { stroke: var(--c3); color: var(--c3) }
.s4 { stroke: var(--c4); color: var(--c4) } .s5 { stroke: var(--c5); color: var(--c5) }
.s6 { stroke: var(--c6); color: var(--c6) } .s7 { stroke: var(--c7); color: var(--c7) }
.band { stroke: none; fill: currentColor; opacity: .15 } .curve { fill: none; stroke-width: 2 } .dot { stroke: none; fill: currentColor }
svg text.name { fill: currentColor; stroke: none; font-weight: 600 }
.key { font-size: .87rem; margin: .2rem 0 .5rem } .key > span { margin-right: 1.1rem }
.swatch { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px;
  margin-right: .35rem; vertical-align: -1px; background: currentColor }
table { border-collapse: collapse; font-size: .8rem; margin: .4rem 0 }
th { color: var(--soft); font-weight: 500; text-align: right; border-bottom: 1px solid var(--line) }
td { text-align: right; border-bottom: 1px solid var(--line) }
th, td { padding: .16rem .55rem; white-space: nowrap; font-variant-numeric: tabular-nums }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
tr:hover td { background: var(--panel) } .zero { color: var(--soft) } .bad { color: var(--miss) }
section { margin-top: 2.4rem } h2 + section { margin-top: 1rem }
.words th, .words td { text-align: left; white-space: normal; vertical-align: top;
  overflow-wrap: anywhere; min-width: 5.5rem } .words table { font-size: .87rem }
.words td:first-child { min-width: 9rem } .words .id { white-space: nowrap }
td .pos { color: var(--c2) } img { display: block; max-width: 100%; height: auto }
@media (max-width: 44rem) { body { padding: 1rem .8rem 3rem } .words table, .words tbody,
  .words tr, .words td { display: block } .words tr:first-child { display: none }
  .words tr { padding: .35rem 0; border-bottom: 1px solid var(--line) }
  .words td { border: 0; padding: .05rem 0 } .words td:first-child { font-weight: 600 }
  .words td[data-label]::before { content: attr(data-label) ": "; color: var(--soft) } }
details { margin: .6rem 0 } summary { cursor: pointer; color: var(--right) }
footer { margin-top: 3rem; border-top: 2px solid var(--line); padding-top: 1rem;
  color: var(--soft); font-size: .85rem }
@media print { body { max-width: none; font-size: 11px } h2 { break-before: auto }
  .pair { grid-template-columns: 1fr } })";

}  // namespace

std::string escaped(std::string_view text) {
    std::string html;
    for (const char c : text) {
        switch (c) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            case '"':
                html += "&quot;";
                break;
            default:
                html += c;
        }
    }
    return html;
}

std::string element(std::string_view name, std::string_view css_class, std::string_view content) {
    if (css_class.empty()) return fmt::format("<{0}>{1}</{0}>", name, content);
    return fmt::format("<{0} class=\"{1}\">{2}</{0}>", name, css_class, content);
}

std::string figure_html(const Figure& figure) {
    const std::string made = element("code", "", escaped(figure.command));
    const std::string note = figure.note.empty() ? "" : figure.note + "<br />";
    const std::string heading =
        figure.id.empty()
            ? escaped(figure.heading)
            : fmt::format("<span id=\"{}\">{}</span>", escaped(figure.id), escaped(figure.heading));
    return element("figure", "",
                   element("h3", "", heading) + figure.content +
                       element("figcaption", "", note + "Made by " + made)) +
           "\n";
}

HtmlTable::HtmlTable(const std::vector<std::string>& headings) {
    std::string cells;
    for (const std::string& heading : headings)
        cells += element("th", "", heading);
    rows_ = element("tr", "", cells) + "\n";
}

void HtmlTable::add_row(const std::vector<std::string>& cells) {
    std::string row;
    for (const std::string& cell : cells)
        row += element("td", "", cell);
    rows_ += element("tr", "", row) + "\n";
}

std::string HtmlTable::html() const {
    return element("div", "scroll", element("table", "", rows_));
}

std::string_view page_style() noexcept {
    return kStyle;
}

std::string page_frame(std::string_view title, std::string_view body) {
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\" />"
        "<meta name=\"viewport\" content=\"width=device-width\" /><title>{}</title>"
        "<style>{}</style></head>\n<body>\n{}</body></html>\n",
        escaped(title), kStyle, body);
}

}  // namespace graze::app

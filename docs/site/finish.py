"""Mends what the theme of Debian 12 leaves open: pages are read from a disk, without a server and without modules of JavaScript.

usage: finish.py HTML_FOLDER
"""

import html
import pathlib
import re
import shutil
import sys

LONG_CELL = 80  # characters from which on a cell of a table is prose


def mend_path(span):
    path = span.group(1)
    broken = re.sub(r"([/_])(?=\w)", r"\1<wbr>", path)
    return f'<span class="pre path">{broken}</span>' if re.search(r"/\w", path) else span.group()


def mend_cell(cell):
    """Paths break behind a slash or underscore, ids do not, and prose has room: else one long path leaves a word a line to the
    column beside it."""
    if re.fullmatch(r"(<p>)?[A-Z]+(-[A-Z0-9]+)+(</p>)?", cell.group(1)):
        return f'<td class="id">{cell.group(1)}</td>'
    text = re.sub(r'<span class="pre">([^<]*)</span>', mend_path, cell.group(1))
    prose = html.unescape(re.sub(r"<code[^>]*>.*?</code>|<[^>]*>", "", text, flags=re.DOTALL))
    return f'<td class="prose">{text}</td>' if len(prose) >= LONG_CELL else f"<td>{text}</td>"


def mend_tables(folder):
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        mended = re.sub(r"<td>(.*?)</td>", mend_cell, text, flags=re.DOTALL)
        if mended != text:
            page.write_text(mended, encoding="utf-8")


def main():
    folder = pathlib.Path(sys.argv[1])
    mend_tables(folder)
    static = folder / "_static"
    # A style sheet that is looked for on the server of a distribution.
    theme = static / "styles/furo.css"
    text = theme.read_text()
    mended = re.sub(r"@import url\(/javascript/normalize\.css/normalize\.css\)", '@import url("normalize.css")', text)
    if mended != text:
        shutil.copyfile("/usr/share/javascript/normalize.css/normalize.css", static / "styles/normalize.css")
        theme.write_text(mended)
    # Dark where the system asks for it: the rules are there for those who choose it by hand alone.
    if "prefers-color-scheme" not in mended:
        rules = re.findall(r'body\[data-theme="dark"\][^{}]*\{[^}]*\}', mended)
        if not rules:
            sys.exit("finish: the theme has no rules for dark pages")
        dark = "\n".join(rule.replace('data-theme="dark"', 'data-theme="auto"') for rule in rules if "svg" not in rule)
        with open(static / "graze.css", "a", encoding="utf-8") as file:
            file.write(f"@media not print {{ @media (prefers-color-scheme: dark) {{\n{dark}\n}} }}\n")
    # Modules cannot be loaded from a disk: both scripts in one.
    script = static / "scripts/furo.js"
    code = script.read_text()
    if code.startswith("import Gumshoe"):
        gumshoe = static / "scripts/gumshoe-patched.js"
        script.write_text(gumshoe.read_text() + "\n" + code.split("\n", 1)[1])
        gumshoe.unlink()
    # Nor can other pages be fetched from there, for an extract of each that was found.
    options = static / "documentation_options.js"
    text = options.read_text()
    mended = text.replace("SHOW_SEARCH_SUMMARY: true", 'SHOW_SEARCH_SUMMARY: location.protocol !== "file:"')
    if mended == text:
        sys.exit("finish: the search has no choice of extracts")
    options.write_text(mended)


main()

#!/usr/bin/env bash
# Builds the documentation site into build/site/html: pages of docs/, the reference from the headers, the help of the tool.
#   scripts/site.sh [--tool GRAZE]    GRAZE: the tool whose help is shown (default: build/release/bin/graze where it is)
# Warnings are errors, and so are a dead link and a page that no table of contents names. Nothing is fetched from the network, neither
# now nor when a page is read. Installs what it needs first (scripts/setup.sh).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
tool=
while [[ $# -gt 0 ]]; do
    case $1 in
        --tool) tool=${2:?}; shift 2 ;;
        *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
scripts/setup.sh --for site
for candidate in build/release/bin/graze build/package/bin/graze build/dev/bin/graze; do
    [[ -n $tool || ! -x $candidate ]] || tool=$candidate
done
# That of the distribution, which has Sphinx; another one on the PATH may not.
python=/usr/bin/python3
[[ -x $python ]] || python=python3

out=build/site
rm -rf "$out"
mkdir -p "$out/source/api" "$out/source/_static"
(cat docs/site/Doxyfile && echo "OUTPUT_DIRECTORY = $out/doxygen") | doxygen - > "$out/doxygen.log" 2>&1 \
    || { cat "$out/doxygen.log"; exit 1; }
"$python" docs/site/api_pages.py "$out/doxygen/xml" "$out/source/api"
"$python" docs/site/stage.py "$root" "$out/source" "$tool"
cp docs/site/conf.py "$out/source/"
cp docs/site/graze.css "$out/source/_static/"
# What the pages ask for of MathJax 2, and its fonts.
mathjax=/usr/share/javascript/mathjax
mkdir -p "$out/source/_static/mathjax"
for part in MathJax.js config/TeX-AMS_CHTML-full.js config/TeX-AMS_CHTML.js jax/element jax/input/TeX jax/output/CommonHTML \
    extensions fonts/HTML-CSS/TeX/woff; do
    [[ ! -e $mathjax/$part ]] || (cd "$mathjax" && cp -rL --parents "$part" "$root/$out/source/_static/mathjax/")
done
GRAZE_VERSION=$(sed -n 's/^ *VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt | head -1) \
    "$python" -m sphinx -q -W --keep-going -j auto -b html "$out/source" "$out/html"
"$python" docs/site/finish.py "$out/html"
"$python" docs/site/check_links.py "$out/html"
rm -rf "$out/html/.doctrees" "$out/html/.buildinfo"
echo "$out/html/index.html: $(find "$out/html" -name '*.html' | wc -l) pages"

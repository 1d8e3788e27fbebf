#!/usr/bin/env bash
# What bare_system.sh does inside of the bare system; /packages and /trial are there.
set -euo pipefail
cd /trial

say() { echo "== $*"; }
# Every file that dpkg and apt do not keep for themselves. Nor backups of the list of groups: what MPI depends on makes one.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /trial -o -path /tmp -o -path /packages \
        -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log -o -path /run \
        -o -path /root -o -path /etc/group- -o -path /etc/gshadow- \) -prune -o -print | LC_ALL=C sort
}
apt_get() { apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends "$@" > apt.log 2>&1 || { tail -20 apt.log; exit 1; }; }

# Man pages are left out of some images, by a rule for dpkg.
rm -f /etc/dpkg/dpkg.cfg.d/*docker* /etc/dpkg/dpkg.cfg.d/*excludes*
apt_get update
say "what a newcomer has"
apt_get install g++ cmake make pkgconf man-db bash-completion zsh fish
files > before

say "install"
apt_get install /packages/*.deb
dpkg -l | awk '/graze/ { print $1, $2, $3 }'

say "tool"
graze --version | head -1
graze generate --family near --kind vf --count 20 --out near.csv
graze query --kind vf near.csv | grep truth
man graze-mesh | head -5
bash -c 'source /usr/share/bash-completion/completions/graze; COMP_WORDS=(graze query --kind ""); COMP_CWORD=3; _graze; echo "completes: ${COMPREPLY[*]}"; [[ ${COMPREPLY[*]} == *vf* ]]' || exit 1

zsh -f -c 'autoload -Uz compinit && compinit -D -u && [[ ${_comps[graze]} == _graze ]] && autoload +X _graze && echo "zsh knows it"'
fish -c 'complete -C "graze query --kind "' | grep '^vf'

say "pages: a document in the page of the viewer, and nothing fetched"
graze view --out view.html > view.log
graze query --kind vf near.csv --html query.html > query.log
for page in view.html query.html; do
    grep -q 'Content-Security-Policy' $page
    [[ $(stat -c %s $page) -gt 1000000 ]]
    if grep -o -E '(src|href)="https?:[^"]*"' $page; then exit 1; fi
done

say "tutorials: pkg-config and CMake"
for tutorial in first_query first_safe_step first_character first_robot your_method; do
    bash run_tutorial.sh tutorials/$tutorial.md > tutorial.log 2>&1 || { tail -20 tutorial.log; exit 1; }
    echo "$tutorial: done"
done

say "C"
for example in queries mesh bodies character world; do
    # shellcheck disable=SC2046  # a list of arguments
    cc examples/$example.c $(pkg-config --cflags --libs graze-c) -o in_c
    ./in_c
done

say "documentation"
site=/usr/share/doc/graze-doc/html
if [[ -d $site ]]; then
    [[ -f $site/index.html && -f $site/tutorials/first_query.html && -f $site/_static/mathjax/MathJax.js ]]
    echo "$(find $site -name '*.html' | wc -l) pages"
fi

say "Python"
if dpkg -s python3-graze > /dev/null 2>&1; then
    python3 -c '
import graze
start, end = graze.generate.queries("ordinary", "vf", 100)
answers = graze.ccd("vf", start, end)
assert graze.verify("vf", start, end, answers).ok
print("graze", graze.__version__, (answers["verdict"] == graze.CONTACT).sum(), "of 100 touch")
print("simulations:", *graze.sim.SCENES)'
    # The first example of its README.
    awk '/^```$/ && on { exit } on { print } /^```python$/ { on = 1 }' README.md > first.py
    python3 first.py
fi

say "purge"
apt_get purge '~ngraze'
apt_get autoremove --purge
files > after
if dpkg -l | grep graze; then exit 1; fi
if ! diff before after > left; then
    # Dependencies that came with the packages and went again leave nothing of graze.
    if grep '^>' left; then
        echo "left behind"
        exit 1
    fi
fi
say "nothing is left"

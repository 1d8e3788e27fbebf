#!/usr/bin/env bash
# Completion scripts: each shell that is here takes its own, they know every command and option of the help, and in
# bash and fish they complete commands, options and values.   usage: completion.sh TOOL
set -euo pipefail
tool=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$tool" completion bash > "$folder/graze.bash"
"$tool" completion zsh > "$folder/_graze"
"$tool" completion fish > "$folder/graze.fish"
bash -n "$folder/graze.bash"
if command -v zsh > /dev/null; then zsh -n "$folder/_graze"; fi
if command -v fish > /dev/null; then fish --no-execute "$folder/graze.fish"; fi
if "$tool" completion tcsh > /dev/null 2>&1; then echo "accepted a shell that is not known"; exit 1; fi

commands=$("$tool" help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }')
[[ $(wc -w <<< "$commands") -ge 15 ]] || { echo "too few commands: $commands"; exit 1; }
failed=0
for command in $commands; do
    for option in $("$tool" help "$command" | grep -o -E '^  (-., )?--[a-z-]+' | grep -o -E -- '--[a-z-]+'); do
        grep -q -- "[' ]$option[' ]" "$folder/graze.bash" || { echo "bash does not know $command $option"; failed=1; }
        grep -q -- "$option\\[" "$folder/_graze" || { echo "zsh does not know $command $option"; failed=1; }
        grep -q -- " -l ${option#--} " "$folder/graze.fish" || { echo "fish does not know $command $option"; failed=1; }
    done
done

# completes WORDS... EXPECTED: the last word is what comes for those before.
completes() {
    local expected=${!#}
    (
        # shellcheck disable=SC1091
        source "$folder/graze.bash"
        compopt() { :; }
        COMP_WORDS=("${@:1:$#-1}")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _graze
        [[ " ${COMPREPLY[*]} " == *" $expected "* ]] || { echo "${COMP_WORDS[*]}: '${COMPREPLY[*]}' lacks $expected"; exit 1; }
    ) || failed=1
}
completes graze me mesh
completes graze query --ki --kind
completes graze query --kind e ee
completes graze mesh --method cert certified
completes graze -q verify --methods safe safe-cubic
completes graze slide --precision d double
completes graze rigid --mode ro robust
completes graze model to torus
completes graze help be bench
# The same in fish, where it is: of zsh only that it takes the script, since it completes in a terminal alone.
if command -v fish > /dev/null; then
    for line in "graze me=mesh" "graze query --kind e=ee" "graze mesh --method cert=certified" "graze model to=torus"; do
        fish --no-config -c "source $folder/graze.fish; complete -C '${line%=*}'" | cut -f 1 | grep -q -x -e "${line#*=}" \
            || { echo "fish: ${line%=*} lacks ${line#*=}"; failed=1; }
    done
fi
(cd "$folder" && touch start.obj && completes graze mesh st start.obj && exit "$failed") || failed=1
exit "$failed"

#!/bin/sh
# The check passes where a document quotes a program and fails where it does not.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
rm -rf "$work"
mkdir -p "$work"
printf 'Text.\n```\none\none\ntwo 0.25\n```\n' > "$work/doc.md"

expect() {  # expect STATUS TEXT: of the check of a program that prints the text
    printf "#!/bin/sh\nprintf '%s\\n'\n" "$2" > "$work/program.sh"
    status=0
    "$here/quoted_output.sh" "$work/doc.md" sh "$work/program.sh" > "$work/log" 2>&1 || status=1
    if [ "$status" -ne "$1" ]; then
        echo "expected $1 for: $2" >&2
        exit 1
    fi
}
expect 0 'one\ntwo 0.25'
expect 0 'one\none\ntwo 0.25'
expect 0 'two 0.25'
expect 1 'one\ntwo 0.26'
expect 1 'two 0.25\none'
expect 1 'three'

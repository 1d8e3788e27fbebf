#!/bin/sh
# Checks that no file of the project names a folder of the machine it was written on.
# usage: machine_paths.sh ROOT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
files=$("$here/../../scripts/tracked_files.sh" .)
[ -n "$files" ] || { echo "no files found below $1"; exit 1; }
pattern='(^|[^A-Za-z0-9_.~)}-])/(home|root|work|workspace|Users|mnt|tmp)/[A-Za-z0-9_.-]'
# -I leaves out binary files; the extra empty file makes grep name the file even if there is only one.
if printf '%s\n' "$files" | tr '\n' '\0' | xargs -0 grep -n -I -E "$pattern" /dev/null; then
    echo "absolute paths of a machine: name files relative to the root of the project"
    exit 1
fi

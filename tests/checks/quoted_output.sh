#!/bin/sh
# quoted_output.sh DOCUMENT PROGRAM...: what the program prints stands in the document, line by line
# in one piece, so that readers see what they will get.
set -eu
document=$1
shift
printed=$("$@")
PRINTED=$printed awk '
    BEGIN { wanted = split(ENVIRON["PRINTED"], line, "\n") }
    { at = ($0 == line[at + 1]) ? at + 1 : ($0 == line[1]) ? 1 : 0 }
    at == wanted { found = 1; exit }
    END { exit !found }
' "$document" && exit 0
echo "$document does not have what $1 prints:" >&2
echo "$printed" >&2
exit 1

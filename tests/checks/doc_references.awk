# Lists what a Markdown file refers to: "<line> code <name>" for a file-like name in backticks,
# "<line> link <target>" for a link without a scheme. Fenced blocks are left out.

/^[ \t]*(```|~~~)/ { fenced = !fenced; next }
fenced { next }

{
    rest = $0
    while (match(rest, /`[^`]+`/)) {
        code = substr(rest, RSTART + 1, RLENGTH - 2)
        rest = substr(rest, 1, RSTART - 1) " " substr(rest, RSTART + RLENGTH)
        if (code ~ /^[A-Za-z0-9_.\/-]+$/ && code ~ /\/|\.(md|hpp|cpp|cmake|sh|awk|cff|cu|py)$/)
            print FNR, "code", code
    }
    # What is left holds no code, so brackets are those of links.
    while (match(rest, /\]\([^) ]+|^\[[^\]]+\]:[ \t]+[^ \t]+|src="[^"]+/)) {
        target = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/^\]\(|^\[[^\]]+\]:[ \t]+|^src="/, "", target)
        if (target !~ /^[a-z]+:/) print FNR, "link", target
    }
}

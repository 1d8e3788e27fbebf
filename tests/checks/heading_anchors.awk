# Lists the anchors of a Markdown file's headings, as code hosts form them.
/^[ \t]*(```|~~~)/ { fenced = !fenced; next }
!fenced && /^#+ / {
    anchor = tolower($0)
    sub(/^#+ +/, "", anchor)
    gsub(/[^a-z0-9 _-]/, "", anchor)
    gsub(/ /, "-", anchor)
    print anchor
}

# Turns a help page of graze into a man page. Set: name ("graze-mesh"), version, commands (a list for
# SEE ALSO). Of the help: a paragraph that says what it does, sections "Title:" whose entries are indented
# by two spaces and whose texts by more, and paragraphs.

function roff(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}
function section_name(title) {
    title = toupper(title)
    if (title == "FOR EVERY COMMAND") return "OPTIONS OF EVERY COMMAND"
    if (title == "EXIT CODES") return "EXIT STATUS"
    return title
}
# A paragraph that is gathered, or nothing.
function flush_paragraph() {
    if (paragraph == "") return
    if (!seen_text) { seen_text = 1; print ".SH DESCRIPTION" } else print ".PP"
    print paragraph
    paragraph = ""
}
function end_verbatim() {
    if (verbatim) print ".fi\n.RE"
    verbatim = 0
}

BEGIN {
    title = toupper(name)
    gsub(/-/, "\\-", title)
    printf ".TH \"%s\" 1 \"\" \"graze %s\" \"User Commands\"\n", title, version
}
NR == 1 {
    what = $0
    sub(/\.$/, "", what)
    printf ".SH NAME\n%s \\- %s\n", roff(name), roff(tolower(substr(what, 1, 1)) substr(what, 2))
    in_first = 1
    next
}
in_first && $0 != "" { printf "%s\n", roff($0); next }
/^$/ { in_first = 0; flush_paragraph(); if (verbatim) print ""; next }
/^[A-Z][A-Za-z ]*:$/ && length($0) < 30 {
    flush_paragraph()
    end_verbatim()
    title = substr($0, 1, length($0) - 1)
    if (title == "Usage") { print ".SH SYNOPSIS"; mode = "usage"; next }
    print ".SH " section_name(title)
    mode = title ~ /^(Commands|Arguments|Options|For every command)$/ ? "entries" : "verbatim"
    if (mode == "verbatim") { print ".RS 2\n.nf"; verbatim = 1 }
    next
}
/^  / && mode == "usage" { sub(/^ +/, ""); print ".B " roff($0); next }
/^  [^ ]/ && mode == "entries" {
    sub(/^  /, "")
    at = match($0, /   *[^ ]/)
    heading = at ? substr($0, 1, at - 1) : $0
    text = at ? substr($0, at + RLENGTH - 1) : ""
    printf ".TP\n\\fB%s\\fR\n", roff(heading)
    if (text != "") print roff(text)
    next
}
/^   / && mode == "entries" { sub(/^ +/, ""); print roff($0); next }
/^  / && mode == "verbatim" { sub(/^  /, ""); print roff($0); next }
{
    end_verbatim()
    mode = ""
    paragraph = paragraph (paragraph == "" ? "" : "\n") roff($0)
}
END {
    flush_paragraph()
    end_verbatim()
    print ".SH SEE ALSO"
    count = split(commands, others, " ")
    for (i = 1; i <= count; i++) {
        printf ".BR %s (1)%s\n", roff(others[i]), i < count ? "," : ""
    }
}

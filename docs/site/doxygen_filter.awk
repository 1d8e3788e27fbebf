# Plain comments become those of Doxygen: the first block is that of the file, others belong to what follows, or, behind
# code, to what is before them. What Doxygen would take for a command is escaped.
function escaped(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/@/, "\\@", text)
    gsub(/</, "\\<", text)
    gsub(/>/, "\\>", text)
    gsub(/#/, "\\#", text)
    return text
}
FNR == 1 && /^\/\/ / { in_first = 1; print "/// \\file"; print "/// \\verbatim" }
in_first && /^\/\// { sub(/^\/\/ ?/, ""); print "/// " $0; next }
in_first { in_first = 0; print "/// \\endverbatim"; print ""; print; next }
# C: the first comment of graze.h is that of the file, too.
/^\/\* / && FNR == 1 { sub(/^\/\* /, "/** \\file\n * "); print; next }
/^ *\/\* / { sub(/\/\* /, "/** "); print; next }
/[;,{}] +\/\* / { sub(/\/\* /, "/**< "); print; next }
/^ *\/\/ ?/ { match($0, /^ *\/\//); print substr($0, 1, RLENGTH) "/ " escaped(substr($0, RLENGTH + 1)); next }
/[;,{}] +\/\/ / && !/"[^"]*\/\// {
    at = match($0, / +\/\/ /)
    print substr($0, 1, at - 1) "  ///< " escaped(substr($0, at + RLENGTH))
    next
}
{ print }

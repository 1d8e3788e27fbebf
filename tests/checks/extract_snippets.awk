# Writes each ```cpp block that follows a line "<!-- compile -->" to a file of its own, and lists them.
# A block that cannot be compiled alone follows "<!-- fragment -->": every ```cpp block has one of the markers.
# Set `out` to the folder to write to. Exit status 1: a marker without a block after it, a block without a marker.

function fail(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text > "/dev/stderr"
    failed = 1
    exit 1
}

FNR == 1 {
    if (marked || writing) fail("the previous file ended inside a snippet")
    fragment = 0
    count = 0
    stem = FILENAME
    gsub(/[^A-Za-z0-9]/, "_", stem)
}

writing && /^```[ \t]*$/ { close(snippet); writing = 0; next }
writing { print > snippet; next }

/^<!-- compile -->[ \t]*$/ { marked = 1; next }
/^<!-- fragment -->[ \t]*$/ { fragment = 1; next }
marked && /^[ \t]*$/ { next }
marked && /^```cpp[ \t]*$/ {
    snippet = out "/" stem "_" ++count ".cpp"
    printf "#line %d \"%s\"\n", FNR + 1, FILENAME > snippet
    print snippet
    marked = 0
    writing = 1
    next
}
marked { fail("'<!-- compile -->' must be followed by a ```cpp block") }

/^```cpp[ \t]*$/ && !fragment { fail("a ```cpp block follows '<!-- compile -->' or '<!-- fragment -->'") }
{ fragment = 0 }

END { if (!failed && (marked || writing)) fail("the file ends inside a snippet") }

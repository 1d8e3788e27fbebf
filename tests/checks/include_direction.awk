# Reports each #include that breaks the arrows between the rooms (docs/ARCHITECTURE.md).
# Input: sources and headers, named relative to the root of the project. Exit status 1: a report was made.

function rule(room, may_include, third_party) {
    rooms[room] = " " room " " may_include " "
    libraries[room] = third_party
}

function room_of(path, parts) {
    if (path ~ /^include\/graze\//) { split(path, parts, "/"); return parts[3] }
    if (path ~ /^src\//) { split(path, parts, "/"); return parts[2] }
    return ""
}

function exists(path, line, status) {
    status = (getline line < path)
    close(path)
    return status >= 0
}

# The project's file that an include names, or "" where it names none.
function project_file(from, header, beside) {
    if (header ~ /^graze\//) return "include/" header
    beside = from
    sub(/[^\/]*$/, header, beside)
    if (exists(beside)) return beside
    if (exists("src/" header)) return "src/" header
    return ""
}

function report(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    violations++
}

function check_project_file(room, target, target_room) {
    target_room = room_of(target)
    if (!(target_room in rooms)) report("<" target "> is in no known room")
    else if (index(rooms[room], " " target_room " ") == 0)
        report("room " room " may not include room " target_room)
}

function check_library(room, header, quoted) {
    if (!quoted && header !~ /[.\/]/) {  # no dot, no slash: the standard library
        if (room ~ /^(core|narrow)$/ && header ~ /^(iostream|fstream)$/)
            report("room " room " does no input or output, but includes <" header ">")
    } else if (libraries[room] == "" || header !~ libraries[room]) {
        report("room " room " may not include <" header ">")
    }
}

BEGIN {
    intrinsics = "^(immintrin|x86intrin|xmmintrin|emmintrin|arm_neon)\\.h$"
    parallel = intrinsics "|^(tbb|oneapi)/"
    rule("core", "", intrinsics)
    rule("narrow", "core", intrinsics)
    rule("broad", "core", parallel)
    rule("surface", "core broad", intrinsics)
    rule("mesh", "narrow broad core surface", parallel "|^Eigen/")
    rule("screw", "core narrow broad surface", parallel)
    rule("slide", "core broad", parallel)
    rule("baselines", "core narrow", "^boost/(numeric/interval|multiprecision)")
    rule("dataset", "core narrow surface", "^(zlib\\.h|fcntl\\.h|unistd\\.h|sys/.*)$")
    rule("oracle", "", "^gmp(xx)?\\.h$")
}

/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    room = room_of(FILENAME)
    if (!(room in rooms)) { report("'" room "' is no known room"); next }
    quoted = ($0 ~ /^[ \t]*#[ \t]*include[ \t]*"/)
    header = $0
    sub(/^[^<"]*[<"]/, "", header)
    sub(/[>"].*$/, "", header)
    if (header ~ /(^|\/)\.\.\//) { report("name the room instead of going up: " header); next }
    target = project_file(FILENAME, header)
    if (target != "") check_project_file(room, target)
    else check_library(room, header, quoted)
}

END { exit violations > 0 }

# Reports each #include that the dependencies between the modules do not allow (docs/ARCHITECTURE.md).
# Input: sources and headers, named relative to the root of the project. Exit status 1: a report was made.

# A module may include the public headers of those it depends on; library: what it may use of others.
function rule(module, may_include, third_party) {
    modules[module] = " " module " " may_include " "
    libraries[module] = third_party
    is_library[module] = 1
}

# Front ends: whole folders that the library never includes. No rule about third parties.
function front_end(module, may_include) {
    modules[module] = " " module " " may_include " "
    libraries[module] = "."
}

function module_of(path, parts) {
    split(path, parts, "/")
    if (path == "include/graze/ccd.hpp") return "narrow"
    if (path ~ /^include\/graze\/[^\/]*$/) return "entry"
    if (path ~ /^include\/graze\//) return parts[3]
    if (path ~ /^src\//) return parts[2]
    if (path ~ /^apps\/graze\//) return parts[3] ~ /\./ ? "main" : parts[3]
    if (path ~ /^bench\//) return parts[2]
    if (path ~ /^sim\//) return "sim"
    if (path ~ /^tests\//) return "tests/" (parts[2] ~ /\./ ? "all" : parts[2])
    if (path ~ /^examples\//) return "examples"
    if (path ~ /^adapters\//) return "adapters"
    if (path ~ /^capi\//) return "capi"
    if (path ~ /^python\//) return "python"
    return ""
}

function exists(path, line, status) {
    status = (getline line < path)
    close(path)
    return status >= 0
}

# The project's file that an include names, or "" where it names none.
function project_file(from, header, beside, root, roots, count, i) {
    if (header !~ /[.]/) return ""  # the standard library
    if (header ~ /^graze\/adapters\//) return "adapters/include/" header
    if (header ~ /^graze\/sim\//) return "sim/include/" header
    if (header ~ /^graze\//) return "include/" header
    if (header == "graze.h") return "capi/include/graze.h"
    beside = from
    sub(/[^\/]*$/, header, beside)
    if (exists(beside)) return beside
    count = split("src apps/graze bench tests examples", roots, " ")
    for (i = 1; i <= count; i++)
        if (exists(roots[i] "/" header)) return roots[i] "/" header
    return ""
}

function report(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    violations++
}

# Private headers are seen by their module and by its own tests.
function sees_private(module, target_module) {
    if (module == "tests/fuzz") return target_module == "io"
    # The tiers of `certified` are compiled for the device from their one source.
    if (module ~ /^(tests\/)?cuda$/ && target_module == "narrow") return 1
    # Which pairs count for a clearance, and on which threads the host works, are the same for both.
    if (module == "cuda" && target_module == "mesh") return 1
    # Slabs, trees and proofs of rigid bodies are those of a robot's links, too.
    if (module ~ /^(tests\/)?robot$/ && target_module == "rigid") return 1
    return module == target_module || module == "tests/" target_module
}

function check_project_file(module, target, target_module) {
    target_module = module_of(target)
    if (!(target_module in modules)) report("<" target "> is in no known module")
    else if (target ~ /^src\// && !sees_private(module, target_module))
        report("<" target "> is private to module " target_module)
    else if (target_module ~ /^tests\// && module !~ /^tests\//)
        report("only tests include tests: <" target ">")
    else if (target_module !~ /^tests\// && index(modules[module], " " target_module " ") == 0)
        report("module " module " may not include module " target_module)
}

function check_library(module, header, quoted) {
    if (!quoted && header !~ /[.\/]/) {  # no dot, no slash: the standard library
        if (module ~ /^(core|narrow)$/ && header ~ /^(iostream|fstream)$/)
            report("module " module " does no input or output, but includes <" header ">")
    } else if (libraries[module] == "" || header !~ libraries[module]) {
        report("module " module " may not include <" header ">")
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
    rule("rigid", "core narrow broad surface", parallel "|^Eigen/")
    rule("robot", "core narrow broad surface rigid", "")
    rule("slide", "core broad", parallel)
    rule("cuda", "narrow broad core surface mesh", "^(cuda_runtime\\.h|cub/)")
    rule("baselines", "core narrow", "^boost/(numeric/interval|multiprecision)")
    rule("io", "core narrow surface rigid", "^(zlib\\.h|fcntl\\.h|unistd\\.h|sys/.*)$")
    rule("generate", "core narrow broad surface io rigid robot", "")
    rule("urdf", "core rigid io robot", "^(tinyxml|console_bridge/console|urdf_parser/urdf_parser)\\.h$")
    rule("oracle", "", "^gmp(xx)?\\.h$")
    library = "core narrow broad surface mesh rigid robot slide cuda baselines io generate oracle urdf"
    rule("verify", library, "^(tbb|fmt|boost/multiprecision)/|^gmp(xx)?\\.h$")
    rule("entry", "core narrow broad surface mesh rigid robot slide", "")

    library = library " verify entry"
    front_end("cli", library)
    front_end("pictures", library " cli")
    front_end("cluster", library " cli")
    front_end("mpi", library " cluster")
    front_end("compare", library " cli cluster pictures")
    front_end("reproduce", library " cli pictures compare")
    front_end("sim", library)
    front_end("simulations", library " cli pictures compare reproduce sim")
    front_end("commands", library " cli cluster pictures compare reproduce sim")
    front_end("main", library " cli cluster mpi pictures commands simulations")
    front_end("micro", library " cli pictures compare")
    front_end("campaigns", library " cli pictures compare reproduce micro")
    front_end("python", library " sim")
    front_end("examples", "core narrow broad surface mesh rigid robot slide io generate adapters entry")

    front_end("adapters", "core narrow mesh robot entry")
    front_end("capi", "core narrow mesh rigid slide cuda entry")

    # Tests of a library module see the library, not the command line.
    count = split("all core narrow broad surface mesh rigid robot slide baselines io generate oracle urdf verify contract property platforms regression cuda consumer checks support", names, " ")
    for (i = 1; i <= count; i++) front_end("tests/" names[i], library " examples")
    front_end("tests/sim", library " sim")
    front_end("tests/apps", library " cli cluster pictures compare reproduce simulations commands sim")
    front_end("tests/fuzz", library " cli cluster commands sim")
    front_end("tests/capi", library " capi")
    front_end("tests/adapters", library " adapters")
}

/^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    module = module_of(FILENAME)
    if (!(module in modules)) { report("'" module "' is no known module"); next }
    quoted = ($0 ~ /^[ \t]*#[ \t]*include[ \t]*"/)
    header = $0
    sub(/^[^<"]*[<"]/, "", header)
    sub(/[>"].*$/, "", header)
    if (header ~ /(^|\/)\.\.\//) { report("name the module instead of going up: " header); next }
    target = project_file(FILENAME, header)
    if (target != "") check_project_file(module, target)
    else if (module in is_library) check_library(module, header, quoted)
}

END { exit violations > 0 }

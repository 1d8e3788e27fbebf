#!/usr/bin/env bash
# Writes the bill of materials of a build as SPDX 2.3 (JSON) to standard output.
#   scripts/sbom.sh [BUILD_FOLDER]     default: build/package
# What is in it: graze; the Debian packages that its programs and libraries are linked with; those whose headers, or whose
# library for WebAssembly, are compiled into them; the npm packages of web/package-lock.json. SOURCE_DATE_EPOCH sets the date.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/package}
[[ -d $build ]] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
version=$(sed -n 's/^ *VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt | head -1)

binaries() {
    find "$build/bin" "$build/src" "$build/capi" "$build/python" -type f \
        \( -name graze -o -name '*.so' -o -name '*.so.*' \) 2> /dev/null | sort
}

# The package that owns a file; /lib and /usr/lib may be the same folder.
owner_of() {
    local path=$1
    { dpkg-query -S "$path" 2> /dev/null || dpkg-query -S "/usr$path" 2> /dev/null \
        || dpkg-query -S "${path#/usr}" 2> /dev/null || true; } | sed -n '1s/: .*//p'
}

linked_packages() {
    local library
    binaries | xargs -r ldd 2> /dev/null | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p; s/^\t\(\/[^ ]*\) (.*/\1/p' | sort -u \
        | grep -v -F "$PWD/" | while read -r library; do owner_of "$(realpath -s "$library")"; done | sort -u
}

header_packages() {
    local package
    for package in libboost-dev libcli11-dev libeigen3-dev liburdfdom-headers-dev nlohmann-json3-dev pybind11-dev libfmt-dev emscripten; do
        ! dpkg-query -W "$package" > /dev/null 2>&1 || echo "$package"
    done
}

# One tab-separated line a package: how it is used, name, version, architecture, SHA-512 of npm or nothing.
materials() {
    local package
    linked_packages | while read -r package; do
        dpkg-query -W -f='DYNAMIC_LINK\t${Package}\t${Version}\t${Architecture}\t\n' "$package"
    done
    header_packages | while read -r package; do
        dpkg-query -W -f='BUILD_DEPENDENCY_OF\t${Package}\t${Version}\t${Architecture}\t\n' "$package"
    done
}

materials | GRAZE_SBOM_VERSION=$version /usr/bin/env python3 -c '
import base64, datetime, hashlib, json, os, re, sys

version = os.environ["GRAZE_SBOM_VERSION"]
moment = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or None or
                                         datetime.datetime.now().timestamp(), datetime.timezone.utc)
packages = [{"SPDXID": "SPDXRef-graze", "name": "graze", "versionInfo": version, "downloadLocation": "NOASSERTION",
             "filesAnalyzed": False, "licenseDeclared": "MIT", "licenseConcluded": "MIT", "copyrightText": "The graze authors",
             "supplier": "Organization: The graze authors"}]
relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-graze"}]
seen = set()

def add(use, name, number, purl, more):
    key = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", purl)
    if (key, use) in seen:
        return
    if key not in {package["SPDXID"] for package in packages}:
        packages.append({"SPDXID": key, "name": name, "versionInfo": number, "downloadLocation": "NOASSERTION",
                         "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
                         "copyrightText": "NOASSERTION",
                         "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}],
                         **more})
    seen.add((key, use))
    if use == "BUILD_DEPENDENCY_OF":
        relations.append({"spdxElementId": key, "relationshipType": use, "relatedSpdxElement": "SPDXRef-graze"})
    else:
        relations.append({"spdxElementId": "SPDXRef-graze", "relationshipType": use, "relatedSpdxElement": key})

for line in sys.stdin:
    use, name, number, architecture, _ = line.rstrip("\n").split("\t")
    add(use, name, number, f"pkg:deb/debian/{name}@{number}?arch={architecture}", {})
with open("web/package-lock.json", encoding="utf-8") as lock:
    for path, entry in sorted(json.load(lock)["packages"].items()):
        name = path.rpartition("node_modules/")[2]
        if not name or entry.get("optional"):
            continue
        more = {"licenseDeclared": entry.get("license", "NOASSERTION")}
        kind, _, digest = entry.get("integrity", "").partition("-")
        if kind == "sha512":
            more["checksums"] = [{"algorithm": "SHA512", "checksumValue": base64.b64decode(digest).hex()}]
        # three.js is bundled into the page; the others build and test it.
        use = "CONTAINS" if name == "three" else "BUILD_DEPENDENCY_OF"
        add(use, name, entry["version"], ("pkg:npm/" + name + "@" + entry["version"]).replace("pkg:npm/@", "pkg:npm/%40"), more)
identity = hashlib.sha256(json.dumps([packages, relations], sort_keys=True).encode()).hexdigest()
json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"graze-{version}",
           "documentNamespace": f"urn:graze:sbom:{identity}",
           "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: graze scripts/sbom.sh"]},
           "packages": packages, "relationships": relations}, sys.stdout, indent=1)
print()
'

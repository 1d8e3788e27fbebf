#!/usr/bin/env bash
# Tries the npm package as a newcomer does: packs it, installs it into an empty project, asks a query by Node.js.
#   tests/packages/npm_package.sh [FOLDER OF THE PACKAGE]      default: build/release/web/package
set -euo pipefail

package=$(realpath "${1:-$(dirname "${BASH_SOURCE[0]}")/../../build/release/web/package}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
archive=$(npm pack --silent "$package")
npm init --yes > /dev/null
npm install --silent --offline "./$archive"
# The example of its README, with a check.
awk '/^```js$/ { on = 1; next } /^```$/ { on = 0 } on' node_modules/graze/README.md > ask.mjs
cat >> ask.mjs << 'END'
console.log(result);
if (result.verdict !== 'contact' || !(result.toiLower <= 0.5 && 0.5 <= result.toiUpper)) process.exit(1);
END
node ask.mjs

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the documentation as a static site with search into build/site. A dead link within docs/ fails the build.
# DOCS_REPOSITORY: address of the repository, for links to its other folders; without it such links are plain text.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
# shellcheck source=scripts/common.sh
source scripts/common.sh
# shellcheck source=scripts/build.sh
source scripts/build.sh

install_npm_parts docs
(cd docs && npm run --silent build </dev/null)
say "The site is in build/site: python3 -m http.server --directory build/site"

// SPDX-License-Identifier: Apache-2.0
// The messages of the page as Markdown (docs/protocol/page.md), TypeScript (apps/web/src/protocol.ts) or JSON Schema. Any thread.
#pragma once

#include <string>

namespace parlance::app {

std::string page_form(const std::string& form);

}  // namespace parlance::app

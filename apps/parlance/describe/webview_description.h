// SPDX-License-Identifier: Apache-2.0
// The messages of webviews as Markdown (docs/protocol/webview.md), TypeScript or JSON Schema. Any thread.
#pragma once

#include <string>

namespace parlance::app {

std::string webview_form(const std::string& form);

}  // namespace parlance::app

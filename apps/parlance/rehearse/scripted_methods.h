// SPDX-License-Identifier: Apache-2.0
// Further methods of a rehearsed editor, like methods added by another extension. A file holds their results:
//
//   [{"name": "wordCount", "description": "Counts words.", "readOnly": true, "result": {"success": true, "words": 3}}]
//
// Values; any thread.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/editor/editor.h"

namespace parlance::app {

struct ScriptedMethod {
  hub::editor::AddedMethod about{};
  std::string result_json{};
};

// Errors: of reading the file, with its path; invalid_params, with the place in it.
Result<std::vector<ScriptedMethod>> scripted_methods(const std::string& path);

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// Methods that a rehearsed editor has beside its own, as another extension would have added them: a file says what they answer.
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

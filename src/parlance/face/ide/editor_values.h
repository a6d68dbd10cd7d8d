// SPDX-License-Identifier: Apache-2.0
// Editor values in the common format of the agents' protocols. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/editor/values.h"

namespace parlance::face::ide {

using hub::editor::Position;
using hub::editor::Range;
using wire::field;
using wire::fields;
using wire::Nothing;

// file:///home/ada/a%20b.cpp, and the reverse; a text other than a file URI counts as a path.
std::string file_uri(std::string_view path);
std::string path_of(std::string_view uri_or_path);

// The position of `needle` in `text`, in the editor's units; no value: not found.
std::optional<hub::editor::Position> find_text(std::string_view text, std::string_view needle);

}  // namespace parlance::face::ide

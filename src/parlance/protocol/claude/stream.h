// SPDX-License-Identifier: Apache-2.0
// A line of the stream without a control message: its kind, and the positions of its important parts. Sans-I/O; views into the
// line, valid during its handling.
#pragma once

#include <string_view>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"

namespace parlance::claude {

struct StreamLine {
  BytesView json{};  // The whole line, valid UTF-8, one JSON object.
  std::string_view type{};
  std::string_view subtype{};  // Empty: none.
  std::string_view session_id{};
  std::string_view parent{};   // parent_tool_use_id; empty: the main agent.
  std::string_view message{};  // Raw JSON of the member with this name; empty: absent.
  std::string_view event{};    // The same, of a stream_event.
};

}  // namespace parlance::claude

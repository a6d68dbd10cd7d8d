// SPDX-License-Identifier: Apache-2.0
// One line of the stream that is no control message: what it is, and where in it the parts lie that its readers want.
// Sans-I/O; views into the line, valid while it is handled.
#pragma once

#include <string_view>

#include "parlance/base/bytes.h"
#include "parlance/base/result.h"

namespace parlance::claude {

struct StreamLine {
  BytesView json{};  // the whole line, valid UTF-8, one JSON object
  std::string_view type{};
  std::string_view subtype{};  // empty: none
  std::string_view session_id{};
  std::string_view parent{};   // parent_tool_use_id; empty: the main agent
  std::string_view message{};  // raw JSON of the member of that name; empty: absent
  std::string_view event{};    // the same, of a stream_event
};

}  // namespace parlance::claude

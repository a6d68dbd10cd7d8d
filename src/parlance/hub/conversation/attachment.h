// SPDX-License-Identifier: Apache-2.0
// A picture or document of a prompt. Events and the queue contain the id; the store keeps the bytes separately, because clients
// read a log often. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::hub {

struct AttachmentInfo {
  std::string id{};                  // given by the hub
  std::string media_type{};          // image/png
  std::string name{};                // for people; may be empty
  std::uint64_t bytes = 0;           // counted by the hub
  std::optional<std::string> url{};  // its address, if the content was not sent; `bytes` is 0 then
  friend bool operator==(const AttachmentInfo&, const AttachmentInfo&) = default;
};

// A list of file names, one a line. An agent with a field for such a list (iFlow) receives it there, other agents as text.
inline constexpr std::string_view file_list_type = "text/x-file-list";

// "type/subtype" of the characters that a header may contain (RFC 9110).
bool is_media_type(std::string_view text);

struct Attachment {
  AttachmentInfo about{};
  std::string data{};
  std::string conversation{};  // its origin; set by the store
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

// The largest size of a picture. In base64 it is 5 MiB, the limit of Anthropic's API. A refused picture would stay in the history
// and make every later prompt of the conversation fail.
inline constexpr std::size_t picture_bytes = 3'932'160;

// Checks an attachment of any frontend. Errors: invalid_params, with `place` as the position of the fault.
Result<void> check_attachment(const std::string& place, std::string_view media_type, std::size_t bytes);

}  // namespace parlance::hub

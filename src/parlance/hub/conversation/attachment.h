// SPDX-License-Identifier: Apache-2.0
// What came with a prompt beside its words: a picture, a document. Events and the queue name it; its bytes lie in the store by
// themselves, because a log is read often. Values; any thread.
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
  std::optional<std::string> url{};  // where it lies, when it was not sent itself: then it has no bytes
  friend bool operator==(const AttachmentInfo&, const AttachmentInfo&) = default;
};

// "type/subtype" of the characters that may stand in a header (RFC 9110).
// Names of files, one a line: an agent that has a place for such a list (iFlow) is told there, any other gets it as a text.
inline constexpr std::string_view file_list_type = "text/x-file-list";

bool is_media_type(std::string_view text);

struct Attachment {
  AttachmentInfo about{};
  std::string data{};
  std::string conversation{};  // where it came; told by the store
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

// The most that a picture may have. In base64 it is 5 MiB, the most that Anthropic's API takes: one that it refuses would stand in the
// history and make every later prompt of the conversation fail, too.
inline constexpr std::size_t picture_bytes = 3'932'160;

// Of one, from whatever face. Errors: invalid_params, with `place`, where the fault is.
Result<void> check_attachment(const std::string& place, std::string_view media_type, std::size_t bytes);

}  // namespace parlance::hub

// What came with a prompt beside its words: a picture, a document. Events and the queue name it; its bytes lie in the store by
// themselves, because a log is read often. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
bool is_media_type(std::string_view text);

struct Attachment {
  AttachmentInfo about{};
  std::string data{};
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

}  // namespace parlance::hub

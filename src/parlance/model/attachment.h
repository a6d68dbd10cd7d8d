// SPDX-License-Identifier: Apache-2.0
// Attachments of a person's message, on the way to a model. Values; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::model {

struct Attachment {
  std::string media_type{};
  std::string name{};  // For people; may be empty.
  std::string url{};   // Address of an attachment without data.
  std::string data{};
  friend bool operator==(const Attachment&, const Attachment&) = default;
};

// Media types with a block or a part: image/png, …, application/pdf; "text/*" is every text.
std::span<const std::string_view> attachment_kinds();

// The media type of a picture by its first bytes: image/png, image/jpeg, image/gif or image/webp. Empty for other data.
std::string_view picture_type(std::string_view data);
// The type under which `data` travels: that of its first bytes for a picture, because APIs refuse a JPEG that is named image/png.
// Errors: invalid_params with `place`: the type names a picture, and the data is none.
Result<std::string> checked_media_type(const std::string& place, std::string media_type, std::string_view data);

// "an image (a.png, image/png, 12 KiB)". `bytes`: its size, where the data is not at hand.
std::string described(const Attachment& attachment, std::optional<std::size_t> bytes = {});

// The text for a model that cannot read the attachment. `bytes` as above.
std::string unseen_note(const Attachment& attachment, std::optional<std::size_t> bytes = {});
// `note` after `text`, as a paragraph.
void add_note(std::string& text, const std::string& note);

// The content block of Anthropic's API and of Claude Code, as JSON. Absent: no block for this attachment. The media type and, for a
// picture with data, its first bytes decide; a test copies nothing.
std::optional<std::string> anthropic_block(const Attachment& attachment);
bool has_anthropic_block(const Attachment& attachment);
// The content part of OpenAI's chat API.
std::optional<std::string> openai_part(const Attachment& attachment);
bool has_openai_part(const Attachment& attachment);

}  // namespace parlance::model

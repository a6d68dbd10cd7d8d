// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/mcp/outcome.h"

#include <algorithm>
#include <utility>

#include "parlance/base/base64.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/model/attachment.h"
#include "parlance/protocol/mcp/lenient.h"

namespace parlance::toolbox {
namespace {

std::string cut(std::string text) {
  if (text.size() <= limits::file_read_bytes) return text;
  const std::size_t whole = text.size();
  std::size_t end = limits::file_read_bytes;
  while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside a character
  text.resize(end);
  return text + "\n[cut: " + std::to_string(whole) + " bytes in all]";
}

// Some servers send a data URL, and some lines of base64.
std::optional<Bytes> decoded(std::string data) {
  if (data.starts_with("data:")) data.erase(0, data.find(',') + 1);
  std::erase_if(data, [](char c) { return c == '\n' || c == '\r'; });
  return from_base64(data);
}

class Pictures {
 public:
  // The text in the place of the picture.
  std::string take(std::string media_type, std::string data) {
    auto picture = read(std::move(media_type), std::move(data));
    if (!picture) return "[A picture of this result is left out. " + picture.error().message + ".]";
    bytes_ += picture->data.size();
    std::string note = "[" + model::described({.media_type = picture->about.media_type, .data = picture->data}) + "]";
    taken_.push_back(*std::move(picture));
    return note;
  }
  std::vector<hub::Attachment> taken() && { return std::move(taken_); }

 private:
  Result<hub::Attachment> read(std::string media_type, std::string data) const {
    const std::string place = "Picture " + std::to_string(taken_.size() + 1);
    auto bytes = decoded(std::move(data));
    if (!bytes) return fail(Errc::invalid_params, place + ": the data is no base64");
    if (const std::string_view type = model::picture_type(*bytes); !type.empty()) media_type = type;
    PARLANCE_TRY_DO(hub::check_attachment(place, media_type, bytes->size()));
    PARLANCE_TRY(type, model::checked_media_type(place, std::move(media_type), *bytes));
    if (taken_.size() >= limits::prompt_attachments || bytes_ + bytes->size() > limits::prompt_attachment_bytes)
      return fail(Errc::invalid_params, place + ": the pictures before it are as many as one result may have");
    return hub::Attachment{.about = {.media_type = std::move(type)}, .data = *std::move(bytes)};
  }

  std::vector<hub::Attachment> taken_;
  std::size_t bytes_ = 0;
};

}  // namespace

hub::ToolOutcome outcome_of(mcp::CallToolResult result) {
  Pictures pictures;
  if (!result.content) result.content.emplace();
  for (mcp::Content& content : *result.content) {
    if (auto* image = std::get_if<mcp::ImageContent>(&content.value)) {
      content = mcp::text(pictures.take(std::move(image->mime_type), std::move(image->data)));
    } else if (auto* embedded = std::get_if<mcp::EmbeddedResource>(&content.value)) {
      mcp::ResourceContents& resource = embedded->resource;
      const bool is_picture = resource.blob && resource.mime_type.value_or("").starts_with("image/");
      if (is_picture) content = mcp::text(pictures.take(*std::move(resource.mime_type), *std::move(resource.blob)));
    }
  }
  return {.state = result.is_error.value_or(false) ? hub::ToolEndState::failed : hub::ToolEndState::done,
          .text = cut(mcp::readable(result)),
          .pictures = std::move(pictures).taken()};
}

}  // namespace parlance::toolbox

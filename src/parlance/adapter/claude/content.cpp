// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/content.h"

#include <optional>

#include "parlance/base/base64.h"
#include "parlance/codec/json/writer.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/model/attachment.h"

namespace parlance::adapter {
namespace {

// Image and document alike: a source of type base64, url or text.
std::optional<hub::Attachment> attachment_in(const json::Value& block) {
  const json::Value* source = block.find("source");
  if (source == nullptr) return std::nullopt;
  const std::string_view type = source->text_or("type", "");
  const bool image = block.text_or("type", "") == "image";
  hub::Attachment attachment{
      .about = {.media_type = std::string(source->text_or("media_type", image ? "image/png" : "application/pdf")),
                .name = std::string(block.text_or("title", ""))}};
  const std::string_view data = source->text_or("data", "");
  if (type == "url") {
    attachment.about.url = std::string(source->text_or("url", ""));
    if (attachment.about.url->empty()) return std::nullopt;
  } else if (type == "text") {
    attachment.data = data;
  } else if (type == "base64") {
    auto bytes = from_base64(data);
    if (!bytes || bytes->empty()) return std::nullopt;
    attachment.data = *std::move(bytes);
  } else {
    return std::nullopt;
  }
  return attachment;
}

std::string unread_note(const json::Value& block) {
  const std::string_view type = block.text_or("type", "");
  const json::Value* source = block.find("source");
  const std::string_view kind = source != nullptr ? source->text_or("type", "") : "";
  return "(With this message came a block of the type " + std::string(type.empty() ? "unknown" : type) +
         (kind.empty() ? "" : ", source " + std::string(kind)) +
         ", which cannot be read here. Tell the person that you cannot see it.)";
}

}  // namespace

ClaudeContent read_claude_content(const json::Value& content) {
  ClaudeContent read;
  if (const std::string* text = content.text()) {
    read.text = *text;
    return read;
  }
  const json::Array* blocks = content.array();
  if (blocks == nullptr) return read;
  std::vector<std::string> notes;
  for (const json::Value& block : *blocks) {
    const std::string_view type = block.text_or("type", "");
    if (type == "text") {
      read.text += (read.text.empty() ? "" : "\n") + std::string(block.text_or("text", ""));
    } else if (auto attachment = type == "image" || type == "document" ? attachment_in(block) : std::nullopt) {
      read.attachments.push_back(*std::move(attachment));
    } else {
      notes.push_back(unread_note(block));
    }
  }
  for (const std::string& note : notes) model::add_note(read.text, note);
  return read;
}

namespace {

// The warning for the person.
hub::event::Failure not_shown(const hub::AttachmentInfo& unseen, bool gone) {
  return {.code = "not_shown",
          .message = gone ? "An attachment of the message no longer exists: " + unseen.media_type + "."
                          : "Claude Code cannot read attachments of the type " + unseen.media_type + ".",
          .detail = "Claude Code received a note that the attachment exists."};
}

}  // namespace

wire::Raw write_claude_content(const ClaudeContent& content, std::vector<hub::event::Failure>& unseen) {
  std::string text = content.text;
  std::string blocks;
  for (const hub::Attachment& attachment : content.attachments) {
    const model::Attachment plain{.media_type = attachment.about.media_type,
                                  .name = attachment.about.name,
                                  .url = attachment.about.url.value_or(""),
                                  .data = attachment.data};
    const bool lost = plain.url.empty() && plain.data.empty() && attachment.about.bytes != 0;
    if (const auto block = lost ? std::nullopt : model::anthropic_block(plain)) {
      blocks += *block + ",";
    } else {
      unseen.push_back(not_shown(attachment.about, lost));
      model::add_note(text, model::unseen_note(plain, lost ? std::optional(attachment.about.bytes) : std::nullopt));
    }
  }
  wire::Raw raw;
  json::write_text(raw.json, text);
  if (blocks.empty()) return raw;
  if (text.empty()) blocks.pop_back();
  else blocks += R"({"type":"text","text":)" + raw.json + "}";
  return {"[" + blocks + "]"};
}

std::optional<std::string> claude_system_prompt(const wire::Raw& wanted) {
  // A mark between the texts: many sessions share the text before this mark.
  constexpr std::string_view cache_boundary = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";
  const json::Value value = json::parse_or_null(wanted.json);
  if (const std::string* text = value.text()) return *text;
  if (value.array() == nullptr) return std::nullopt;
  std::string all;
  for (const json::Value& part : *value.array())
    if (part.text() != nullptr && !part.text()->empty() && *part.text() != cache_boundary)
      all += (all.empty() ? "" : "\n\n") + *part.text();
  return all;
}

}  // namespace parlance::adapter

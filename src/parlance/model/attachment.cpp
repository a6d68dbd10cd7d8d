// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/attachment.h"

#include <algorithm>
#include <array>

#include "parlance/base/base64.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/value.h"

namespace parlance::model {
namespace {

constexpr std::array<std::string_view, 6> kinds{"image/jpeg", "image/png",       "image/gif",
                                                "image/webp", "application/pdf", "text/*"};
constexpr std::span<const std::string_view> pictures = std::span(kinds).first(4);
constexpr std::string_view pdf = kinds[4];

bool is_shown_type(std::string_view media_type) { return std::ranges::find(pictures, media_type) != pictures.end(); }
// Without data (at an address, or for a question about the type) the media type decides.
bool is_picture(const Attachment& attachment) {
  return attachment.data.empty() ? is_shown_type(attachment.media_type)
                                 : attachment.media_type.starts_with("image/") && !picture_type(attachment.data).empty();
}
std::string_view sent_type(const Attachment& attachment) {
  return is_picture(attachment) && !attachment.data.empty() ? picture_type(attachment.data) : attachment.media_type;
}
bool is_text(const Attachment& attachment) { return attachment.media_type.starts_with("text/") && attachment.url.empty(); }

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kib = 1024;
  constexpr std::size_t mib = kib * kib;
  if (bytes < kib) return std::to_string(bytes) + " bytes";
  if (bytes < mib) return std::to_string((bytes + kib - 1) / kib) + " KiB";
  return std::to_string((bytes + mib - 1) / mib) + " MiB";
}

json::Object object(std::string_view type) {
  json::Object made;
  made.set("type", std::string(type));
  return made;
}

std::string data_url(const Attachment& attachment) {
  return "data:" + std::string(sent_type(attachment)) + ";base64," + to_base64(attachment.data);
}

}  // namespace

std::span<const std::string_view> attachment_kinds() { return kinds; }

std::string_view picture_type(std::string_view data) {
  if (data.starts_with("\x89PNG")) return "image/png";
  if (data.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (data.starts_with("GIF8")) return "image/gif";
  if (data.size() >= 12 && data.starts_with("RIFF") && data.substr(8).starts_with("WEBP")) return "image/webp";
  return {};
}

Result<std::string> checked_media_type(const std::string& place, std::string media_type, std::string_view data) {
  if (!media_type.starts_with("image/")) return media_type;
  const std::string_view type = picture_type(data);
  if (!type.empty()) return std::string(type);
  if (!is_shown_type(media_type)) return media_type;
  return fail(Errc::invalid_params, place +
                                        ": the data is no picture: its first bytes are those of no PNG, JPEG, GIF or WebP file; "
                                        "open the file in an image program and export it again");
}

std::string described(const Attachment& attachment, std::optional<std::size_t> bytes) {
  std::string text = attachment.media_type.starts_with("image/") ? "an image (" : "a file (";
  if (!attachment.name.empty()) text += attachment.name + ", ";
  text += attachment.media_type;
  return text + (attachment.url.empty() ? ", " + size_text(bytes.value_or(attachment.data.size())) : ", at " + attachment.url) +
         ")";
}

std::string unseen_note(const Attachment& attachment, std::optional<std::size_t> bytes) {
  return "(With this message came " + described(attachment, bytes) +
         ", which cannot be shown to you. Tell the person that you do not see it.)";
}

void add_note(std::string& text, const std::string& note) { text += (text.empty() ? "" : "\n\n") + note; }

bool has_anthropic_block(const Attachment& attachment) {
  return is_picture(attachment) || attachment.media_type == pdf || is_text(attachment);
}

std::optional<std::string> anthropic_block(const Attachment& attachment) {
  if (!has_anthropic_block(attachment)) return std::nullopt;
  const bool picture = is_picture(attachment);
  json::Object source = object(!attachment.url.empty() ? "url" : is_text(attachment) ? "text" : "base64");
  if (!attachment.url.empty()) {
    source.set("url", attachment.url);
  } else {
    source.set("media_type", is_text(attachment) ? "text/plain" : std::string(sent_type(attachment)));
    source.set("data", is_text(attachment) ? to_valid_utf8(attachment.data) : to_base64(attachment.data));
  }
  json::Object block = object(picture ? "image" : "document");
  block.set("source", std::move(source));
  if (!picture && !attachment.name.empty()) block.set("title", attachment.name);
  return json::to_text(json::Value(std::move(block)));
}

bool has_openai_part(const Attachment& attachment) {
  return is_text(attachment) || is_picture(attachment) || (attachment.media_type == pdf && attachment.url.empty());
}

std::optional<std::string> openai_part(const Attachment& attachment) {
  if (!has_openai_part(attachment)) return std::nullopt;
  if (is_text(attachment)) {
    json::Object part = object("text");
    part.set("text", (attachment.name.empty() ? "" : attachment.name + ":\n") + to_valid_utf8(attachment.data));
    return json::to_text(json::Value(std::move(part)));
  }
  json::Object inside;
  if (is_picture(attachment)) {
    inside.set("url", attachment.url.empty() ? data_url(attachment) : attachment.url);
    json::Object part = object("image_url");
    part.set("image_url", std::move(inside));
    return json::to_text(json::Value(std::move(part)));
  }
  inside.set("filename", attachment.name.empty() ? "document.pdf" : attachment.name);
  inside.set("file_data", data_url(attachment));
  json::Object part = object("file");
  part.set("file", std::move(inside));
  return json::to_text(json::Value(std::move(part)));
}

}  // namespace parlance::model

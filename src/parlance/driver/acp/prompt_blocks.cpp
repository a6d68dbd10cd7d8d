// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/prompt_blocks.h"

#include <algorithm>
#include <utility>

#include "parlance/adapter/acp/prompt.h"
#include "parlance/base/base64.h"
#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/base/utf8.h"

namespace parlance::driver {
namespace {

bool is_text(const hub::Attachment& attachment) {
  return attachment.about.media_type.starts_with("text/") || attachment.about.media_type == "application/json";
}

std::string name_of(const hub::AttachmentInfo& about) { return about.name.empty() ? about.id : about.name; }

std::string file_uri(std::string_view path) {
  std::string uri = "file://";
  for (bool first = true; const std::string_view part : split(path, '/')) {
    if (!std::exchange(first, false)) uri += '/';
    uri += percent_encode(part);
  }
  return uri;
}

// A unique address for an attachment without a URL.
std::string uri_of(const hub::AttachmentInfo& about) { return about.url.value_or("attachment:///" + name_of(about)); }

class Builder {
 public:
  explicit Builder(PromptInput input) : in_(std::move(input)) {}

  PromptBlocks build() {
    for (const hub::Attachment& attachment : in_.attachments) attach(attachment);
    std::string words = std::move(in_.text);
    if (in_.flavour == acp::Flavour::iflow) words = sections(std::move(words));
    else if (in_.can.embedded_context) look_at();
    else words = hub::context_block(in_.context) + words;
    for (const std::string& name : named_) words += "\n\n" + name;
    // The text first: some agents look for a slash command in the first text block.
    made_.blocks.insert(made_.blocks.begin(), acp::text(std::move(words)));
    return std::move(made_);
  }

 private:
  void attach(const hub::Attachment& attachment) {
    const std::string& type = attachment.about.media_type;
    if (attachment.about.url) {
      add(acp::ResourceLink{.uri = *attachment.about.url, .name = name_of(attachment.about), .mime_type = type});
    } else if (type.starts_with("image/") && in_.can.image) {
      add(acp::ImageContent{.data = to_base64(attachment.data), .mime_type = type});
    } else if (type.starts_with("audio/") && in_.can.audio) {
      add(acp::AudioContent{.data = to_base64(attachment.data), .mime_type = type});
    } else if (type == hub::file_list_type && in_.flavour == acp::Flavour::iflow && is_valid_utf8(attachment.data)) {
      for (const std::string_view name : split(attachment.data, '\n'))
        if (!name.empty()) workspace_files_.emplace_back(name);
    } else if (is_text(attachment) && is_valid_utf8(attachment.data)) {
      attach_text(attachment);
    } else if (in_.can.embedded_context && !type.starts_with("image/") && !type.starts_with("audio/")) {
      add(acp::EmbeddedResource{
          .resource = {.uri = uri_of(attachment.about), .mime_type = type, .blob = to_base64(attachment.data)}});
    } else {
      named_.push_back("[" + name_of(attachment.about) + ", " + type + ", " + std::to_string(attachment.data.size()) +
                       " bytes, was attached and cannot be shown to you]");
      made_.unseen.push_back(
          {.code = "attachment",
           .message = name_of(attachment.about) + " is of the type " + type + ", which the agent cannot be shown.",
           .detail = "The agent received only the name, type and size of the file."});
    }
  }

  void attach_text(const hub::Attachment& attachment) {
    if (in_.flavour == acp::Flavour::iflow) {
      const std::string_view kept = utf8_prefix(attachment.data, in_.file_bytes);
      files_.push_back(
          {.path = name_of(attachment.about), .content = std::string(kept), .cut = kept.size() < attachment.data.size()});
    } else if (in_.can.embedded_context) {
      add(acp::EmbeddedResource{
          .resource = {.uri = uri_of(attachment.about), .mime_type = attachment.about.media_type, .text = attachment.data}});
    } else {
      named_.push_back("Attached file " + name_of(attachment.about) + ":\n" + attachment.data);
    }
  }

  // The person's open files as resources: a selection with its text, otherwise a link.
  void look_at() {
    for (const hub::PromptContext& part : in_.context) {
      std::string uri = file_uri(part.path);
      if (part.range) uri += "#L" + std::to_string(part.range->first) + "-L" + std::to_string(part.range->last);
      if (part.text) add(acp::EmbeddedResource{.resource = {.uri = std::move(uri), .text = part.text}});
      else add(acp::ResourceLink{.uri = std::move(uri), .name = part.path.substr(part.path.rfind('/') + 1)});
    }
  }

  std::string sections(std::string words) {
    adapter::PromptParts parts{.working_folder = in_.folder,
                               .workspace_files = std::move(workspace_files_),
                               .files = std::move(files_),
                               .prompt = std::move(words)};
    // An entry without a range is the active file, even if another file has the selection.
    const auto looked_at = std::ranges::find_if(in_.context, [](const hub::PromptContext& part) { return !part.range; });
    if (!in_.context.empty()) parts.active_file = (looked_at != in_.context.end() ? *looked_at : in_.context.front()).path;
    for (const hub::PromptContext& part : in_.context) {
      if (!part.text || parts.selection) continue;
      parts.selection = adapter::PromptSelection{.file_name = part.path.substr(part.path.rfind('/') + 1), .text = *part.text};
      if (part.range) {
        parts.selection->line_start = static_cast<std::uint32_t>(part.range->first);
        parts.selection->line_end = static_cast<std::uint32_t>(part.range->last);
      }
    }
    return adapter::build_prompt(parts);
  }

  template <class Block>
  void add(Block block) {
    made_.blocks.push_back({std::move(block)});
  }

  PromptInput in_;
  PromptBlocks made_;
  std::vector<std::string> named_;  // appended to the text
  std::vector<adapter::PromptFile> files_;
  std::vector<std::string> workspace_files_;
};

}  // namespace

PromptBlocks prompt_blocks(PromptInput input) { return Builder(std::move(input)).build(); }

Task<Result<std::vector<hub::Attachment>>> attachments_of(hub::Turn& turn, const std::vector<hub::AttachmentInfo>& named) {
  std::vector<hub::Attachment> all;
  for (const hub::AttachmentInfo& about : named) {
    auto attachment = co_await turn.attachment(about.id);
    // deleted meanwhile: only the name remains
    if (!attachment && attachment.error().code == Errc::not_found) attachment = hub::Attachment{.about = about};
    PARLANCE_CO_TRY_DO(attachment);
    all.push_back(*std::move(attachment));
  }
  co_return all;
}

}  // namespace parlance::driver

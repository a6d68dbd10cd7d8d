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

bool is_text(const hub::Attachment& one) {
  return one.about.media_type.starts_with("text/") || one.about.media_type == "application/json";
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
    for (const hub::Attachment& one : in_.attachments) attach(one);
    std::string words = std::move(in_.text);
    if (in_.flavour == acp::Flavour::iflow) words = sections(std::move(words));
    else if (in_.can.embedded_context) look_at();
    else words = hub::context_block(in_.context) + words;
    for (const std::string& one : named_) words += "\n\n" + one;
    // The text first: some agents look for a slash command in the first text block.
    made_.blocks.insert(made_.blocks.begin(), acp::text(std::move(words)));
    return std::move(made_);
  }

 private:
  void attach(const hub::Attachment& one) {
    const std::string& type = one.about.media_type;
    if (one.about.url) {
      add(acp::ResourceLink{.uri = *one.about.url, .name = name_of(one.about), .mime_type = type});
    } else if (type.starts_with("image/") && in_.can.image) {
      add(acp::ImageContent{.data = to_base64(one.data), .mime_type = type});
    } else if (type.starts_with("audio/") && in_.can.audio) {
      add(acp::AudioContent{.data = to_base64(one.data), .mime_type = type});
    } else if (type == hub::file_list_type && in_.flavour == acp::Flavour::iflow && is_valid_utf8(one.data)) {
      for (const std::string_view name : split(one.data, '\n'))
        if (!name.empty()) workspace_files_.emplace_back(name);
    } else if (is_text(one) && is_valid_utf8(one.data)) {
      attach_text(one);
    } else if (in_.can.embedded_context && !type.starts_with("image/") && !type.starts_with("audio/")) {
      add(acp::EmbeddedResource{.resource = {.uri = uri_of(one.about), .mime_type = type, .blob = to_base64(one.data)}});
    } else {
      named_.push_back("[" + name_of(one.about) + ", " + type + ", " + std::to_string(one.data.size()) +
                       " bytes, was attached and cannot be shown to you]");
      made_.unseen.push_back({.code = "attachment",
                              .message = name_of(one.about) + " is of the type " + type + ", which the agent cannot be shown.",
                              .detail = "It was told that there is such a file."});
    }
  }

  void attach_text(const hub::Attachment& one) {
    if (in_.flavour == acp::Flavour::iflow) {
      const std::string_view kept = utf8_prefix(one.data, in_.file_bytes);
      files_.push_back({.path = name_of(one.about), .content = std::string(kept), .cut = kept.size() < one.data.size()});
    } else if (in_.can.embedded_context) {
      add(acp::EmbeddedResource{.resource = {.uri = uri_of(one.about), .mime_type = one.about.media_type, .text = one.data}});
    } else {
      named_.push_back("Attached file " + name_of(one.about) + ":\n" + one.data);
    }
  }

  // The person's open files as resources: a selection with its text, otherwise a link.
  void look_at() {
    for (const hub::PromptContext& one : in_.context) {
      std::string uri = file_uri(one.path);
      if (one.range) uri += "#L" + std::to_string(one.range->first) + "-L" + std::to_string(one.range->last);
      if (one.text) add(acp::EmbeddedResource{.resource = {.uri = std::move(uri), .text = one.text}});
      else add(acp::ResourceLink{.uri = std::move(uri), .name = one.path.substr(one.path.rfind('/') + 1)});
    }
  }

  std::string sections(std::string words) {
    adapter::PromptParts parts{.working_folder = in_.folder,
                               .workspace_files = std::move(workspace_files_),
                               .files = std::move(files_),
                               .prompt = std::move(words)};
    // An entry without a range is the active file, even if another file has the selection.
    const auto looked_at = std::ranges::find_if(in_.context, [](const hub::PromptContext& one) { return !one.range; });
    if (!in_.context.empty()) parts.active_file = (looked_at != in_.context.end() ? *looked_at : in_.context.front()).path;
    for (const hub::PromptContext& one : in_.context) {
      if (!one.text || parts.selection) continue;
      parts.selection = adapter::PromptSelection{.file_name = one.path.substr(one.path.rfind('/') + 1), .text = *one.text};
      if (one.range) {
        parts.selection->line_start = static_cast<std::uint32_t>(one.range->first);
        parts.selection->line_end = static_cast<std::uint32_t>(one.range->last);
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
    auto one = co_await turn.attachment(about.id);
    // deleted meanwhile: only the name remains
    if (!one && one.error().code == Errc::not_found) one = hub::Attachment{.about = about};
    PARLANCE_CO_TRY_DO(one);
    all.push_back(*std::move(one));
  }
  co_return all;
}

}  // namespace parlance::driver

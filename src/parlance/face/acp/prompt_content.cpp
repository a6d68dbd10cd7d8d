// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/prompt_content.h"

#include "parlance/base/base64.h"
#include "parlance/base/uri.h"

namespace parlance::face {
namespace {

constexpr std::string_view file_scheme = "file://";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

std::string last_component(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos || slash + 1 == path.size() ? path : path.substr(slash + 1);
}

// Reads the blocks in order.
class Reading {
 public:
  Result<void> add(const acp::Content& block, std::string place) {
    place_ = std::move(place);
    return std::visit([this](const auto& content) { return take(content); }, block.value);
  }
  AcpPrompt prompt{};

 private:
  Result<void> take(const acp::TextContent& text) {
    // Text split only by a link continues behind the link.
    const bool joined = after_link_ || prompt.text.empty() || is_space(prompt.text.back()) || text.text.starts_with('\n');
    if (!joined) prompt.text += '\n';
    prompt.text += text.text;
    after_link_ = false;
    return {};
  }
  Result<void> take(const acp::ResourceLink& link) {
    mention(link.name, link.uri);
    return {};
  }
  Result<void> take(const acp::ImageContent& image) {
    if (image.data.empty() && image.uri) {
      prompt.attachments.push_back({.about = {.media_type = image.mime_type, .url = image.uri}});
      return {};
    }
    return attach(image.mime_type, image.data, image.uri ? last_component(*image.uri) : "", ".data");
  }
  Result<void> take(const acp::AudioContent&) {
    return fail(Errc::invalid_params, place_ + ": no agent here hears sound; promptCapabilities.audio is false");
  }
  Result<void> take(const acp::EmbeddedResource& embedded) {
    const acp::ResourceContents& resource = embedded.resource;
    const std::string path = path_of_uri(resource.uri);
    if (resource.text) {
      mention("", resource.uri);
      prompt.context.push_back({.path = path, .text = resource.text});
      return {};
    }
    if (resource.blob)
      return attach(resource.mime_type.value_or("application/octet-stream"), *resource.blob, last_component(path),
                    ".resource.blob");
    return fail(Errc::invalid_params, place_ + ".resource: neither text nor blob");
  }
  Result<void> take(const wire::Other&) { return fail(Errc::invalid_params, place_ + ".type: there is no such content block"); }

  void mention(const std::string& name, const std::string& uri) {
    prompt.text += "[@" + (name.empty() ? last_component(path_of_uri(uri)) : name) + "](" + uri + ")";
    after_link_ = true;
  }
  Result<void> attach(const std::string& media_type, const std::string& base64, std::string name, std::string_view member) {
    auto bytes = from_base64(base64);
    if (!bytes) return fail(Errc::invalid_params, place_ + std::string(member) + ": not base64");
    PARLANCE_TRY_DO(hub::check_attachment(place_ + std::string(member), media_type, bytes->size()));
    prompt.attachments.push_back({.about = {.media_type = media_type, .name = std::move(name)}, .data = *std::move(bytes)});
    return {};
  }

  std::string place_;
  bool after_link_ = false;
};

}  // namespace

std::string path_of_uri(const std::string& uri) {
  if (!uri.starts_with(file_scheme)) return uri;
  const std::string_view rest = std::string_view(uri).substr(file_scheme.size());
  const std::size_t path = rest.find('/');
  if (path == std::string_view::npos) return uri;
  const std::string_view whole = rest.substr(path);
  return percent_decode(whole.substr(0, whole.find_first_of("?#"))).value_or(uri);
}

std::string uri_of_path(const std::string& path) {
  if (!path.starts_with('/')) return path;
  std::string uri(file_scheme);
  std::size_t from = 0;
  for (std::size_t slash = path.find('/', 1); from < path.size(); slash = path.find('/', from + 1)) {
    const std::size_t to = slash == std::string::npos ? path.size() : slash;
    uri += '/' + percent_encode(path.substr(from + 1, to - from - 1));
    from = to;
  }
  return uri;
}

Result<AcpPrompt> acp_prompt(const std::vector<acp::Content>& blocks) {
  Reading reading;
  for (std::size_t i = 0; i < blocks.size(); ++i) PARLANCE_TRY_DO(reading.add(blocks[i], "$.prompt[" + std::to_string(i) + "]"));
  return std::move(reading.prompt);
}

std::vector<acp::Content> acp_blocks(const std::string& text, const std::vector<hub::AttachmentInfo>& attachments,
                                     const std::vector<hub::PromptContext>& context) {
  std::vector<acp::Content> blocks;
  if (!text.empty()) blocks.push_back(acp::text(text));
  for (const hub::PromptContext& part : context) {
    if (part.text) blocks.push_back({acp::EmbeddedResource{.resource = {.uri = uri_of_path(part.path), .text = part.text}}});
    else blocks.push_back({acp::ResourceLink{.uri = uri_of_path(part.path), .name = last_component(part.path)}});
  }
  for (const hub::AttachmentInfo& attachment : attachments) {
    acp::ResourceLink link{.uri = attachment.url.value_or("attachment:" + attachment.id),
                           .name = attachment.name.empty() ? attachment.media_type : attachment.name};
    link.mime_type = attachment.media_type;
    if (!attachment.url) link.size = static_cast<std::int64_t>(attachment.bytes);
    blocks.push_back({std::move(link)});
  }
  return blocks;
}

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/attachments.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "parlance/base/base64.h"
#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/iflow/limits.h"
#include "parlance/transport/whole_file.h"

namespace parlance::iflow {
namespace {

namespace fs = std::filesystem;

struct MediaType {
  std::string_view ending;
  std::string_view type;
};
constexpr std::array media_types{
    MediaType{".png", "image/png"},     MediaType{".jpg", "image/jpeg"}, MediaType{".jpeg", "image/jpeg"},
    MediaType{".gif", "image/gif"},     MediaType{".bmp", "image/bmp"},  MediaType{".webp", "image/webp"},
    MediaType{".svg", "image/svg+xml"}, MediaType{".mp3", "audio/mpeg"}, MediaType{".wav", "audio/wav"},
    MediaType{".m4a", "audio/mp4"},     MediaType{".ogg", "audio/ogg"},  MediaType{".flac", "audio/flac"},
};

std::string_view media_type(const fs::path& path) {
  const std::string ending = to_lower(path.extension().string());
  const auto found = std::ranges::find(media_types, ending, &MediaType::ending);
  return found == media_types.end() ? std::string_view{} : found->type;
}

std::string file_uri(const fs::path& path) {
  std::string out = "file://";
  for (const fs::path& part : path.relative_path()) out += "/" + percent_encode(part.string());
  return out;
}

Result<acp::Content> content_of(const fs::path& path, std::uintmax_t size) {
  const std::string_view type = media_type(path);
  if (type.empty())
    return acp::Content{acp::ResourceLink{.uri = file_uri(path),
                                          .name = path.filename().string(),
                                          .title = path.stem().string(),
                                          .size = static_cast<std::int64_t>(size)}};
  if (size > limits::iflow_attachment_bytes)
    return fail(Errc::invalid_params, path.string() + ": " + std::to_string(size) + " bytes are too many to be sent (at most " +
                                          std::to_string(limits::iflow_attachment_bytes) + ")");
  PARLANCE_TRY(bytes, read_whole_file(path.string()));
  std::string data = to_base64(bytes);
  if (type.starts_with("image/")) return acp::Content{acp::ImageContent{.data = std::move(data), .mime_type = std::string(type)}};
  return acp::Content{acp::AudioContent{.data = std::move(data), .mime_type = std::string(type)}};
}

}  // namespace

AttachedContent attach(const std::vector<std::string>& files, const std::string& folder) {
  AttachedContent out;
  for (const std::string& file : files) {
    const fs::path path = (fs::path(folder) / file).lexically_normal();
    std::error_code failed;
    if (!fs::is_regular_file(path, failed)) {
      out.left_out.push_back("File not found: " + path.string());
      continue;
    }
    Result<acp::Content> content = content_of(path, fs::file_size(path, failed));
    if (content) out.blocks.push_back(*std::move(content));
    else out.left_out.push_back(content.error().message);
  }
  return out;
}

}  // namespace parlance::iflow

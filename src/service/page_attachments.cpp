#include "service/page_attachments.h"

#include "base/limits.h"
#include "model/attachment.h"

namespace parlance::service {
namespace {

// In base64 these are 5 MiB, the most that Anthropic's API takes of a picture. One that it refuses would stand in the history and
// make every later prompt of the conversation fail, too.
constexpr std::size_t picture_bytes = 3'932'160;

}  // namespace

page::AttachmentLimits page_attachment_limits() {
  const auto kinds = model::attachment_kinds();
  return {.files = limits::prompt_attachments,
          .bytes = limits::prompt_attachment_bytes,
          .picture_bytes = picture_bytes,
          .media_types = {kinds.begin(), kinds.end()}};
}

Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files) {
  std::vector<hub::Attachment> out;
  for (page::AttachedFile& file : files) {
    const std::string place = "$.attachments[" + std::to_string(out.size()) + "]";
    if (!hub::is_media_type(file.media_type))
      return fail(Errc::invalid_params, place + ".media_type: expected a media type, for example image/png");
    if (file.data.bytes.empty()) return fail(Errc::invalid_params, place + ".data: the file is empty");
    if (file.media_type.starts_with("image/") && file.data.bytes.size() > picture_bytes)
      return fail(Errc::invalid_params, place + ".data: the picture has " + std::to_string(file.data.bytes.size()) +
                                            " bytes; at most " + std::to_string(picture_bytes) + ": make it smaller");
    out.push_back(
        {.about = {.media_type = std::move(file.media_type), .name = std::move(file.name)}, .data = std::move(file.data.bytes)});
  }
  return out;
}

}  // namespace parlance::service

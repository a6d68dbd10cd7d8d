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

Result<void> check_attachment(const std::string& place, std::string_view media_type, std::size_t bytes) {
  if (!hub::is_media_type(media_type))
    return fail(Errc::invalid_params, place + ": expected a media type, for example image/png");
  if (bytes == 0) return fail(Errc::invalid_params, place + ": the file is empty");
  if (media_type.starts_with("image/") && bytes > picture_bytes)
    return fail(Errc::invalid_params, place + ": the picture has " + std::to_string(bytes) + " bytes; at most " +
                                          std::to_string(picture_bytes) + ": make it smaller");
  return {};
}

Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files) {
  std::vector<hub::Attachment> out;
  for (page::AttachedFile& file : files) {
    const std::string place = "$.attachments[" + std::to_string(out.size()) + "]";
    const bool typed = hub::is_media_type(file.media_type);
    PARLANCE_TRY_DO(check_attachment(place + (typed ? ".data" : ".media_type"), file.media_type, file.data.bytes.size()));
    out.push_back(
        {.about = {.media_type = std::move(file.media_type), .name = std::move(file.name)}, .data = std::move(file.data.bytes)});
  }
  return out;
}

}  // namespace parlance::service

// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/attachments_over_http.h"

#include "parlance/base/uri.h"
#include "parlance/gateway/http_errors.h"

namespace parlance::face {
namespace {

// An SVG is a document that may hold scripts.
bool is_plain_picture(std::string_view media_type) {
  return media_type.starts_with("image/") && !media_type.starts_with("image/svg");
}

HttpReply reply_with(hub::Attachment attachment) {
  const hub::AttachmentInfo& about = attachment.about;
  // Hosts of agents choose the type, so the header contains only well-formed types.
  const bool known = hub::is_media_type(about.media_type);
  std::string disposition = known && is_plain_picture(about.media_type) ? "inline" : "attachment";
  if (!about.name.empty()) disposition += "; filename*=UTF-8''" + percent_encode(about.name);
  return {.headers = {{.name = "Content-Type", .value = known ? about.media_type : "application/octet-stream"},
                      {.name = "Content-Disposition", .value = std::move(disposition)},
                      {.name = "Content-Security-Policy", .value = "default-src 'none'; frame-ancestors 'none'; sandbox"}},
          .body = std::move(attachment.data)};
}

}  // namespace

Task<void> AttachmentsOverHttp::get(HttpExchange& exchange, hub::UserHub hub) {
  Result<hub::Attachment> found = co_await hub.attachment(exchange.request().path.substr(attachments_folder.size()));
  if (found && found->about.url)
    found = fail(Errc::not_found, "only the address of this attachment was sent, and its bytes are there: " + *found->about.url);
  HttpReply reply = found ? reply_with(*std::move(found)) : gateway::error_reply(found.error());
  co_await exchange.respond(std::move(reply));
}

}  // namespace parlance::face

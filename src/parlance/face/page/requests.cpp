// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/requests.h"

#include <string>
#include <utility>

#include "parlance/hub/conversation/limits.h"
#include "parlance/model/attachment.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::face {

page::PromptedValue value_of(hub::Prompted prompted) {
  page::PromptedValue value;
  if (!prompted.turn.empty()) value.turn = std::move(prompted.turn);
  else value.queued = std::move(prompted.queued);
  return value;
}
page::ConversationValue value_of(const hub::Conversation& conversation) {
  return {.conversation = {.json = wire_form::conversation_json(conversation)}};
}
page::AskValue value_of(const hub::Ask& ask) { return {.ask = {.json = wire_form::ask_json(ask)}}; }

page::AttachmentLimits page_attachment_limits() {
  const auto kinds = model::attachment_kinds();
  return {.files = limits::prompt_attachments,
          .bytes = limits::prompt_attachment_bytes,
          .picture_bytes = hub::picture_bytes,
          .media_types = {kinds.begin(), kinds.end()}};
}

Result<std::vector<hub::Attachment>> to_attachments(std::vector<page::AttachedFile> files) {
  std::vector<hub::Attachment> out;
  for (page::AttachedFile& file : files) {
    const std::string place = "$.attachments[" + std::to_string(out.size()) + "]";
    const bool typed = hub::is_media_type(file.media_type);
    PARLANCE_TRY_DO(hub::check_attachment(place + (typed ? ".data" : ".media_type"), file.media_type, file.data.bytes.size()));
    PARLANCE_TRY(type, model::checked_media_type(place + ".data", std::move(file.media_type), file.data.bytes));
    out.push_back({.about = {.media_type = std::move(type), .name = std::move(file.name)}, .data = std::move(file.data.bytes)});
  }
  return out;
}

}  // namespace parlance::face

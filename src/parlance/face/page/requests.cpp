// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/requests.h"

#include <string>
#include <utility>

#include "parlance/hub/conversation/limits.h"
#include "parlance/model/attachment.h"

namespace parlance::face {

hub::Mode to_hub(page::Mode mode) {
  switch (mode) {
    case page::Mode::default_: return hub::Mode::default_;
    case page::Mode::auto_edit: return hub::Mode::auto_edit;
    case page::Mode::yolo: return hub::Mode::yolo;
    case page::Mode::plan: return hub::Mode::plan;
    case page::Mode::smart: return hub::Mode::smart;
  }
  return hub::Mode::default_;
}

std::optional<hub::Access> to_hub(std::optional<page::Access> access) {
  if (!access) return std::nullopt;
  switch (*access) {
    case page::Access::view: return hub::Access::view;
    case page::Access::team: return hub::Access::team;
    case page::Access::private_: break;
  }
  return hub::Access::private_;
}

std::vector<hub::PromptContext> to_context(std::optional<std::vector<page::PromptContext>> parts) {
  std::vector<hub::PromptContext> context;
  if (!parts) return context;
  for (page::PromptContext& part : *parts) {
    hub::PromptContext place{.path = std::move(part.path), .text = std::move(part.text)};
    if (part.range) place.range = hub::LineRange{.first = part.range->first, .last = part.range->last};
    context.push_back(std::move(place));
  }
  return context;
}

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

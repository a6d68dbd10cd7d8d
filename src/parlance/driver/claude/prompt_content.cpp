// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/prompt_content.h"

#include <utility>

#include "parlance/adapter/claude/content.h"
#include "parlance/hub/conversation/notice.h"

namespace parlance::driver {

Task<Result<wire::Raw>> prompt_content(hub::Turn& turn, std::string text, std::vector<hub::AttachmentInfo> attached) {
  adapter::ClaudeContent content{.text = std::move(text)};
  for (const hub::AttachmentInfo& about : attached) {
    auto attachment = co_await turn.attachment(about.id);
    // The store has lost its bytes: the description in the event is left.
    if (!attachment && attachment.error().code == Errc::not_found) attachment = hub::Attachment{.about = about};
    PARLANCE_CO_TRY_DO(attachment);
    content.attachments.push_back(*std::move(attachment));
  }
  std::vector<hub::event::Failure> unseen;
  wire::Raw raw = adapter::write_claude_content(content, unseen);
  for (hub::event::Failure& failure : unseen) turn.emit(std::move(failure));
  co_return raw;
}

}  // namespace parlance::driver

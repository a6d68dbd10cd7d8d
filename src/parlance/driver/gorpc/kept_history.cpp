// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/kept_history.h"

#include <algorithm>
#include <span>
#include <utility>

#include "parlance/protocol/gorpc/history_digest.h"

namespace parlance::driver {

void KeptHistory::use(const std::optional<gorpc::AbilitiesReply>& agent, bool wanted) {
  used_ = wanted && !unserved_ && agent && agent->continues;
  asked_.reset();
  if (used_) return;
  mark_ = {};
  digest_.clear();
}

void KeptHistory::refer(gorpc::ContinueChatArgs& args, const hub::HistoryPart& part) {
  if (!part.continues) digest_.clear();
  args.history = digest_;
  if (!used_ || part.settled == 0) return;
  const auto& messages = args.chat.messages;
  const auto first = std::ranges::find_if(messages, [](const gorpc::Message& message) { return message.role != "system"; });
  const std::span settled(first, part.settled);
  args.remember = static_cast<std::int64_t>(part.settled);
  asked_ = {.mark = part.mark, .digest = gorpc::history_digest(digest_, settled)};
}

bool KeptHistory::must_repeat(const Result<gorpc::ContinueChatReply>& reply) {
  const bool referred = !digest_.empty();
  // The agent of another connection may be an older program.
  const bool unserved = !reply && reply.error().message.starts_with("rpc: can't find method");
  if ((reply && reply->unknown) || unserved) {
    const bool continued = referred || asked_;
    unserved_ = unserved_ || unserved || !referred;
    mark_ = {};
    digest_.clear();
    return continued;
  }
  if (reply && asked_ && reply->history == asked_->digest) {
    mark_ = std::move(asked_->mark);
    digest_ = std::move(asked_->digest);
  }
  asked_.reset();
  return false;
}

}  // namespace parlance::driver

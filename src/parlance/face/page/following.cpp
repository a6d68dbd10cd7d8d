// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/following.h"

#include <algorithm>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/base/log.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::face {

struct PageFollowing::Opened {
  Opened(const hub::UserHub& hub, std::string id, std::uint64_t after, Signal& changed)
      : conversation(std::make_shared<const std::string>(std::move(id))),
        follower(hub, *conversation, after, &changed),
        retry(changed.loop()) {}
  bool can_gather() const { return !closed && !reading && !failed && follower.ready(); }
  std::shared_ptr<const std::string> conversation;
  hub::Follower follower;
  bool reading = true;  // the page of events is not sent yet
  bool closed = false;
  bool failed = false;  // the store did not return the events; `retry` reads them again later
  Scope retry;
};

PageFollowing::PageFollowing(Loop& loop, hub::UserHub hub)
    : hub_(std::move(hub)), changed_(loop), watcher_(hub_.watch(&changed_)) {}

PageFollowing::~PageFollowing() = default;

// ---- conversations -----------------------------------------------------------------------------------------------------

// The page of events contains stored events; later events wait for the follower.
Task<Result<hub::EventTextPage>> PageFollowing::open(std::string conversation, std::uint64_t after, std::size_t limit) {
  const hub::Conversation* row = hub_.find(conversation);
  if (row == nullptr) {
    PARLANCE_CO_TRY_DO(co_await hub_.look_for(conversation));
    row = hub_.find(conversation);
  }
  if (row == nullptr) co_return fail(Errc::not_found, "no such conversation: " + conversation);
  close(conversation);
  const std::uint64_t last = row->last_seq;
  const auto opened = std::make_shared<Opened>(hub_, conversation, last, changed_);
  opened_.push_back(opened);
  auto page = co_await hub_.events<hub::EventText>(std::move(conversation), after, last + 1, limit);
  if (opened->closed) co_return fail(Errc::cancelled, "the conversation was closed or opened again meanwhile");
  if (!page) {
    close(*opened->conversation);
    co_return page;
  }
  opened->reading = false;
  changed_.notify_all();
  page->last_seq = last;
  co_return page;
}

// Drops gathered events too: a repeated `open` returns them in its page of events.
void PageFollowing::close(std::string_view conversation) {
  for (const auto& opened : opened_) opened->closed = opened->closed || *opened->conversation == conversation;
  std::erase_if(opened_, [](const auto& entry) { return entry->closed; });
  std::erase_if(pending, [&](const PagePiece& piece) {
    const auto* event = std::get_if<PageEvent>(&piece);
    return event != nullptr && *event->conversation == conversation;
  });
}

void PageFollowing::forget() {
  for (const auto& opened : opened_) opened->closed = true;
  opened_.clear();
  pending.clear();
}

// ---- events ------------------------------------------------------------------------------------------------------------

bool PageFollowing::anything() const {
  return watcher_->queued() != 0 || std::ranges::any_of(opened_, [](const auto& opened) { return opened->can_gather(); });
}

bool PageFollowing::lost() const {
  return std::ranges::any_of(pending, [](const PagePiece& piece) {
    const auto* change = std::get_if<hub::ChangePtr>(&piece);
    return change != nullptr && std::holds_alternative<hub::change::Resync>(**change);
  });
}

// Events precede their effects: the conversation's row and the ask.
Task<void> PageFollowing::gather(std::size_t most_bytes) {
  while (!anything()) co_await changed_.wait();
  for (const std::shared_ptr<Opened>& opened : std::vector(opened_)) co_await gather_events(opened, most_bytes);
  if (watcher_->queued() == 0) co_return;
  for (hub::ChangePtr& change : co_await watcher_->next()) pending.emplace_back(std::move(change));
}

Task<void> PageFollowing::gather_events(std::shared_ptr<Opened> opened, std::size_t most_bytes) {
  if (!opened->can_gather()) co_return;
  auto batch = co_await opened->follower.next(most_bytes);
  if (opened->closed) co_return;
  if (batch) {
    for (hub::EventPtr& event : batch->events)
      pending.push_back(PageEvent{.conversation = opened->conversation, .event = std::move(event)});
  } else if (batch.error().code == Errc::not_found) {
    close(*opened->conversation);  // the conversation is deleted, as the hub's changes report
  } else {
    log(LogLevel::warn, "a page gets no events of a conversation for the moment", {{"why", batch.error().message}});
    opened->failed = true;
    // No event is lost: the next call reads them again. Other conversations and the hub's changes do not wait.
    opened->retry.start([](Opened& of, Signal& changed_signal) -> Task<void> {
      co_await sleep_for(changed_signal.loop(), limits::store_retry);
      of.failed = false;
      changed_signal.notify_all();
    }(*opened, changed_));
  }
}

}  // namespace parlance::face

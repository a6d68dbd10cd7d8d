// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/push/hub_over_push.h"

#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::face {
namespace {

// One notification for any number of requests: the service keeps the newest of a topic for an unreachable browser.
constexpr std::string_view topic = "parlance-waiting";
constexpr std::chrono::milliseconds look_every{500};
constexpr std::chrono::hours lives{12};  // after a night a person looks at the page anyway

std::string text_of(std::size_t waiting) {
  json::Object text;
  text.set("waiting", static_cast<std::int64_t>(waiting));
  return json::to_text(json::Value(std::move(text)));
}

}  // namespace

PushNotifier::PushNotifier(Loop& loop, hub::UserHub hub, push::Subscriptions& subscriptions, push::Sender& sender,
                           PushNotifierSettings settings)
    : loop_(loop),
      hub_(std::move(hub)),
      subscriptions_(subscriptions),
      sender_(sender),
      settings_(std::move(settings)),
      scope_(loop) {}
PushNotifier::~PushNotifier() = default;

// Requests from before the start were notified by the earlier run.
void PushNotifier::start() {
  for (const hub::Ask& ask : open_asks(hub_)) known_.insert(ask.id);
  scope_.start(listen());
}

Task<void> PushNotifier::listen() {
  const auto watcher = hub_.watch();
  for (;;) {
    for (const hub::ChangePtr& change : co_await watcher->next()) take(*change);
    if (fresh_.empty()) continue;
    if (co_await is_unseen(*watcher)) notify();
    fresh_.clear();
  }
}

Task<bool> PushNotifier::is_unseen(hub::Watcher& watcher) {
  TimePoint since = loop_.now();
  auto long_enough = settings_.patience;
  while (still_waits()) {
    if (settings_.is_page_visible()) {
      since = loop_.now();
      long_enough = settings_.after_page_visible;
    } else if (loop_.now() - since >= long_enough) {
      co_return true;
    }
    co_await sleep_for(loop_, std::min(settings_.patience, look_every));
    if (!still_waits()) break;  // requests that arrived meanwhile have their own patience
    if (watcher.queued() != 0)
      for (const hub::ChangePtr& change : co_await watcher.next()) take(*change);
  }
  co_return false;
}

void PushNotifier::take(const hub::Change& change) {
  if (const auto* changed = std::get_if<hub::change::AskChanged>(&change)) return take(changed->ask);
  if (!std::holds_alternative<hub::change::Resync>(change)) return;
  for (const hub::Ask& ask : open_asks(hub_)) take(ask);
}

void PushNotifier::take(const hub::Ask& ask) {
  if (ask.state == hub::AskState::open && is_own(ask) && known_.insert(ask.id).second) fresh_.insert(ask.id);
  else if (ask.state != hub::AskState::open && ask.state != hub::AskState::orphaned) known_.erase(ask.id);
}

bool PushNotifier::still_waits() const {
  return std::ranges::any_of(fresh_, [&](const std::string& id) { return hub_.find_ask(id) != nullptr; });
}

// For shared conversations of others, their owner is notified instead.
bool PushNotifier::is_own(const hub::Ask& ask) const {
  const hub::Conversation* const where = hub_.find(ask.conversation);
  return where != nullptr && hub_.is_own(*where);
}

std::size_t PushNotifier::waiting() const {
  const std::vector<hub::Ask> all = open_asks(hub_);
  return static_cast<std::size_t>(std::ranges::count_if(all, [&](const hub::Ask& ask) { return is_own(ask); }));
}

void PushNotifier::notify() {
  const std::string text = text_of(waiting());
  for (const push::Subscription& subscription : subscriptions_.all()) {
    if (subscription.user.value_or("") != hub_.caller()->user) continue;
    Scope::Handle& running = on_their_way_[subscription.id];
    running.cancel();
    running = scope_.start(send(subscription.id, text));
  }
}

Task<void> PushNotifier::send(std::string browser, std::string text) {
  const auto wanted = [this] { return waiting() != 0; };
  const auto sent =
      co_await sender_.send(browser, {.text = std::move(text), .topic = std::string(topic), .lives = lives}, wanted);
  ++(sent ? statistics_.accepted : statistics_.failed);
  if (!sent) log(LogLevel::warn, "a browser could not be notified of a waiting request", {{"why", sent.error().message}});
}

}  // namespace parlance::face

// SPDX-License-Identifier: Apache-2.0
#include "parlance/push/subscriptions.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "parlance/base/base64url.h"
#include "parlance/base/sha256.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/transport/private_file.h"

namespace parlance::push {
namespace {

constexpr std::size_t longest_name = 120;  // a line of a list
constexpr std::size_t id_characters = 16;

std::string id_of(std::string_view endpoint) { return "push_" + sha256_hex(endpoint).substr(0, id_characters); }

}  // namespace

Result<BrowserKeys> keys_of(const Subscription& subscription) {
  auto point = from_base64url(subscription.p256dh);
  auto secret = from_base64url(subscription.auth);
  if (!point || !secret) return fail(Errc::invalid_params, "p256dh and auth are base64url");
  BrowserKeys keys{.p256dh = *std::move(point), .auth = *std::move(secret)};
  PARLANCE_TRY_DO(check_keys(keys));
  return keys;
}

Subscriptions::Subscriptions(Loop& loop, std::string state_folder, PushServices services)
    : path_(std::move(state_folder) + "/push_subscriptions.json"), services_(std::move(services)), worker_(loop, "push") {}

Result<void> Subscriptions::load() {
  std::error_code missing;
  if (!std::filesystem::exists(path_, missing)) return {};
  std::ifstream file(path_, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto read = file ? json::from_text<std::vector<Subscription>>(text) : fail(Errc::failed, "the file is unreadable");
  if (!read)
    return fail(Errc::failed, path_ + ": " + read.error().message + "; remove the file, and subscribe the browsers again");
  all_ = *std::move(read);
  return {};
}

const Subscription* Subscriptions::find(std::string_view id) const {
  const auto found = std::ranges::find(all_, id, &Subscription::id);
  return found == all_.end() ? nullptr : &*found;
}

Task<Result<void>> Subscriptions::add(Subscription wanted) {
  PARLANCE_CO_TRY_DO(services_.check(wanted.endpoint));
  PARLANCE_CO_TRY_DO(keys_of(wanted));
  wanted.id = id_of(wanted.endpoint);
  wanted.name = std::string(utf8_prefix(wanted.name, longest_name));
  const auto same = std::ranges::find(all_, wanted.id, &Subscription::id);
  if (same != all_.end()) {
    if (same->p256dh == wanted.p256dh && same->auth == wanted.auth && same->name == wanted.name && same->user == wanted.user)
      co_return Result<void>{};
    wanted.created_at = same->created_at;
    *same = std::move(wanted);
  } else if (std::ranges::count(all_, wanted.user, &Subscription::user) >= most_subscriptions) {
    co_return fail(Errc::overloaded,
                   std::to_string(most_subscriptions) + " browsers are subscribed already; remove an unused browser");
  } else {
    all_.push_back(std::move(wanted));
  }
  co_return co_await keep();
}

Task<Result<void>> Subscriptions::remove(std::string id) {
  if (std::erase_if(all_, [&](const Subscription& subscription) { return subscription.id == id; }) == 0) co_return Result<void>{};
  co_return co_await keep();
}

Task<Result<void>> Subscriptions::notified(std::string id, WallTime when) {
  const auto found = std::ranges::find(all_, id, &Subscription::id);
  if (found == all_.end()) co_return Result<void>{};
  found->notified_at = to_rfc3339(when);
  co_return co_await keep();
}

Task<Result<void>> Subscriptions::keep() {
  co_return co_await worker_.run([path = path_, text = json::to_text(all_) + "\n"] { return write_private_file(path, text); });
}

}  // namespace parlance::push

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

Result<Subscriptions::List> Subscriptions::read(const std::string& path) {
  std::error_code missing;
  if (!std::filesystem::exists(path, missing)) return List{};
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto list = file ? json::from_text<List>(text) : fail(Errc::failed, "the file is unreadable");
  if (!list)
    return fail(Errc::failed, path + ": " + list.error().message + "; remove the file, and subscribe the browsers again");
  return list;
}

Result<void> Subscriptions::load() {
  PARLANCE_TRY(list, read(path_));
  all_ = std::move(list);
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
  co_return co_await change([wanted = std::move(wanted)](List& list) mutable -> Result<void> {
    const auto same = std::ranges::find(list, wanted.id, &Subscription::id);
    if (same == list.end() && std::ranges::count(list, wanted.user, &Subscription::user) >= most_subscriptions)
      return fail(Errc::overloaded,
                  std::to_string(most_subscriptions) + " browsers are subscribed already; remove an unused browser");
    if (same == list.end()) {
      list.push_back(std::move(wanted));
    } else if (same->p256dh != wanted.p256dh || same->auth != wanted.auth || same->name != wanted.name ||
               same->user != wanted.user) {
      wanted.created_at = same->created_at;
      *same = std::move(wanted);
    }
    return {};
  });
}

Task<Result<void>> Subscriptions::remove(std::string id) {
  return change([id = std::move(id)](List& list) -> Result<void> {
    std::erase_if(list, [&](const Subscription& subscription) { return subscription.id == id; });
    return {};
  });
}

Task<Result<void>> Subscriptions::notified(std::string id, WallTime when) {
  return change([id = std::move(id), when](List& list) -> Result<void> {
    if (const auto found = std::ranges::find(list, id, &Subscription::id); found != list.end())
      found->notified_at = to_rfc3339(when);
    return {};
  });
}

Task<Result<void>> Subscriptions::change(std::function<Result<void>(List&)> apply) {
  PARLANCE_CO_TRY(list, co_await worker_.run([path = path_, apply = std::move(apply)]() -> Result<List> {
    PARLANCE_TRY(lock, FileLock::take(path + ".lock"));
    PARLANCE_TRY(stored, read(path));
    const List before = stored;
    PARLANCE_TRY_DO(apply(stored));
    if (stored != before) PARLANCE_TRY_DO(write_private_file(path, json::to_text(stored) + "\n"));
    return stored;
  }));
  all_ = std::move(list);
  co_return Result<void>{};
}

}  // namespace parlance::push

// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/chat_folders.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/store/hub/hub_fork.h"
#include "parlance/store/hub/hub_usage.h"
#include "parlance/transport/private_file.h"

namespace parlance::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_of_gateway = 1000;  // newest conversations of its store
constexpr std::string_view agent_by_command = "acp";

std::vector<std::string> folders_in(const std::string& state) {
  std::vector<std::string> folders;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(state + "/chats", none)) folders.push_back(entry.path().string());
  return folders;
}

// A conversation that a terminal of this machine can continue.
bool is_shown(const hub::Conversation& conversation) {
  return conversation.last_seq != 0 && !conversation.via && !conversation.runner && !conversation.user;
}

void add_newest(std::vector<StoredChat>& all, const std::string& folder, std::size_t most) {
  auto found = store::newest_conversations(folder, most);
  if (!found) return;
  for (hub::Conversation& conversation : *found)
    if (is_shown(conversation)) all.push_back({.conversation = std::move(conversation), .folder = folder});
}

bool is_in_use(const std::string& folder) {
  const auto lock = FileLock::try_take(folder + "/hub.lock");
  return !lock || !*lock;
}

Result<void> remove_if_empty(const std::string& folder) {
  PARLANCE_TRY(left, store::newest_conversation(folder));
  if (left) return {};
  std::error_code failed;
  fs::remove_all(folder, failed);
  if (failed) return fail(Errc::failed, failed.message());
  return {};
}

Result<void> take_in(const std::string& state, const StoredChat& chat) {
  PARLANCE_TRY_DO(store::move_conversation(chat.folder, state, chat.conversation.id));
  return remove_if_empty(chat.folder);
}

}  // namespace

std::string chat_folder(const std::string& state, const std::string& id) { return state + "/chats/" + id; }

std::vector<std::string> hub_folders(const std::string& state) {
  std::vector<std::string> all = folders_in(state);
  std::ranges::sort(all);  // ids sort by creation time
  all.insert(all.begin(), state);
  return all;
}

std::vector<StoredChat> stored_chats(const std::string& state) {
  std::vector<StoredChat> all;
  for (const std::string& folder : folders_in(state)) add_newest(all, folder, 1);
  add_newest(all, state, most_of_gateway);
  std::ranges::stable_sort(all, std::greater{}, [](const StoredChat& chat) { return chat.conversation.updated_at; });
  return all;
}

std::vector<hub::SearchHit> search_chats(const std::string& state, const std::string& words) {
  std::vector<hub::SearchHit> hits = store::newest_matches(state, words, most_of_gateway).value_or(std::vector<hub::SearchHit>{});
  for (const std::string& folder : folders_in(state))
    if (auto found = store::newest_matches(folder, words, 1); found && !found->empty()) hits.push_back(std::move(found->front()));
  return hits;
}

// The store of the gateway keeps the sums of a conversation that a chat took out; the sums of the chat are newer.
Result<store::Usage> usage_of_all(const std::string& state, const std::string& since) {
  PARLANCE_TRY(all, store::read_usage(state, since));
  std::map<std::pair<std::string, std::string>, hub::SpentOn> sums;
  const auto add = [&sums](std::vector<hub::SpentOn> rows) {
    for (hub::SpentOn& row : rows) sums.insert_or_assign({row.day, row.conversation}, std::move(row));
  };
  add(std::exchange(all.spent, {}));
  for (const std::string& folder : folders_in(state))
    if (auto usage = store::read_usage(folder, since)) {
      add(std::move(usage->spent));
      all.titles.merge(usage->titles);
    }
  for (auto& [key, row] : sums) all.spent.push_back(std::move(row));
  return all;
}

Result<void> take_out_chat(const std::string& state, const std::string& id) {
  return store::move_conversation(state, chat_folder(state, id), id);
}

std::size_t take_in_chats(const std::string& state) {
  std::size_t taken = 0;
  const std::vector<std::string> folders = folders_in(state);
  if (folders.empty() || is_in_use(state)) return taken;
  for (const std::string& folder : folders) {
    std::vector<StoredChat> chats;
    add_newest(chats, folder, 1);
    if (is_in_use(folder)) continue;
    if (chats.empty()) {
      static_cast<void>(remove_if_empty(folder));  // of a chat that ended before its conversation was stored
      continue;
    }
    if (chats.front().conversation.agent == agent_by_command) continue;
    if (const auto moved = take_in(state, chats.front()); moved) ++taken;
    else
      log(LogLevel::warn, "a chat of a terminal stays outside the gateway", {{"folder", folder}, {"why", moved.error().message}});
  }
  return taken;
}

}  // namespace parlance::app

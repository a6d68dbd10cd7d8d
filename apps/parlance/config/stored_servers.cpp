// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/stored_servers.h"

#include <algorithm>

#include "parlance/codec/json/typed.h"
#include "parlance/oauth/address.h"
#include "parlance/transport/private_file.h"

namespace parlance::app {
namespace {

constexpr std::size_t most_file_bytes = 256 << 10;
constexpr std::size_t most_servers = 100;
constexpr std::size_t longest_name = 64;  // characters; tool names begin with the name

}  // namespace

bool is_mcp_server_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

Result<std::vector<StoredMcpServer>> StoredMcpServers::load() const {
  PARLANCE_TRY(text, read_private_file(path_, most_file_bytes));
  if (!text) return std::vector<StoredMcpServer>{};
  auto all = json::from_text<std::vector<StoredMcpServer>>(*text);
  if (!all) return fail(all.error().in(path_ + ": correct or remove the file"));
  return all;
}

Result<void> StoredMcpServers::change(const std::function<Result<void>(std::vector<StoredMcpServer>&)>& edit) const {
  PARLANCE_TRY(lock, FileLock::take(path_ + ".lock"));
  PARLANCE_TRY(all, load());
  const std::string before = json::to_text(all);
  PARLANCE_TRY_DO(edit(all));
  const std::string after = json::to_text(all);
  if (after == before) return {};
  return write_private_file(path_, after + "\n");
}

Result<void> StoredMcpServers::add(std::string name, std::string url) const {
  if (!is_mcp_server_name(name) || name.size() > longest_name)
    return fail(Errc::invalid_params, "a name has at most 64 letters, digits, - and _");
  PARLANCE_TRY_DO(oauth::parse_address(url));
  return change([&](std::vector<StoredMcpServer>& all) -> Result<void> {
    const auto same = std::ranges::find(all, name, &StoredMcpServer::name);
    if (same != all.end() && !same->url.empty())
      return fail(Errc::invalid_params, "a server " + name + " is stored already. Remove it first, or use another name");
    if (all.size() >= most_servers) return fail(Errc::overloaded, "100 servers are stored. Remove an unused server first");
    if (same != all.end()) all.erase(same);
    all.push_back({.name = std::move(name), .url = std::move(url)});
    return {};
  });
}

Result<bool> StoredMcpServers::remove(const std::string& name) const {
  bool is_removed = false;
  PARLANCE_TRY_DO(change([&](std::vector<StoredMcpServer>& all) -> Result<void> {
    is_removed = std::erase_if(all, [&](const StoredMcpServer& stored_mcp_server) {
                   return stored_mcp_server.name == name && !stored_mcp_server.url.empty();
                 }) != 0;
    return {};
  }));
  return is_removed;
}

Result<void> StoredMcpServers::pause(const std::string& name, bool paused) const {
  return change([&](std::vector<StoredMcpServer>& all) -> Result<void> {
    auto found = std::ranges::find(all, name, &StoredMcpServer::name);
    if (found == all.end()) found = all.insert(all.end(), {.name = name});
    found->paused = paused ? std::optional(true) : std::nullopt;
    if (!paused && found->url.empty()) all.erase(found);
    return {};
  });
}

}  // namespace parlance::app

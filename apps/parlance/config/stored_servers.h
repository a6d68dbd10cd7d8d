// SPDX-License-Identifier: Apache-2.0
// MCP servers that a person added without editing parlance.toml, and the paused ones of all servers: `mcp_servers.json` of the state
// folder, with mode 0600. Only addresses are stored: a program starts only from a file that a person wrote or trusted. Blocks for a
// small file; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/wire/describe.h"

namespace parlance::app {

// Letters, digits, - and _.
bool is_mcp_server_name(std::string_view name);

struct StoredMcpServer {
  std::string name{};
  std::string url{};             // Empty: the server is of parlance.toml.
  std::optional<bool> paused{};  // Absent: no.
  static constexpr auto wire =
      wire::fields(wire::field<&StoredMcpServer::name>("name", "Name of the server."),
                   wire::field<&StoredMcpServer::url>("url", "Address. Empty: the server is of parlance.toml.").or_default(),
                   wire::field<&StoredMcpServer::paused>("paused", "True: not connected."));
};

class StoredMcpServers {
 public:
  explicit StoredMcpServers(const std::string& state_folder) : path_(state_folder + "/mcp_servers.json") {}
  Result<std::vector<StoredMcpServer>> load() const;
  // Errors: invalid_params for a malformed name or address, or a stored name.
  Result<void> add(std::string name, std::string url) const;
  // False: no stored server has the name.
  Result<bool> remove(const std::string& name) const;
  Result<void> pause(const std::string& name, bool paused) const;

 private:
  // Loads, changes and saves under a lock, so that two writers keep both changes. An error of `edit` leaves the file as it is.
  Result<void> change(const std::function<Result<void>(std::vector<StoredMcpServer>&)>& edit) const;
  std::string path_;
};

}  // namespace parlance::app

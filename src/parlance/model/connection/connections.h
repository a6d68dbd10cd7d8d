// SPDX-License-Identifier: Apache-2.0
// Stored connections to language models: vendor, address, dialect, model and key, in one file of the state folder.
//
// `models.json`, mode 0600:
//   {"version":1,"chosen":"openai","connections":[{"name":"openai","vendor":"openai","url":"https://api.openai.com/v1",
//    "dialect":"openai","model":"gpt-5","key":"…"}]}
// Each fault of the file is an error with its place and a remedy; no reader continues with a part of the file. Texts of errors
// never contain a key. Blocks; any thread or process.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/model/settings.h"

namespace parlance::model {

struct Connection {
  std::string name{};        // 1 to 64 characters of a-z, 0-9, '.', '-', '_'
  std::string vendor{};      // id of vendors.h
  std::string url{};         // without user, password and query
  Kind kind = Kind::openai;  // dialect; never rehearsal
  std::string model{};       // Empty: the default of the vendor, or the first model of a local server.
  // At most one of the three. All empty: the server needs no key.
  std::string key{};
  std::string key_file{};      // Absolute path of a private file with the key; each reader opens it again.
  std::string key_variable{};  // Name of the environment variable with the key, in the process that talks to the server.
  bool unencrypted = false;    // The person permitted http:// to another machine.
  bool has_key() const { return !key.empty() || !key_file.empty() || !key_variable.empty(); }
  friend bool operator==(const Connection&, const Connection&) = default;
};

struct Connections {
  std::vector<Connection> all{};
  std::string chosen{};  // Name of the used connection; empty only if there is none.

  const Connection* find(std::string_view name) const;     // or null
  const Connection* used() const { return find(chosen); }  // or null
  void put(Connection connection);                         // Replaces the connection of this name, key included.
  bool remove(std::string_view name);                      // False: unknown. The first remaining connection is chosen.
  friend bool operator==(const Connections&, const Connections&) = default;
};

// Errors: invalid_params; the message begins with the name of the faulty member.
Result<void> check_connection(const Connection& connection);

// Errors: invalid_params, with the place in the document.
Result<Connections> parse_connections(std::string_view text);
std::string to_text(const Connections& connections);

inline constexpr std::string_view connections_file = "models.json";  // in the state folder
std::string connections_path(const std::string& state_folder);

// Without a file: no connections. Errors: denied (other users may read the file, or own it), invalid_params (contents).
Result<Connections> read_connections(const std::string& state_folder);

// Reads, changes and replaces the file under a lock, so that two writers lose nothing. An error of `change` leaves the file as
// it is. The state folder exists.
Result<void> change_connections(const std::string& state_folder, const std::function<Result<void>(Connections&)>& change);

// The connection with the key of its key_file or key_variable in `key`, and without these two. Errors, without the connection's
// name: an unreadable or empty file, a file open to other users, a missing or empty variable.
Result<Connection> load_key(Connection connection);

// The settings of make_model. The key comes from the connection alone, never from another variable of the environment.
// Precondition: load_key.
ModelSettings settings_of(const Connection& connection);

}  // namespace parlance::model

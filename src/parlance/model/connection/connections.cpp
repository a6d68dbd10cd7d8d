// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/connections.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/connection/vendors.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/transport/private_file.h"

namespace parlance::model {
namespace {

constexpr std::int64_t version = 1;
constexpr std::size_t longest_file = 256 << 10;  // bytes; a connection has 300
constexpr std::size_t longest_name = 64;
constexpr std::size_t longest_text = 4096;  // of a URL, a model name or a key

Error wrong(std::string text) { return {.code = Errc::invalid_params, .message = std::move(text)}; }

bool is_plain(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; });
}

bool is_variable(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return text.size() <= longest_text && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= longest_name && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
  });
}

// The members of an object with their expected types. Unknown members are errors, because a later version may give them a
// meaning that this version would ignore.
class Members {
 public:
  Members(const json::Value& value, std::string place) : place_(std::move(place)) {
    object_ = value.object();
    if (object_ == nullptr) fault_ = place_ + " is no object";
  }
  std::string text(std::string_view name, bool required = true) {
    const json::Value* const value = take(name, required);
    if (value == nullptr) return "";
    if (value->text() == nullptr) return fault(name, "is no text"), "";
    return *value->text();
  }
  bool flag(std::string_view name) {
    const json::Value* const value = take(name, false);
    if (value == nullptr) return false;
    if (value->boolean() == nullptr) return fault(name, "is neither true nor false"), false;
    return *value->boolean();
  }
  const json::Value* take(std::string_view name, bool required) {
    known_.emplace_back(name);
    const json::Value* const value = object_ == nullptr ? nullptr : object_->find(name);
    if (value == nullptr && required) fault(name, "is missing");
    return value;
  }
  void fault(std::string_view name, std::string_view what) {
    if (fault_.empty()) fault_ = (place_.empty() ? "" : place_ + ".") + std::string(name) + " " + std::string(what);
  }
  Result<void> finish() {
    if (object_ != nullptr)
      for (const auto& [name, value] : object_->members)
        if (std::ranges::find(known_, name) == known_.end()) fault(printable(name, {}), "is unknown to this version");
    if (!fault_.empty()) return fail(wrong(fault_));
    return {};
  }

 private:
  std::string place_;
  const json::Object* object_ = nullptr;
  std::vector<std::string> known_;
  std::string fault_;
};

Result<Connection> connection_in(const json::Value& value, const std::string& place) {
  Members members(value, place);
  Connection connection{.name = members.text("name"),
                        .vendor = members.text("vendor"),
                        .url = members.text("url"),
                        .model = members.text("model", false),
                        .key = members.text("key", false),
                        .key_file = members.text("key_file", false),
                        .key_variable = members.text("key_variable", false),
                        .unencrypted = members.flag("unencrypted")};
  const auto kind = kind_from(members.text("dialect"));
  if (!kind || *kind == Kind::rehearsal) members.fault("dialect", "is neither openai nor anthropic");
  PARLANCE_TRY_DO(members.finish());
  connection.kind = *kind;
  if (auto good = check_connection(connection); !good) return fail(wrong(place + "." + good.error().message));
  return connection;
}

json::Value json_of(const Connection& connection) {
  json::Object object;
  object.set("name", connection.name);
  object.set("vendor", connection.vendor);
  object.set("url", connection.url);
  object.set("dialect", std::string(to_string(connection.kind)));
  if (!connection.model.empty()) object.set("model", connection.model);
  if (!connection.key.empty()) object.set("key", connection.key);
  if (!connection.key_file.empty()) object.set("key_file", connection.key_file);
  if (!connection.key_variable.empty()) object.set("key_variable", connection.key_variable);
  if (connection.unencrypted) object.set("unencrypted", true);
  return {std::move(object)};
}

Result<void> check_key(const Connection& connection) {
  if (connection.key.size() > longest_text || !is_plain(connection.key))
    return fail(wrong("key contains blanks or control characters: copy the key again"));
  if (!connection.key_file.empty() && (connection.key_file.front() != '/' || connection.key_file.size() > longest_text))
    return fail(wrong("key_file is no absolute path: give the path from the root folder"));
  if (!connection.key_file.empty() && !connection.key.empty())
    return fail(wrong("key_file stands beside a key: remove one of both"));
  if (connection.key_variable.empty()) return {};
  if (!is_variable(connection.key_variable))
    return fail(wrong("key_variable is no name of a variable: give letters, digits and '_', such as OPENAI_API_KEY"));
  if (!connection.key.empty() || !connection.key_file.empty())
    return fail(wrong("key_variable stands beside a key or a key_file: remove one of both"));
  return {};
}

Result<void> check_url(const Connection& connection) {
  const auto parts = split_url(connection.url);
  if (!parts || connection.url.size() > longest_text)
    return fail(wrong("url is no address of a server: give http://HOST[:PORT][/PATH] or https://…"));
  if (parts->origin.contains('@') || !parts->query.empty())
    return fail(wrong("url contains a user, a password or a query: give the address alone, and the key as a key"));
  if (!parts->secure && !is_loopback(parts->host) && !connection.unencrypted)
    return fail(
        wrong("url is http:// to another machine, where others can read the key and each message: give https://, or "
              "add --allow-http"));
  return {};
}

}  // namespace

const Connection* Connections::find(std::string_view name) const {
  const auto found = std::ranges::find(all, name, &Connection::name);
  return found == all.end() ? nullptr : &*found;
}

void Connections::put(Connection connection) {
  if (chosen.empty()) chosen = connection.name;
  const auto known = std::ranges::find(all, connection.name, &Connection::name);
  if (known == all.end()) all.push_back(std::move(connection));
  else *known = std::move(connection);
}

bool Connections::remove(std::string_view name) {
  if (std::erase_if(all, [&](const Connection& connection) { return connection.name == name; }) == 0) return false;
  if (find(chosen) == nullptr) chosen = all.empty() ? "" : all.front().name;
  return true;
}

Result<void> check_connection(const Connection& connection) {
  if (!is_name(connection.name))
    return fail(wrong("name has other characters than a-z, 0-9, '.', '-' and '_', or not 1 to 64 characters"));
  const Vendor* const vendor = find_vendor(connection.vendor);
  if (vendor == nullptr) {
    return fail(wrong("vendor \"" + printable(connection.vendor, {}) + "\" is unknown: choose from " + vendor_ids()));
  }
  if (connection.kind == Kind::rehearsal) return fail(wrong("dialect is neither openai nor anthropic"));
  PARLANCE_TRY_DO(check_url(connection));
  if (connection.model.size() > longest_text || !is_plain(connection.model))
    return fail(wrong("model contains blanks: give the model's id"));
  PARLANCE_TRY_DO(check_key(connection));
  if (vendor->needs_key() && !connection.has_key())
    return fail(wrong("key is missing: " + std::string(vendor->name) + " answers only with a key"));
  return {};
}

Result<Connections> parse_connections(std::string_view text) {
  const auto document = json::parse(text);
  if (!document) return fail(wrong("no JSON, " + document.error().message));
  Members members(*document, document->object() == nullptr ? "the document" : "");
  const json::Value* const number = members.take("version", true);
  std::int64_t is = 0;
  if (number != nullptr && (!number->integer(is) || is != version))
    members.fault("version", "is not 1, so another version wrote this file");
  Connections found{.chosen = members.text("chosen", false)};
  const json::Value* const list = members.take("connections", true);
  if (list != nullptr && list->array() == nullptr) members.fault("connections", "is no list");
  PARLANCE_TRY_DO(members.finish());
  for (std::size_t i = 0; i < list->array()->size(); ++i) {
    const std::string place = "connections[" + std::to_string(i) + "]";
    PARLANCE_TRY(connection, connection_in((*list->array())[i], place));
    if (found.find(connection.name) != nullptr) return fail(wrong(place + ".name repeats \"" + connection.name + "\""));
    found.all.push_back(std::move(connection));
  }
  if (found.all.empty() ? !found.chosen.empty() : found.used() == nullptr) return fail(wrong("chosen names no connection"));
  return found;
}

std::string to_text(const Connections& connections) {
  json::Object document;
  document.set("version", version);
  if (!connections.chosen.empty()) document.set("chosen", connections.chosen);
  json::Array list;
  for (const Connection& connection : connections.all) list.push_back(json_of(connection));
  document.set("connections", std::move(list));
  return json::to_text(json::Value(std::move(document))) + "\n";
}

std::string connections_path(const std::string& state_folder) { return state_folder + "/" + std::string(connections_file); }

Result<Connections> read_connections(const std::string& state_folder) {
  const std::string path = connections_path(state_folder);
  const auto text = read_private_file(path, longest_file);
  if (!text) return fail(Error(text.error()).in("the model connections cannot be used"));
  if (!*text) return Connections{};
  auto found = (*text)->empty() ? Result<Connections>(fail(wrong("the file is empty"))) : parse_connections(**text);
  if (found) return found;
  Error error = std::move(found).error();
  error.message = "the model connections in " + path + " cannot be used: " + error.message +
                  "; correct the file, or delete it and run parlance model add";
  return fail(std::move(error));
}

Result<void> change_connections(const std::string& state_folder, const std::function<Result<void>(Connections&)>& change) {
  PARLANCE_TRY(lock, FileLock::take(state_folder + "/models.lock"));
  PARLANCE_TRY(connections, read_connections(state_folder));
  const Connections before = connections;
  PARLANCE_TRY_DO(change(connections));
  if (connections == before) return {};
  return write_private_file(connections_path(state_folder), to_text(connections));
}

Result<Connection> load_key(Connection connection) {
  constexpr std::string_view another = ", or store another key with parlance model add";
  if (!connection.key_file.empty()) {
    auto key = find_api_key(connection.kind, {}, connection.key_file);
    if (!key) {
      Error error = std::move(key).error().in("the key cannot be read");
      error.message.append("; start the program that provides the file, such as VS Code").append(another);
      return fail(std::move(error));
    }
    connection.key = std::move(key->text);
    connection.key_file.clear();
  } else if (!connection.key_variable.empty()) {
    const char* const value = std::getenv(connection.key_variable.c_str());
    connection.key = trim(value == nullptr ? "" : value);
    if (connection.key.empty())
      return fail(Errc::not_found, "the key cannot be read: the environment has no variable " + connection.key_variable +
                                       "; start parlance again from an environment with it" + std::string(another));
    connection.key_variable.clear();
  }
  PARLANCE_TRY_DO(check_connection(connection));
  return connection;
}

ModelSettings settings_of(const Connection& connection) {
  const Vendor* const vendor = find_vendor(connection.vendor);
  // The client knows a default model only for the vendor's own address, which it takes for an empty URL.
  const bool is_vendors_own = vendor != nullptr && vendor->has_default_model && vendor->url == connection.url;
  return {.kind = connection.kind,
          .url = is_vendors_own ? "" : connection.url,
          .name = connection.model,
          .key = {.text = connection.key, .origin = connection.key.empty() ? "" : "the model connection " + connection.name}};
}

}  // namespace parlance::model

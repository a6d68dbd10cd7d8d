// SPDX-License-Identifier: Apache-2.0
// Connections to language models (model/connection/connections.h). A key reaches the gateway in a request and never returns to a
// page. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

struct ModelVendor {
  std::string id{};
  std::string name{};
  std::string url{};
  std::string dialect{};
  bool needs_key = false;
  static constexpr auto wire =
      fields(field<&ModelVendor::id>("id", "Id of the vendor."), field<&ModelVendor::name>("name", "Name for people."),
             field<&ModelVendor::url>("url", "Address of the API. Empty: the person gives an address."),
             field<&ModelVendor::dialect>("dialect", "Protocol of the API: openai or anthropic."),
             field<&ModelVendor::needs_key>("needs_key", "Whether the vendor answers only with a key."));
};
struct ModelConnection {
  std::string name{};
  std::string vendor{};
  std::string url{};
  std::string dialect{};
  std::string model{};
  bool has_key = false;
  bool used = false;
  static constexpr auto wire = fields(
      field<&ModelConnection::name>("name", "Name of the connection."),
      field<&ModelConnection::vendor>("vendor", "Id of the vendor."), field<&ModelConnection::url>("url", "Address of the API."),
      field<&ModelConnection::dialect>("dialect", "Protocol of the API: openai or anthropic."),
      field<&ModelConnection::model>("model", "Id of the model. Empty: the default of the server."),
      field<&ModelConnection::has_key>("has_key", "Whether a key is stored. No message contains the key."),
      field<&ModelConnection::used>("used", "Whether the built-in agent uses this connection."));
};
struct FoundModel {
  std::string vendor{};
  std::string url{};
  std::vector<std::string> models{};
  std::string key_variable{};
  static constexpr auto wire = fields(
      field<&FoundModel::vendor>("vendor", "Id of the vendor."), field<&FoundModel::url>("url", "Address of the API."),
      field<&FoundModel::models>("models", "Ids of the models of a server on the gateway's machine."),
      field<&FoundModel::key_variable>("key_variable", "Name of the gateway's environment variable with a key. Empty: none."));
};
struct ModelsValue {
  std::vector<ModelVendor> vendors{};
  std::vector<ModelConnection> connections{};
  std::vector<FoundModel> found{};
  std::string fixed_by{};
  static constexpr auto wire =
      fields(field<&ModelsValue::vendors>("vendors", "Known vendors and local servers."),
             field<&ModelsValue::connections>("connections", "All stored connections of the gateway."),
             field<&ModelsValue::found>("found",
                                        "Models found without a stored connection, best first. Only in the answer to `models`."),
             field<&ModelsValue::fixed_by>("fixed_by", "Setting with precedence over connections, for people. Empty: none."));
};
struct GivenConnection {
  std::string name{};
  std::string vendor{};
  std::string url{};
  std::string dialect{};
  std::string model{};
  std::optional<std::string> key{};
  std::optional<std::string> key_variable{};
  std::optional<bool> unencrypted{};
  static constexpr auto wire = fields(
      field<&GivenConnection::name>("name", "Name: 1 to 64 characters of a-z, 0-9, '.', '-' and '_'."),
      field<&GivenConnection::vendor>("vendor", "Id of the vendor."), field<&GivenConnection::url>("url", "Address of the API."),
      field<&GivenConnection::dialect>("dialect", "Protocol of the API: openai or anthropic."),
      field<&GivenConnection::model>("model", "Id of the model. Empty: the default of the server."),
      field<&GivenConnection::key>(
          "key", "Key of the API. Absent: the stored key of this name, if the connection has the same address; otherwise none."),
      field<&GivenConnection::key_variable>(
          "key_variable", "Instead of `key`: a usual variable of the vendor, for the vendor's own address only."),
      field<&GivenConnection::unencrypted>("unencrypted", "Permits http:// to another machine. Default: false."));
};

// The gateway has these requests if its capabilities contain "models".
struct GetModels {
  static constexpr std::string_view tag = "models";
  using Value = ModelsValue;
  std::string request{};
  static constexpr auto wire = fields(field<&GetModels::request>("request", request_doc::request));
};
struct ModelIds {
  std::vector<std::string> ids{};
  static constexpr auto wire = fields(field<&ModelIds::ids>("ids", "Ids of the models of the server."));
};
struct ListModels {
  static constexpr std::string_view tag = "list_models";
  using Value = ModelIds;
  std::string request{};
  GivenConnection connection{};
  static constexpr auto wire = fields(field<&ListModels::request>("request", request_doc::request),
                                      field<&ListModels::connection>("connection", "The server to ask. Nothing is stored."));
};
struct TestedModel {
  std::int64_t latency_ms = 0;
  std::string model{};
  static constexpr auto wire =
      fields(field<&TestedModel::latency_ms>("latency_ms", "Milliseconds from the request to the end of the answer."),
             field<&TestedModel::model>("model", "The server's name of the model."));
};
struct TestModel {
  static constexpr std::string_view tag = "test_model";
  using Value = TestedModel;
  std::string request{};
  GivenConnection connection{};
  static constexpr auto wire =
      fields(field<&TestModel::request>("request", request_doc::request),
             field<&TestModel::connection>("connection", "Receives the smallest possible chat. Nothing is stored."));
};
struct SaveModel {
  static constexpr std::string_view tag = "save_model";
  using Value = ModelsValue;
  std::string request{};
  GivenConnection connection{};
  static constexpr auto wire = fields(
      field<&SaveModel::request>("request", request_doc::request),
      field<&SaveModel::connection>("connection", "Stored and used from the next turn on. Replaces a connection of this name."));
};
struct RemoveModel {
  static constexpr std::string_view tag = "remove_model";
  using Value = ModelsValue;
  std::string request{};
  std::string name{};
  static constexpr auto wire = fields(field<&RemoveModel::request>("request", request_doc::request),
                                      field<&RemoveModel::name>("name", "Name of the connection. Removes the key, too."));
};

}  // namespace parlance::page

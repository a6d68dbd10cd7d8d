// SPDX-License-Identifier: Apache-2.0
// parlance model: stored connections to language models. A running agent uses a change from its next turn on. Blocks; main
// thread.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/own_model.h"
#include "apps/parlance/model/model_key.h"
#include "apps/parlance/remote/gateway.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/value.h"
#include "parlance/model/connection/connections.h"
#include "parlance/model/connection/detect.h"
#include "parlance/model/connection/probe.h"
#include "parlance/model/connection/vendors.h"
#include "parlance/protocol/page/model_messages.h"

namespace parlance::app {
namespace {

struct ModelOptions {
  std::string vendor;
  std::string name;
  std::string url;
  std::string dialect;
  std::string model;
  std::string key_variable;     // an environment variable, whose name the connection keeps; empty: none
  std::string key_file;         // path of a private file, which the connection keeps; empty: none
  bool key_from_stdin = false;  // the whole of stdin, without blanks at its ends
  bool allow_http = false;
  bool keep_chosen = false;
  bool json = false;
  GatewayFlags gateway;
};

void print_latency(const std::string& connection, std::int64_t milliseconds, const std::string& model) {
  std::printf("%s answers in %lld ms (%s).\n", visible_line(connection).c_str(), static_cast<long long>(milliseconds),
              visible_line(model).c_str());
}

Result<model::Connection> connection_of(const ModelOptions& wanted) {
  const model::Vendor* const vendor = model::find_vendor(wanted.vendor);
  if (vendor == nullptr)
    return fail(Errc::invalid_params, "\"" + wanted.vendor + "\" is no known vendor: choose from " + model::vendor_ids());
  model::Connection made{.name = wanted.name.empty() ? wanted.vendor : wanted.name,
                         .vendor = wanted.vendor,
                         .url = wanted.url.empty() ? std::string(vendor->url) : wanted.url,
                         .kind = wanted.dialect.empty() ? vendor->kind : *model::kind_from(wanted.dialect),
                         .model = wanted.model,
                         .unencrypted = wanted.allow_http};
  if (made.url.empty()) return fail(Errc::invalid_params, "--url is missing: give the address of the server");
  if (made.model.empty() && vendor->needs_key() && !vendor->has_default_model)
    return fail(Errc::invalid_params, "--model is missing: " + std::string(vendor->name) +
                                          " has no usual model; give the id of a model from the vendor's list");
  // Before the question for the key: an error afterwards would lose the typed key.
  model::Connection with_key = made;
  with_key.key = "key";
  PARLANCE_TRY_DO(model::check_connection(with_key));
  if (!wanted.key_file.empty() || !wanted.key_variable.empty()) {
    std::error_code unknown;
    if (!wanted.key_file.empty()) made.key_file = std::filesystem::absolute(wanted.key_file, unknown).lexically_normal().string();
    made.key_variable = wanted.key_variable;
    PARLANCE_TRY_DO(model::check_connection(made));
    if (wanted.gateway.wanted() && made.key_file.empty()) return made;  // a variable of the gateway
    PARLANCE_TRY(loaded, model::load_key(made));                        // A missing key is reported now, not by the next turn.
    return wanted.gateway.wanted() ? loaded : made;
  }
  if (vendor->place == model::Place::this_machine && !wanted.key_from_stdin) return made;
  PARLANCE_TRY(key, read_key(wanted.key_from_stdin, vendor->needs_key(), std::string(vendor->name)));
  made.key = std::move(key);
  PARLANCE_TRY_DO(model::check_connection(made));
  return made;
}

// ---- at a gateway

page::GivenConnection to_page(const model::Connection& connection) {
  page::GivenConnection given{.name = connection.name,
                              .vendor = connection.vendor,
                              .url = connection.url,
                              .dialect = std::string(to_string(connection.kind)),
                              .model = connection.model};
  if (!connection.key.empty()) given.key = connection.key;
  if (!connection.key_variable.empty()) given.key_variable = connection.key_variable;
  if (connection.unencrypted) given.unencrypted = true;
  return given;
}

struct KnownModels {
  model::Connections stored{};
  std::vector<model::FoundModel> found{};
};

Result<KnownModels> models_at(const Settings& settings, const GatewayFlags& gateway) {
  PARLANCE_TRY(value, request_at(settings, gateway, page::GetModels{}));
  KnownModels known;
  for (page::ModelConnection& connection : value.connections) {
    if (connection.used) known.stored.chosen = connection.name;
    known.stored.all.push_back({.name = std::move(connection.name),
                                .vendor = std::move(connection.vendor),
                                .url = std::move(connection.url),
                                .kind = model::kind_from(connection.dialect).value_or(model::Kind::openai),
                                .model = std::move(connection.model),
                                .key = connection.has_key ? "stored" : ""});  // the gateway sends no key
  }
  for (page::FoundModel& found : value.found)
    known.found.push_back({.vendor = std::move(found.vendor),
                           .url = std::move(found.url),
                           .models = std::move(found.models),
                           .key_variable = std::move(found.key_variable)});
  return known;
}

// The key stays at the gateway, so the request has none. An empty name: the connection in use.
Result<page::GivenConnection> connection_at(const Settings& settings, const ModelOptions& wanted) {
  PARLANCE_TRY(value, request_at(settings, wanted.gateway, page::GetModels{}));
  for (page::ModelConnection& known : value.connections)
    if (wanted.name.empty() ? known.used : known.name == wanted.name)
      return page::GivenConnection{.name = std::move(known.name),
                                   .vendor = std::move(known.vendor),
                                   .url = std::move(known.url),
                                   .dialect = std::move(known.dialect),
                                   .model = std::move(known.model)};
  return fail(Errc::not_found, "the gateway has no model connection \"" + wanted.name + "\": parlance model list prints all");
}

int add_at(const Settings& settings, const ModelOptions& wanted, const model::Connection& made) {
  if (wanted.keep_chosen)
    return complain({.code = Errc::invalid_params, .message = "--keep-used: a gateway uses a stored connection at once"},
                    ExitCode::usage);
  const auto saved = request_at(settings, wanted.gateway, page::SaveModel{.connection = to_page(made)});
  if (!saved) return complain(saved.error());
  std::printf("Stored the model connection %s (%s) at the gateway.\n", made.name.c_str(), made.url.c_str());
  return ExitCode::done;
}

int test_at(const Settings& settings, const ModelOptions& wanted) {
  const auto given = connection_at(settings, wanted);
  if (!given) return complain(given.error());
  const auto tested = request_at(settings, wanted.gateway, page::TestModel{.connection = *given});
  if (!tested) return complain(tested.error().in("the model connection " + given->name));
  print_latency(given->name, tested->latency_ms, tested->model);
  return ExitCode::done;
}

int use_at(const Settings& settings, const ModelOptions& wanted) {
  const auto given = connection_at(settings, wanted);
  if (!given) return complain(given.error());
  const auto saved = request_at(settings, wanted.gateway, page::SaveModel{.connection = *given});
  return saved ? ExitCode::done : complain(saved.error());
}

int remove_at(const Settings& settings, const ModelOptions& wanted) {
  const auto removed = request_at(settings, wanted.gateway, page::RemoveModel{.name = wanted.name});
  return removed ? ExitCode::done : complain(removed.error());
}

// ---- here

int add(const Settings& settings, const ModelOptions& wanted) {
  auto made = connection_of(wanted);
  if (!made) return complain(Error(made.error()).in("parlance model add"), ExitCode::usage);
  if (wanted.gateway.wanted()) return add_at(settings, wanted, *made);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error());
  const auto stored = model::change_connections(state_folder(settings), [&](model::Connections& all) -> Result<void> {
    if (!wanted.keep_chosen) all.chosen = made->name;
    all.put(*made);
    return {};
  });
  if (!stored) return complain(stored.error());
  std::printf(
      "Stored the model connection %s (%s). A running agent uses the connection from its next turn on.\n"
      "Test: parlance model test %s\n",
      made->name.c_str(), made->url.c_str(), made->name.c_str());
  if (!made->key_variable.empty())
    std::printf("Note: models.json has the name of %s, not the key. Start a running parlance again if it has no such variable.\n",
                made->key_variable.c_str());
  if (!follows_connections(settings))
    std::printf("Note: \"model\" is set (%s) and has precedence over stored connections.\n", settings["model"].origin.c_str());
  return ExitCode::done;
}

json::Value json_of(const model::Connection& connection, bool used) {
  json::Object object;
  object.set("name", connection.name);
  object.set("vendor", connection.vendor);
  object.set("url", connection.url);
  object.set("dialect", std::string(to_string(connection.kind)));
  object.set("model", connection.model);
  object.set("has_key", connection.has_key());
  object.set("used", used);
  return {std::move(object)};
}

json::Value json_of(const model::FoundModel& found_model) {
  json::Object object;
  object.set("vendor", found_model.vendor);
  object.set("url", found_model.url);
  json::Array models;
  for (const std::string& id : found_model.models) models.emplace_back(id);
  object.set("models", std::move(models));
  object.set("key_variable", found_model.key_variable);
  return {std::move(object)};
}

void print_json(const model::Connections& stored, const std::vector<model::FoundModel>& found) {
  json::Array connections;
  for (const model::Connection& connection : stored.all)
    connections.push_back(json_of(connection, connection.name == stored.chosen));
  json::Array others;
  for (const model::FoundModel& model : found) others.push_back(json_of(model));
  json::Object all;
  all.set("connections", std::move(connections));
  all.set("found", std::move(others));
  std::printf("%s\n", visible_json(json::to_text(json::Value(std::move(all)))).c_str());
}

void print_found(const model::FoundModel& found_model) {
  const std::string vendor = visible_line(found_model.vendor);
  const std::string variable = visible_line(found_model.key_variable);
  if (!variable.empty())
    std::printf("  %-16s key in %s; to use it: parlance model add %s --key-env %s\n", vendor.c_str(), variable.c_str(),
                vendor.c_str(), variable.c_str());
  else if (!found_model.models.empty())
    std::printf("  %-16s %s; to use it: parlance model add %s --model %s\n", vendor.c_str(),
                visible_line(found_model.url).c_str(), vendor.c_str(), visible_line(found_model.models.front()).c_str());
}

// Found models of vendors with a stored connection are known already.
std::vector<model::FoundModel> found_besides(const model::Connections& stored) {
  Loop loop;
  std::vector<model::FoundModel> found = loop.block_on(model::find_models(loop, environment_variable));
  std::erase_if(found, [&](const model::FoundModel& found_model) {
    return std::ranges::find(stored.all, found_model.url, &model::Connection::url) != stored.all.end();
  });
  return found;
}

std::string key_text(const model::Connection& connection) {
  if (!connection.key_file.empty()) return "key in " + visible_line(connection.key_file);
  if (!connection.key_variable.empty()) return "key in variable " + connection.key_variable;
  return connection.key.empty() ? "no key" : "key stored";
}

Result<KnownModels> models_here(const Settings& settings) {
  PARLANCE_TRY(stored, model::read_connections(state_folder(settings)));
  auto found = found_besides(stored);
  return KnownModels{.stored = std::move(stored), .found = std::move(found)};
}

int list(const Settings& settings, const ModelOptions& wanted) {
  const auto known = wanted.gateway.wanted() ? models_at(settings, wanted.gateway) : models_here(settings);
  if (!known) return complain(known.error());
  const auto& [stored, found] = *known;
  if (wanted.json) {
    print_json(stored, found);
    return ExitCode::done;
  }
  for (const model::Connection& connection : stored.all)
    std::printf(
        "%s %-16s %-12s %s  %s  %s\n", connection.name == stored.chosen ? "*" : " ", visible_line(connection.name).c_str(),
        visible_line(connection.vendor).c_str(), visible_line(connection.url).c_str(),
        connection.model.empty() ? "(default model)" : visible_line(connection.model).c_str(), key_text(connection).c_str());
  if (stored.all.empty()) std::puts("No model connections. To store a connection: parlance model add VENDOR");
  if (!found.empty())
    std::puts(wanted.gateway.wanted() ? "Found at the gateway, not stored:" : "Found on this machine, not stored:");
  for (const model::FoundModel& model : found) print_found(model);
  return ExitCode::done;
}

// The connection with this name; an empty name: the connection in use.
Result<model::Connection> stored_connection(const Settings& settings, const std::string& name) {
  PARLANCE_TRY(stored, model::read_connections(state_folder(settings)));
  const model::Connection* const found = name.empty() ? stored.used() : stored.find(name);
  if (found != nullptr) return *found;
  if (name.empty()) return fail(Errc::not_found, "no model connection is stored: run parlance model add VENDOR");
  return fail(Errc::not_found, "unknown model connection \"" + name + "\": parlance model list prints all");
}

int test(const Settings& settings, const ModelOptions& wanted) {
  if (wanted.gateway.wanted()) return test_at(settings, wanted);
  const auto connection = stored_connection(settings, wanted.name);
  if (!connection) return complain(connection.error());
  Loop loop;
  const auto tested = loop.block_on(model::test_connection(loop, *connection));
  if (!tested) return complain(tested.error().in("the model connection " + connection->name));
  print_latency(connection->name, tested->latency.count(), tested->model);
  return ExitCode::done;
}

Result<std::vector<std::string>> ids_at(const Settings& settings, const ModelOptions& wanted) {
  PARLANCE_TRY(given, connection_at(settings, wanted));
  PARLANCE_TRY(value, request_at(settings, wanted.gateway, page::ListModels{.connection = std::move(given)}));
  return std::move(value.ids);
}

Result<std::vector<std::string>> ids_here(const Settings& settings, const std::string& name) {
  PARLANCE_TRY(connection, stored_connection(settings, name));
  Loop loop;
  return loop.block_on(model::models_of(loop, std::move(connection)));
}

int print_ids(const Settings& settings, const ModelOptions& wanted) {
  const auto ids = wanted.gateway.wanted() ? ids_at(settings, wanted) : ids_here(settings, wanted.name);
  if (!ids) return complain(ids.error());
  for (const std::string& id : *ids) std::printf("%s\n", visible_line(id).c_str());
  return ExitCode::done;
}

// Changes the stored connections. Errors: not_found, no connection has this name.
int change(const Settings& settings, const std::string& name, void (*change_it)(model::Connections&, const std::string&)) {
  const auto done = model::change_connections(state_folder(settings), [&](model::Connections& all) -> Result<void> {
    if (all.find(name) == nullptr)
      return fail(Errc::not_found, "unknown model connection \"" + name + "\": parlance model list prints all");
    change_it(all, name);
    return {};
  });
  return done ? ExitCode::done : complain(done.error());
}

}  // namespace

Action declare_model_add(CLI::App& app) {
  auto wanted = std::make_shared<ModelOptions>();
  app.add_option("vendor", wanted->vendor, "Vendor or local server: " + model::vendor_ids() + ".")->required();
  app.add_option("--name", wanted->name, "Name of the connection. Default: the vendor.")->type_name("NAME");
  app.add_option("--url", wanted->url, "Address of the server. Default: the vendor's own.")->type_name("URL");
  app.add_option("--dialect", wanted->dialect, "Protocol of the server. Default: the vendor's own; openai for other.")
      ->check(CLI::IsMember({"openai", "anthropic"}));
  app.add_option("--model", wanted->model, "Id of the model. Default: the vendor's usual model, or the first of a local server.")
      ->type_name("ID");
  auto* const variable =
      app.add_option("--key-env", wanted->key_variable,
                     "Store the name of this environment variable in place of the key. parlance reads the variable at use.")
          ->type_name("NAME");
  auto* const file =
      app.add_option(
             "--key-file", wanted->key_file,
             "Store the path of this private file (mode 0600) in place of the key. Changes of the file apply from the next turn on.")
          ->type_name("PATH")
          ->excludes(variable);
  app.add_flag("--key-stdin", wanted->key_from_stdin, "Read the key from stdin. Default: ask for it in the terminal.")
      ->excludes(variable)
      ->excludes(file);
  app.add_flag("--allow-http", wanted->allow_http, "Permit http:// to another machine, where others can read key and messages.");
  app.add_flag("--keep-used", wanted->keep_chosen, "Keep the present connection in use.");
  declare_gateway_flags(app, wanted->gateway, false);
  return [wanted](const Settings& settings, const Words&) { return add(settings, *wanted); };
}

Action declare_model_list(CLI::App& app) {
  auto wanted = std::make_shared<ModelOptions>();
  app.add_flag("--json", wanted->json, "Print one JSON document for programs.");
  declare_gateway_flags(app, wanted->gateway, false);
  return [wanted](const Settings& settings, const Words&) { return list(settings, *wanted); };
}

Action declare_model_ids(CLI::App& app) {
  auto wanted = std::make_shared<ModelOptions>();
  app.add_option("name", wanted->name, "Name of the connection. Default: the used one.");
  declare_gateway_flags(app, wanted->gateway, false);
  return [wanted](const Settings& settings, const Words&) { return print_ids(settings, *wanted); };
}

Action declare_model_test(CLI::App& app) {
  auto wanted = std::make_shared<ModelOptions>();
  app.add_option("name", wanted->name, "Name of the connection. Default: the used one.");
  declare_gateway_flags(app, wanted->gateway, false);
  return [wanted](const Settings& settings, const Words&) { return test(settings, *wanted); };
}

Action declare_model_use(CLI::App& app) {
  auto wanted = std::make_shared<ModelOptions>();
  declare_gateway_flags(app, wanted->gateway, false);
  app.add_option("name", wanted->name, "Name of the connection.")->required();
  return [wanted](const Settings& settings, const Words&) {
    if (wanted->gateway.wanted()) return use_at(settings, *wanted);
    return change(settings, wanted->name, [](model::Connections& all, const std::string& name) { all.chosen = name; });
  };
}

Action declare_model_remove(CLI::App& app) {
  auto wanted = std::make_shared<ModelOptions>();
  declare_gateway_flags(app, wanted->gateway, false);
  app.add_option("name", wanted->name, "Name of the connection.")->required();
  return [wanted](const Settings& settings, const Words&) {
    if (wanted->gateway.wanted()) return remove_at(settings, *wanted);
    return change(settings, wanted->name, [](model::Connections& all, const std::string& name) { all.remove(name); });
  };
}

}  // namespace parlance::app

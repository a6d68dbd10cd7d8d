// SPDX-License-Identifier: Apache-2.0
// A client that uses everything on a server: lists all entries, calls every tool, reads the resources, fills in the prompts. For
// the conformance suite (its URL is the last argument) and for the SDKs' servers (`fixture_client -- COMMAND…`). Prints a line
// for each step and ends with 0 after success.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include "parlance/base/secret.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/oauth/authorization.h"
#include "parlance/protocol/mcp/connect.h"
#include "parlance/protocol/mcp/sse_frames.h"
#include "parlance/transport/stdio.h"

namespace {

using namespace parlance;

int failures = 0;

void report(std::string_view step, const Result<std::string>& result) {
  if (!result) ++failures;
  std::cout << step << ": " << (result ? *result : "failed: " + result.error().message) << '\n' << std::flush;
}

template <class T>
Result<std::string> count_of(const Result<std::vector<T>>& list) {
  if (!list) return std::unexpected(list.error());
  return std::to_string(list->size());
}
template <class R, class T>
Result<std::string> count_of(const Result<R>& result, std::optional<std::vector<T>> R::* list) {
  if (!result) return std::unexpected(result.error());
  return std::to_string(((*result).*list).value_or(std::vector<T>{}).size());
}

// A value for a property, so that any tool can be called.
json::Value some_value(const json::Value& schema) {
  const std::string_view type = schema.text_or("type", "string");
  if (const json::Value* fixed = schema.find("default")) return *fixed;
  if (const json::Value* choices = schema.find("enum");
      choices != nullptr && choices->array() != nullptr && !choices->array()->empty())
    return choices->array()->front();
  if (type == "integer" || type == "number") return 5;
  if (type == "boolean") return true;
  if (type == "array") return json::Array{};
  if (type == "object") return json::Object{};
  return "test";
}

std::string some_arguments(const mcp::Tool& tool) {
  json::Object arguments;
  const auto schema = json::parse(tool.input_schema.json);
  const json::Value* properties = schema ? schema->find("properties") : nullptr;
  if (properties != nullptr && properties->object() != nullptr)
    for (const auto& [name, property] : properties->object()->members) arguments.set(name, some_value(property));
  return json::to_text(json::Value(std::move(arguments)));
}

mcp::ClientSettings settings() {
  mcp::ClientSettings made{.info = {.name = "parlance-fixture-client", .version = "1.0.0"}};
  const char* version = std::getenv("MCP_CONFORMANCE_PROTOCOL_VERSION");
  if (version != nullptr && std::string_view(version) != "2026-07-28") made.era = mcp::Era::legacy;
  made.handlers.elicit = [](mcp::ElicitParams) -> Task<Result<mcp::ElicitResult>> {
    co_return mcp::ElicitResult{.action = mcp::ElicitAction::accept, .content = {"{}"}};
  };
  made.handlers.sample = [](mcp::CreateMessageParams) -> Task<Result<mcp::CreateMessageResult>> {
    mcp::CreateMessageResult result{.model = "none"};
    result.content.json = R"({"type":"text","text":"a model would say this"})";
    co_return result;
  };
  made.handlers.roots = []() -> Task<Result<mcp::ListRootsResult>> {
    mcp::ListRootsResult result;
    result.roots.push_back({.uri = "file:///tmp", .name = "tmp"});
    co_return result;
  };
  return made;
}

Task<void> call(mcp::Client& client, std::string name, std::string arguments) {
  int steps = 0;
  const auto result = co_await client.call_tool(name, {arguments}, {.progress = [&steps](const mcp::Progress&) { ++steps; }});
  if (!result) report("tools/call " + name, std::unexpected(result.error()));
  else
    report("tools/call " + name, (result->is_error.value_or(false) ? "isError " : "") + mcp::readable(*result) +
                                     (steps == 0 ? "" : " (progress " + std::to_string(steps) + ")"));
}

Task<void> use_tools(mcp::Client& client) {
  auto tools = co_await client.list_tools();
  report("tools/list", count_of(tools));
  if (!tools) co_return;
  const char* context = std::getenv("MCP_CONFORMANCE_CONTEXT");
  const auto wanted = json::parse(context == nullptr ? "null" : context);
  const json::Value* calls = wanted ? wanted->find("toolCalls") : nullptr;
  if (calls != nullptr && calls->array() != nullptr) {
    for (const json::Value& one : *calls->array())
      co_await call(client, std::string(one.text_or("name", "")), json::to_text(*one.find("arguments")));
    co_return;
  }
  std::string observed;
  for (const mcp::Tool& tool : *tools) {
    if (tool.name == "test_never_ends" || tool.name == "dies") continue;
    if (tool.name == "json_schema_2020_12_tool") observed = tool.input_schema.json;
    // The suite wants to see the received schema of another tool.
    const bool echo = tool.name.find("echo") != std::string::npos && tool.name.find("schema") != std::string::npos;
    co_await call(client, tool.name, echo ? R"({"schema":)" + observed + "}" : some_arguments(tool));
  }
}

// A server that ends during a call.
Task<void> outlive(mcp::Client& client) {
  const auto result = co_await client.call_tool("dies", {"{}"});
  if (result) report("tools/call dies", fail(Errc::failed, "it did not"));
  else std::cout << "the server is gone: " << result.error().message << '\n' << std::flush;
}

Task<void> use_resources(mcp::Client& client) {
  const auto resources = co_await client.list_resources();
  report("resources/list", count_of(resources));
  if (!resources) co_return;
  for (const mcp::Resource& resource : *resources) {
    const auto read = co_await client.read_resource(resource.uri);
    report("resources/read " + resource.uri, count_of(read, &mcp::ReadResourceResult::contents));
  }
}

Task<void> use_prompts(mcp::Client& client) {
  const auto prompts = co_await client.list_prompts();
  report("prompts/list", count_of(prompts));
  if (!prompts) co_return;
  for (const mcp::Prompt& prompt : *prompts) {
    std::map<std::string, std::string> arguments;
    for (const auto& argument : prompt.arguments.value_or(std::vector<mcp::PromptArgument>{})) arguments[argument.name] = "test";
    const auto got = co_await client.get_prompt(prompt.name, arguments);
    report("prompts/get " + prompt.name, count_of(got, &mcp::GetPromptResult::messages));
  }
}

// The credentials of the suite, and a person whose browser follows the redirect of the login page at once.
oauth::AuthorizationSettings login(const std::string& url) {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const json::Value given = json::parse_or_null(variable("MCP_CONFORMANCE_CONTEXT"));
  const std::string scenario = variable("MCP_CONFORMANCE_SCENARIO");
  oauth::AuthorizationSettings made{
      .url = url,
      .client_id = std::string(given.text_or("client_id", "https://conformance-test.local/client-metadata.json")),
      .client_secret = std::string(given.text_or("client_secret", "")),
      .is_service = scenario.starts_with("auth/client-credentials") || scenario.starts_with("auth/wif"),
      .client_key = std::string(given.text_or("private_key_pem", ""))};
  if (const std::string_view token = given.text_or("valid_jwt", ""); !token.empty()) {
    made.workload_file = std::filesystem::temp_directory_path() / make_id("workload-");
    std::ofstream(made.workload_file) << token << '\n';
  }
  return made;
}

std::shared_ptr<HttpAuthorizer> authorizer(Loop& loop, oauth::AuthorizationSettings made, HttpClient& browser) {
  made.open_page = [&browser](std::string page) -> Task<Result<void>> {
    HttpRequest request{.url = std::move(page)};
    PARLANCE_CO_TRY_DO(co_await browser.fetch(std::move(request)));
    co_return Result<void>{};
  };
  return std::make_shared<oauth::Authorization>(loop, std::move(made));
}

Task<void> use(Loop& loop, std::vector<std::string> command, std::string url, bool sse) {
  HttpClient browser(loop);
  const oauth::AuthorizationSettings suite = login(url);
  auto connected = sse               ? co_await mcp::connect_http(loop, {.url = url, .way = mcp::HttpWay::sse}, settings())
                   : command.empty() ? co_await mcp::connect_http(
                                           loop, {.url = url, .authorizer = authorizer(loop, suite, browser)}, settings())
                                     : co_await mcp::connect_child(loop, {.command = command}, settings());
  if (!suite.workload_file.empty()) std::filesystem::remove(suite.workload_file);
  if (!connected) {
    report("connect", std::unexpected(connected.error()));
    co_return;
  }
  mcp::Client& client = **connected;
  report("connect", client.version() + " " + client.server_info().name);
  // The suite's servers sometimes expect undeclared requests, or lack declared features.
  const char* named = std::getenv("MCP_CONFORMANCE_SCENARIO");
  const std::string_view scenario = named == nullptr ? "" : named;
  const bool all = scenario == "request-metadata";
  if (scenario == "json-schema-ref-no-deref") {
    report("tools/list", count_of(co_await client.list_tools()));
    co_await client.close();
    co_return;
  }
  if (client.capabilities().tools || all) co_await use_tools(client);
  if (client.capabilities().resources) co_await use_resources(client);
  if (client.capabilities().prompts) co_await use_prompts(client);
  if (client.server_info().name.starts_with("sdk-")) co_await outlive(client);
  co_await client.close();
}

}  // namespace

int main(int count, char** arguments) {
  fill_standard_descriptors();
  std::vector<std::string> command;
  const bool child = count > 2 && std::string_view(arguments[1]) == "--";
  if (child) command.assign(arguments + 2, arguments + count);
  else if (count < 2) return 2;
  Loop loop;
  const bool sse = count > 2 && std::string_view(arguments[1]) == "--sse";  // the transport of 2024-11-05
  loop.block_on(use(loop, command, child ? "" : arguments[count - 1], sse));
  return failures == 0 ? 0 : 1;
}

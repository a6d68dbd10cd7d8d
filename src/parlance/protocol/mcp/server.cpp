// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/server.h"

#include <algorithm>

#include "parlance/base/base64.h"
#include "parlance/base/log.h"
#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/schema/json_schema.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/limits.h"

namespace parlance::mcp {
namespace {

Session& session_of(Context& context) { return static_cast<Session&>(context.peer); }

// One page of a list and the cursor to the next: "LIST:N" as base64, opaque to clients.
struct Page {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::optional<std::string> next{};
};
Result<Page> page_of(std::string_view list, const std::optional<std::string>& cursor, std::size_t count, std::size_t size) {
  Page page;
  if (cursor) {
    const auto text = from_base64(*cursor);
    const std::string prefix = std::string(list) + ':';
    const auto at = text && text->starts_with(prefix) ? parse_number<std::size_t>(std::string_view(*text).substr(prefix.size()))
                                                      : std::nullopt;
    if (!at) return fail(Errc::invalid_params, "the cursor is none of this list");
    page.begin = std::min(*at, count);
  }
  page.end = std::min(page.begin + size, count);
  if (page.end < count) page.next = to_base64(std::string(list) + ':' + std::to_string(page.end));
  return page;
}

template <class R>
R complete_result(R result, const Session& session) {
  if (session.era() == Era::modern) result.result_type = "complete";
  return result;
}
template <class R>
R cached_result(R result, const Session& session, const ServerSettings& settings) {
  if (session.era() == Era::modern) {
    result.ttl_ms = settings.ttl_ms;
    result.cache_scope = settings.cache_scope;
  }
  return complete_result(std::move(result), session);
}
template <class R>
Result<R> input_required(Request& request) {
  R result;
  result.result_type = "input_required";
  PARLANCE_TRY(state, request.sealed_state());
  result.request_state = std::move(state);
  result.input_requests = request.needed();
  return result;
}

// Schemes are the same in any case (RFC 3986, 3.1).
std::string with_lower_scheme(std::string uri) {
  const std::size_t colon = std::min(uri.find_first_of(":/?#"), uri.size());
  if (colon != uri.size() && uri[colon] == ':') uri.replace(0, colon, to_lower(uri.substr(0, colon)));
  return uri;
}

Error resource_not_found(const std::string& uri, Era era) {
  json::Object data;
  data.set("uri", uri);
  return jsonrpc::with_code(era == Era::modern ? code::invalid_params : code::resource_not_found, "no such resource: " + uri,
                            json::to_text(json::Value(std::move(data))));
}

// Names the arguments to the model in the result, and to operators in the log. The values may be private and are left out.
void report_unknown_arguments(const Request& request, std::string_view tool, CallToolResult& result) {
  std::string names;
  for (const std::string& name : request.unknown_arguments()) names += (names.empty() ? "" : ", ") + name;
  if (names.empty()) return;
  result.content->push_back(text("Ignored, for " + std::string(tool) + " has no such argument: " + names));
  log(LogLevel::warn, "a tool was called with arguments that it does not have",
      {{"tool", std::string(tool)}, {"arguments", names}});
}

CallToolResult failed_result(const Error& error) {
  CallToolResult result;
  result.content.emplace().push_back(text(error.message));
  result.is_error = true;
  return result;
}

}  // namespace

Server::Server(Loop& loop, ServerSettings settings) : loop_(loop), settings_(std::move(settings)) {
  if (settings_.state_secret.empty()) settings_.state_secret = random_bytes(32);
  register_methods();
}

Task<Error> Server::serve(std::unique_ptr<Frames> frames) {
  Session session(loop_, *this, std::move(frames), router_);
  co_return co_await session.run();
}

void Server::register_methods() {
  // Reading copies the parameters out of the frame, so that a coroutine owns its data.
  router_.on(method::initialize, [this](const InitializeParams& p, Context& c) { return initialize(p, c); });
  router_.on(method::initialized, [this](const Notification&, Context&) {
    if (settings_.on_initialized) settings_.on_initialized();
  });
  router_.on(method::roots_changed, [](const Notification&, Context&) {});
  router_.on(method::discover, [this](const NoParams& p, Context& c) { return discover(p, c); });
  router_.on(method::ping, [](const NoParams& p, Context& c) -> Result<EmptyResult> {
    if (auto meta = session_of(c).admit(p.meta, Session::Known::legacy_only); !meta)
      return std::unexpected(std::move(meta).error());
    return EmptyResult{};
  });
  router_.on(method::set_level, [](const SetLevelParams& p, Context& c) -> Result<EmptyResult> {
    PARLANCE_TRY(meta, session_of(c).admit(p.meta, Session::Known::legacy_only));
    const int severity = log_severity(p.level);
    if (severity < 0) return fail(Errc::invalid_params, "$.level: no level of RFC 5424: " + p.level);
    session_of(c).log_severity = severity;
    return EmptyResult{};
  });
  router_.on(method::list_tools, [this](const ListParams& p, Context& c) { return list_tools(p, c); });
  router_.on(method::list_resources, [this](ListParams& p, Context& c) { return list_resources(std::move(p), c); });
  router_.on(method::list_templates, [this](const ListParams& p, Context& c) { return list_templates(p, c); });
  router_.on(method::list_prompts, [this](const ListParams& p, Context& c) { return list_prompts(p, c); });
  router_.on(method::call_tool, [this](CallToolParams& p, Context& c) { return call_tool(std::move(p), c); });
  router_.on(method::read_resource, [this](ReadResourceParams& p, Context& c) { return read_resource(std::move(p), c); });
  router_.on(method::get_prompt, [this](GetPromptParams& p, Context& c) { return get_prompt(std::move(p), c); });
  router_.on(method::complete, [this](CompleteParams& p, Context& c) { return complete(std::move(p), c); });
  router_.on(method::subscribe,
             [this](const SubscribeParams& p, Context& c) { return subscriptions_.subscribe(session_of(c), p, true); });
  router_.on(method::unsubscribe,
             [this](const SubscribeParams& p, Context& c) { return subscriptions_.subscribe(session_of(c), p, false); });
  router_.on(method::listen,
             [this](ListenParams& p, Context& c) { return subscriptions_.listen(session_of(c), c.id, std::move(p)); });
}

// ---- the registries ----------------------------------------------------------------------------------------------------------

const Tool* Server::find_tool(std::string_view name) const {
  for (const auto& entry : tools_)
    if (entry->what.name == name) return &entry->what;
  return nullptr;
}

void Server::add(Tool tool, ToolHandler handler) {
  if (tool.input_schema.json.empty()) tool.input_schema.json = R"({"type":"object"})";
  auto entry = std::make_shared<ToolEntry>(std::move(tool), std::move(handler));
  const auto found = std::find_if(tools_.begin(), tools_.end(), [&](const auto& e) { return e->what.name == entry->what.name; });
  if (found != tools_.end()) *found = std::move(entry);
  else tools_.push_back(std::move(entry));
  tools_changed();
}
void Server::add(Resource resource, ResourceHandler handler) {
  auto entry = std::make_shared<ResourceEntry>(std::move(resource), std::move(handler));
  const auto found =
      std::find_if(resources_.begin(), resources_.end(), [&](const auto& e) { return e->what.uri == entry->what.uri; });
  if (found != resources_.end()) *found = std::move(entry);
  else resources_.push_back(std::move(entry));
  resources_changed();
}
void Server::add(ResourceTemplate resource_template, TemplateHandler handler) {
  UriTemplate pattern(resource_template.uri_template);
  templates_.push_back(std::make_shared<TemplateEntry>(std::move(resource_template), std::move(pattern), std::move(handler)));
  resources_changed();
}
void Server::add(Prompt prompt, PromptHandler handler) {
  auto entry = std::make_shared<PromptEntry>(std::move(prompt), std::move(handler));
  const auto found =
      std::find_if(prompts_.begin(), prompts_.end(), [&](const auto& e) { return e->what.name == entry->what.name; });
  if (found != prompts_.end()) *found = std::move(entry);
  else prompts_.push_back(std::move(entry));
  prompts_changed();
}
bool Server::remove_tool(std::string_view name) {
  if (std::erase_if(tools_, [&](const auto& entry) { return entry->what.name == name; }) == 0) return false;
  tools_changed();
  return true;
}
bool Server::remove_resource(std::string_view uri) {
  if (std::erase_if(resources_, [&](const auto& entry) { return entry->what.uri == uri; }) == 0) return false;
  resources_changed();
  return true;
}
bool Server::remove_prompt(std::string_view name) {
  if (std::erase_if(prompts_, [&](const auto& entry) { return entry->what.name == name; }) == 0) return false;
  prompts_changed();
  return true;
}

ServerCapabilities Server::capabilities() const {
  ServerCapabilities can;
  can.logging.emplace();
  if (!tools_.empty()) can.tools = ListCapability{.list_changed = true};
  if (!resources_.empty() || !templates_.empty() || lister_)
    can.resources = ListCapability{.list_changed = true, .subscribe = true};
  if (!prompts_.empty()) can.prompts = ListCapability{.list_changed = true};
  if (complete_) can.completions.emplace();
  return can;
}

// ---- beginning and lists -------------------------------------------------------------------------------------------------------

Result<InitializeResult> Server::initialize(const InitializeParams& parameters, Context& context) {
  PARLANCE_TRY(version, session_of(context).begin_legacy(parameters));
  return InitializeResult{.protocol_version = std::move(version),
                          .capabilities = capabilities(),
                          .server_info = settings_.info,
                          .instructions = settings_.instructions};
}

Result<DiscoverResult> Server::discover(const NoParams& parameters, Context& context) {
  PARLANCE_TRY(meta, session_of(context).admit(parameters.meta, Session::Known::modern_only));
  DiscoverResult result{.supported_versions = {std::string(modern_version)},
                        .capabilities = capabilities(),
                        .instructions = settings_.instructions};
  result.meta.json = R"({"io.modelcontextprotocol/serverInfo":)" + json::to_text(settings_.info) + '}';
  return cached_result(std::move(result), session_of(context), settings_);
}

Result<ListToolsResult> Server::list_tools(const ListParams& parameters, Context& context) {
  Session& session = session_of(context);
  PARLANCE_TRY(meta, session.admit(parameters.meta, Session::Known::both));
  PARLANCE_TRY(page, page_of("tools", parameters.cursor, tools_.size(), settings_.page));
  ListToolsResult result{.next_cursor = std::move(page.next)};
  result.tools.reserve(page.end - page.begin);
  for (std::size_t i = page.begin; i < page.end; ++i) result.tools.push_back(tools_[i]->what);
  return cached_result(std::move(result), session, settings_);
}

Task<Result<ListResourcesResult>> Server::list_resources(ListParams parameters, Context& context) {
  Session& session = session_of(context);
  PARLANCE_CO_TRY(meta, session.admit(parameters.meta, Session::Known::both));
  std::vector<Resource> all;
  for (const auto& entry : resources_) all.push_back(entry->what);
  if (lister_) {
    Request request(session, context.id, std::move(meta), "resources/list");
    PARLANCE_CO_TRY(more, co_await lister_(request));
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  PARLANCE_CO_TRY(page, page_of("resources", parameters.cursor, all.size(), settings_.page));
  ListResourcesResult result{.next_cursor = std::move(page.next)};
  for (std::size_t i = page.begin; i < page.end; ++i) result.resources.push_back(std::move(all[i]));
  co_return cached_result(std::move(result), session, settings_);
}

Result<ListTemplatesResult> Server::list_templates(const ListParams& parameters, Context& context) {
  Session& session = session_of(context);
  PARLANCE_TRY(meta, session.admit(parameters.meta, Session::Known::both));
  PARLANCE_TRY(page, page_of("templates", parameters.cursor, templates_.size(), settings_.page));
  ListTemplatesResult result{.next_cursor = std::move(page.next)};
  for (std::size_t i = page.begin; i < page.end; ++i) result.templates.push_back(templates_[i]->what);
  return cached_result(std::move(result), session, settings_);
}

Result<ListPromptsResult> Server::list_prompts(const ListParams& parameters, Context& context) {
  Session& session = session_of(context);
  PARLANCE_TRY(meta, session.admit(parameters.meta, Session::Known::both));
  PARLANCE_TRY(page, page_of("prompts", parameters.cursor, prompts_.size(), settings_.page));
  ListPromptsResult result{.next_cursor = std::move(page.next)};
  for (std::size_t i = page.begin; i < page.end; ++i) result.prompts.push_back(prompts_[i]->what);
  return cached_result(std::move(result), session, settings_);
}

// ---- use ---------------------------------------------------------------------------------------------------------------------------

Task<Result<CallToolResult>> Server::call_tool(CallToolParams parameters, Context& context) {
  Session& session = session_of(context);
  PARLANCE_CO_TRY(meta, session.admit(parameters.meta, Session::Known::both));
  const auto found =
      std::find_if(tools_.begin(), tools_.end(), [&](const auto& entry) { return entry->what.name == parameters.name; });
  if (found == tools_.end()) co_return fail(Errc::invalid_params, "unknown tool: " + parameters.name);
  const std::shared_ptr<ToolEntry> tool = *found;
  Raw arguments = std::move(parameters.arguments);
  if (arguments.json.empty() || arguments.json == "null") arguments.json = "{}";
  if (arguments.json.front() != '{') co_return fail(Errc::invalid_params, "$.arguments: expected an object");
  Request request(session, context.id, std::move(meta), "tools/call " + parameters.name);
  request.named(parameters.name);
  PARLANCE_CO_TRY_DO(request.take_input(parameters.input_responses, parameters.request_state));
  Result<CallToolResult> result = co_await tool->handler(std::move(arguments), request);
  if (!result) {
    if (jsonrpc::exact_code(result.error())) co_return result;
    if (request.needs_input()) co_return input_required<CallToolResult>(request);
    result = failed_result(result.error());
  }
  if (!result->content) result->content.emplace();
  if (result->is_error.value_or(false)) request.failed();
  report_unknown_arguments(request, parameters.name, *result);
  co_return complete_result(*std::move(result), session);
}

Task<Result<ReadResourceResult>> Server::read_resource(ReadResourceParams parameters, Context& context) {
  Session& session = session_of(context);
  PARLANCE_CO_TRY(meta, session.admit(parameters.meta, Session::Known::both));
  parameters.uri = with_lower_scheme(std::move(parameters.uri));
  Request request(session, context.id, std::move(meta), "resources/read " + parameters.uri);
  request.named(parameters.uri);
  PARLANCE_CO_TRY_DO(request.take_input(parameters.input_responses, parameters.request_state));
  Result<std::vector<ResourceContents>> contents = fail(Errc::not_found, parameters.uri);
  const auto found =
      std::find_if(resources_.begin(), resources_.end(), [&](const auto& entry) { return entry->what.uri == parameters.uri; });
  if (found != resources_.end()) {
    const std::shared_ptr<ResourceEntry> resource = *found;
    contents = co_await resource->handler(parameters.uri, request);
  } else {
    const std::vector templates = templates_;  // a handler may add some
    for (const std::shared_ptr<TemplateEntry>& entry : templates) {
      auto variables = entry->pattern.match(parameters.uri);
      if (!variables) continue;
      contents = co_await entry->handler(parameters.uri, *std::move(variables), request);
      break;
    }
  }
  if (!contents) {
    if (jsonrpc::exact_code(contents.error())) co_return std::unexpected(std::move(contents).error());
    if (request.needs_input()) co_return input_required<ReadResourceResult>(request);
    if (contents.error().code == Errc::not_found) co_return fail(resource_not_found(parameters.uri, session.era()));
    co_return std::unexpected(std::move(contents).error());
  }
  co_return cached_result(ReadResourceResult{.contents = *std::move(contents)}, session, settings_);
}

Task<Result<GetPromptResult>> Server::get_prompt(GetPromptParams parameters, Context& context) {
  Session& session = session_of(context);
  PARLANCE_CO_TRY(meta, session.admit(parameters.meta, Session::Known::both));
  const auto found =
      std::find_if(prompts_.begin(), prompts_.end(), [&](const auto& entry) { return entry->what.name == parameters.name; });
  if (found == prompts_.end()) co_return fail(Errc::invalid_params, "unknown prompt: " + parameters.name);
  const std::shared_ptr<PromptEntry> prompt = *found;
  Variables arguments = std::move(parameters.arguments).value_or(Variables{});
  if (prompt->what.arguments)
    for (const PromptArgument& argument : *prompt->what.arguments)
      if (argument.required.value_or(false) && !arguments.contains(argument.name))
        co_return fail(Errc::invalid_params, "$.arguments." + argument.name + ": missing");
  Request request(session, context.id, std::move(meta), "prompts/get " + parameters.name);
  request.named(parameters.name);
  PARLANCE_CO_TRY_DO(request.take_input(parameters.input_responses, parameters.request_state));
  Result<GetPromptResult> result = co_await prompt->handler(std::move(arguments), request);
  if (!result) {
    if (!jsonrpc::exact_code(result.error()) && request.needs_input()) co_return input_required<GetPromptResult>(request);
    co_return result;
  }
  if (!result->description) result->description = prompt->what.description;
  co_return complete_result(*std::move(result), session);
}

Task<Result<CompleteResult>> Server::complete(CompleteParams parameters, Context& context) {
  Session& session = session_of(context);
  PARLANCE_CO_TRY(meta, session.admit(parameters.meta, Session::Known::both));
  CompleteResult result;
  if (complete_) {
    Request request(session, context.id, std::move(meta), "completion/complete");
    PARLANCE_CO_TRY(completion, co_await complete_(std::move(parameters), request));
    result.completion = std::move(completion);
    if (result.completion.values.size() > limits::mcp_completions) {
      result.completion.total = result.completion.total.value_or(result.completion.values.size());
      result.completion.values.resize(limits::mcp_completions);
      result.completion.has_more = true;
    }
  }
  co_return complete_result(std::move(result), session);
}

}  // namespace parlance::mcp

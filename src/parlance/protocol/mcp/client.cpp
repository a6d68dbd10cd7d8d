// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/client.h"

#include <algorithm>
#include <set>

#include "parlance/base/log.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/elicitation.h"
#include "parlance/protocol/mcp/limits.h"

namespace parlance::mcp {

Client::Client(Loop& loop, std::unique_ptr<Frames> frames, ClientSettings settings, std::function<Task<Error>(Error)> explain_end)
    : loop_(loop), settings_(std::move(settings)), scope_(loop) {
  begin(std::move(frames), nullptr, std::move(explain_end));
}

Client::Client(Loop& loop, HttpLinkSettings link, ClientSettings settings)
    : loop_(loop), settings_(std::move(settings)), link_(std::make_unique<HttpLink>(loop, std::move(link))), scope_(loop) {
  link_->mirror = [this](std::string_view tool, std::string_view arguments) { return mirrored(tool, arguments); };
  link_->on_new_session = [this] {
    for (const auto changed :
         {&ClientHandlers::tools_changed, &ClientHandlers::resources_changed, &ClientHandlers::prompts_changed})
      if (settings_.handlers.*changed) (settings_.handlers.*changed)();
  };
  auto route = std::make_shared<Route>();
  begin(link_->frames(route), route, {});
}

// References to the peer are destroyed first.
Client::~Client() {
  scope_.cancel();
  peer_->close();
}

void Client::begin(std::unique_ptr<Frames> frames, std::shared_ptr<Route> route, std::function<Task<Error>(Error)> explain_end) {
  register_handlers();
  peer_ = std::make_unique<Peer>(loop_, std::move(frames), dialect(std::move(route)), router_,
                                 PeerSettings{.call_timeout = settings_.call_time, .explain_end = std::move(explain_end)});
  scope_.start(run(*this));
}

Task<void> Client::run(Client& client) {
  client.ended_ = co_await client.peer_->run();
  if (client.on_end) client.on_end(*client.ended_);
}

void Client::register_handlers() {
  ClientHandlers& handlers = settings_.handlers;
  router_.on(method::ping, [](const NoParams&, Context&) -> Result<EmptyResult> { return EmptyResult{}; });
  if (handlers.elicit)
    router_.on(method::elicit, [&handlers](ElicitParams& p, Context&) -> Task<Result<ElicitResult>> {
      const Raw schema = p.requested_schema;
      PARLANCE_CO_TRY(result, co_await handlers.elicit(std::move(p)));
      if (result.action == ElicitAction::accept) result.content = with_defaults(schema, result.content);
      co_return result;
    });
  if (handlers.sample)
    router_.on(method::create_message, [&handlers](CreateMessageParams& p, Context&) { return handlers.sample(std::move(p)); });
  if (handlers.roots) router_.on(method::list_roots, [&handlers](const NoParams&, Context&) { return handlers.roots(); });

  router_.on(method::progress, [this](const Progress& p, Context&) {
    if (const auto found = progress_->find(p.token.json); found != progress_->end() && found->second) found->second(p);
  });
  router_.on(method::message, [&handlers](const LogMessage& m, Context&) {
    if (handlers.log) handlers.log(m);
  });
  router_.on(method::resource_updated, [&handlers](const ResourceUpdated& r, Context&) {
    if (handlers.resource_updated) handlers.resource_updated(r.uri);
  });
  const auto forward = [&](const wire::Notice<Notification>& notice, std::function<void()> ClientHandlers::* which) {
    router_.on(notice, [&handlers, which](const Notification&, Context&) {
      if (handlers.*which) (handlers.*which)();
    });
  };
  forward(method::tools_changed, &ClientHandlers::tools_changed);
  forward(method::resources_changed, &ClientHandlers::resources_changed);
  forward(method::prompts_changed, &ClientHandlers::prompts_changed);
}

// ---- beginning -------------------------------------------------------------------------------------------------------------------

ClientCapabilities Client::own_capabilities() const {
  ClientCapabilities can;
  if (settings_.handlers.roots) can.roots.json = "{}";
  if (settings_.handlers.sample) can.sampling.json = "{}";
  if (settings_.handlers.elicit) can.elicitation.json = settings_.handlers.elicits_urls ? R"({"form":{},"url":{}})" : "{}";
  return can;
}

Raw Client::envelope(const Raw& progress_token, bool modern) const {
  Meta meta{.progress_token = progress_token};
  if (modern) {
    meta.protocol_version = modern_version;
    meta.client_capabilities = own_capabilities();
    meta.client_info = settings_.info;
    if (!settings_.log_level.empty()) meta.log_level = settings_.log_level;
  } else if (progress_token.json.empty()) {
    return {};
  }
  return {json::to_text(meta)};
}

Task<Result<void>> Client::connect() {
  if (settings_.era != Era::legacy) {
    Result<void> found = co_await discover();
    if (found || settings_.era == Era::modern || ended_ || found.error().code == Errc::denied) co_return found;
    // Other errors can come from a server without the method, or from one that answers nothing before `initialize`.
    const Result<void> initialized = co_await initialize();
    if (initialized || ended_ || found.error().code != Errc::deadline_exceeded) co_return initialized;
    co_return co_await discover();  // a slow start, such as an installation by npx
  }
  co_return co_await initialize();
}

Task<Result<void>> Client::discover() {
  if (link_) link_->speak(Era::modern, std::string(modern_version));
  for (bool again = true;;) {
    Result<DiscoverResult> discovered =
        co_await peer_->call(method::discover, NoParams{.meta = envelope({}, true)}, within(limits::mcp_discover_time));
    if (discovered) {
      const auto& versions = discovered->supported_versions;
      if (std::find(versions.begin(), versions.end(), modern_version) == versions.end())
        co_return fail(Errc::failed, "the server does not speak " + std::string(modern_version));
      era_ = Era::modern;
      version_ = modern_version;
      capabilities_ = std::move(discovered->capabilities);
      instructions_ = std::move(discovered->instructions);
      if (const auto meta = json::parse(discovered->meta.json))
        if (const json::Value* info = meta->find("io.modelcontextprotocol/serverInfo"))
          if (auto read = json::from_text<Implementation>(json::to_text(*info))) server_info_ = *std::move(read);
      co_return Result<void>{};
    }
    // The server lists its versions: if the list contains ours, the refusal was temporary.
    const bool ours = jsonrpc::exact_code(discovered.error()) == code::unsupported_version &&
                      jsonrpc::exact_data(discovered.error()).find(modern_version) != std::string_view::npos;
    if (!ours || !std::exchange(again, false)) co_return std::unexpected(std::move(discovered).error());
  }
}

Task<Result<void>> Client::initialize() {
  if (link_) link_->speak(Era::legacy, "");
  InitializeParams parameters{.protocol_version = std::string(legacy_versions.front()),
                              .capabilities = own_capabilities(),
                              .client_info = settings_.info};
  const auto reply = co_await peer_->call(method::initialize.as<InitializeParams, Raw>(), std::move(parameters));
  Result<InitializeResult> initialized = reply ? read_initialize(*reply) : std::unexpected(reply.error());
  if (!initialized) co_return fail(std::move(initialized).error().in("initialize"));
  if (!is_legacy_version(initialized->protocol_version))
    co_return fail(Errc::failed, "the server speaks revision " + initialized->protocol_version + ", which is unknown here");
  era_ = Era::legacy;
  version_ = std::move(initialized->protocol_version);
  capabilities_ = std::move(initialized->capabilities);
  server_info_ = std::move(initialized->server_info);
  instructions_ = std::move(initialized->instructions);
  if (link_) link_->speak(Era::legacy, version_);
  PARLANCE_CO_TRY_DO(peer_->notify(method::initialized, {}));
  if (link_) link_->open_stream();
  if (!settings_.log_level.empty() && capabilities_.logging) static_cast<void>(co_await set_log_level(settings_.log_level));
  co_return Result<void>{};
}

Task<void> Client::close() {
  if (link_) co_await link_->end_session();
  peer_->finish();
  if (child_) static_cast<void>(co_await child_->stop());
  peer_->close();
}

// ---- calls ---------------------------------------------------------------------------------------------------------------------------

template <class P, class R>
Task<Result<R>> Client::call(const wire::Call<P, R>& method, P parameters, CallOptions options) {
  Raw token;
  struct Forget {  // also when the client is gone by then
    std::shared_ptr<ProgressHandlers> handlers;
    const Raw& token;
    ~Forget() { handlers->erase(token.json); }
  } forget{progress_, token};
  if (options.progress) {
    token.json = std::to_string(next_token_++);
    (*progress_)[token.json] = std::move(options.progress);
  }
  parameters.meta = envelope(token, era_ == Era::modern);
  co_return co_await peer_->call(method, std::move(parameters), Within{options.time});
}

template <class P, class R>
Task<Result<R>> Client::call_once(const wire::Call<P, R>& method, P parameters, CallOptions options) {
  if constexpr (std::same_as<R, CallToolResult>) {
    const auto result = co_await call(method.template as<P, Raw>(), std::move(parameters), std::move(options));
    co_return result ? read_call_result(*result) : std::unexpected(result.error());
  } else {
    co_return co_await call(method, std::move(parameters), std::move(options));
  }
}

template <class P, class R>
Task<Result<R>> Client::call_with_input(const wire::Call<P, R>& method, P parameters, CallOptions options) {
  for (int round = 0; round < limits::mcp_input_rounds; ++round) {
    Result<R> result = co_await call_once(method, parameters, options);
    // Without resultType a result is complete.
    if (!result || result->result_type != "input_required") co_return result;
    parameters.input_responses = {};
    if (result->input_requests) {
      PARLANCE_CO_TRY(responses, co_await answer(*std::move(result->input_requests), options));
      parameters.input_responses.json = json::to_text(responses);
    }
    parameters.request_state = std::move(result->request_state);
  }
  co_return fail(Errc::failed,
                 "the server asked for input " + std::to_string(limits::mcp_input_rounds) + " times without an end");
}

Task<Result<InputResponses>> Client::answer(InputRequests requests, const CallOptions& options) {
  InputResponses responses;
  for (const auto& [key, request] : requests) {
    PARLANCE_CO_TRY(response, co_await answer_request(key, request, options));
    responses[key] = Raw{std::move(response)};
  }
  co_return responses;
}

Task<Result<std::string>> Client::elicited(const std::function<Task<Result<ElicitResult>>(ElicitParams)>& ask,
                                           const std::string& parameters) {
  PARLANCE_CO_TRY(asked, json::from_text<ElicitParams>(parameters));
  const Raw schema = asked.requested_schema;
  PARLANCE_CO_TRY(result, co_await ask(std::move(asked)));
  if (result.action == ElicitAction::accept) result.content = with_defaults(schema, result.content);
  co_return json::to_text(result);
}

Task<Result<std::string>> Client::answer_request(const std::string& key, const InputRequest& request,
                                                 const CallOptions& options) {
  const ClientHandlers& handlers = settings_.handlers;
  const std::string parameters = request.params.json.empty() ? "{}" : request.params.json;
  if (request.method == method::elicit.method && (options.elicit || handlers.elicit))
    co_return co_await elicited(options.elicit ? options.elicit : handlers.elicit, parameters);
  if (request.method == method::create_message.method && (options.sample || handlers.sample)) {
    PARLANCE_CO_TRY(asked, json::from_text<CreateMessageParams>(parameters));
    PARLANCE_CO_TRY(result, co_await (options.sample ? options.sample : handlers.sample)(std::move(asked)));
    co_return json::to_text(result);
  }
  if (request.method == method::list_roots.method && handlers.roots) {
    PARLANCE_CO_TRY(result, co_await handlers.roots());
    co_return json::to_text(result);
  }
  co_return fail(Errc::failed, "the server needs \"" + key + "\" by " + request.method + ", which this client did not offer");
}

Task<Result<Client::RawList>> Client::list(wire::Call<ListParams, Raw> method, std::string_view member) {
  RawList all;
  std::optional<std::string> cursor;
  std::set<std::string> cursors;
  std::set<std::string> known;  // a repeated page contains nothing new
  for (std::size_t page = 0; page < limits::mcp_pages; ++page) {
    const auto result = co_await call(method, ListParams{.cursor = cursor});
    auto read = result ? read_page(*result, member) : std::unexpected(result.error());
    if (!read && page == 0) co_return fail(std::move(read).error().in(std::string(method.method)));
    if (!read) {
      // For some servers an empty cursor names the first page, for others the end, and for others an error.
      if (!cursor->empty())
        all.faults.push_back({.reason = "Page " + std::to_string(page + 1) + " of " + std::string(method.method) +
                                        " cannot be read, so entries may be missing: " + read.error().message});
      co_return all;
    }
    for (Raw& entry : read->entries)
      if (known.insert(entry.json).second) all.entries.push_back(std::move(entry));
    if (!read->next_cursor) co_return all;
    if (!cursors.insert(*read->next_cursor).second) {
      if (!read->next_cursor->empty())
        all.faults.push_back(
            {.reason = "The server repeats a page of " + std::string(method.method) + ", so entries may be missing."});
      co_return all;
    }
    cursor = std::move(read->next_cursor);
  }
  all.faults.push_back({.reason = std::string(method.method) + " has more than " + std::to_string(limits::mcp_pages) +
                                  " pages, so entries are missing."});
  co_return all;
}

template <class T>
Task<Result<std::vector<T>>> Client::entries(wire::Call<ListParams, Raw> method, std::string_view member) {
  PARLANCE_CO_TRY(raw, co_await list(method, member));
  std::vector<T> all;
  for (std::size_t i = 0; i < raw.entries.size(); ++i) {
    auto read = json::from_text<T>(raw.entries[i].json, {.known_utf8 = true});
    if (read) all.push_back(*std::move(read));
    else raw.faults.push_back({.name = entry_name(raw.entries[i], i), .reason = read.error().message});
  }
  for (const LeftOut& fault : raw.faults)
    log(LogLevel::warn, "an entry of a list is left out",
        {{"list", std::string(method.method)}, {"entry", fault.name}, {"reason", fault.reason}});
  co_return all;
}

// Over HTTP some arguments are mirrored in headers; a tool with an unusable mirror in its schema is excluded.
void Client::remember_tools(std::vector<Tool>& tools, LeftOuts& left_out) {
  if (!link_ || era_ != Era::modern) return;
  mirrored_.clear();
  std::erase_if(tools, [&](const Tool& tool) {
    auto found = mirrored_arguments(tool.input_schema);
    const bool is_readable = found.has_value();
    if (!is_readable) left_out.push_back({.name = tool.name, .reason = found.error().message});
    else if (!found->empty()) mirrored_.emplace(tool.name, *std::move(found));
    return !is_readable;
  });
}

std::vector<HttpHeader> Client::mirrored(std::string_view tool, std::string_view arguments_json) const {
  const auto found = mirrored_.find(tool);
  return found == mirrored_.end() ? std::vector<HttpHeader>{} : mirror_headers(found->second, arguments_json);
}

Task<Result<std::vector<Tool>>> Client::list_tools(LeftOuts* left_out) {
  PARLANCE_CO_TRY(raw, co_await list(method::list_tools.as<ListParams, Raw>(), "tools"));
  std::vector<Tool> tools;
  std::set<std::string> names;
  for (std::size_t i = 0; i < raw.entries.size(); ++i) {
    auto tool = read_tool(raw.entries[i]);
    if (!tool) raw.faults.push_back({.name = entry_name(raw.entries[i], i), .reason = tool.error().message});
    else if (!names.insert(tool->name).second)
      raw.faults.push_back({.name = tool->name, .reason = "an earlier tool of the server has the same name"});
    else tools.push_back(*std::move(tool));
  }
  remember_tools(tools, raw.faults);
  if (left_out != nullptr) *left_out = std::move(raw.faults);
  else if (!raw.faults.empty()) log(LogLevel::warn, "tools are left out", {{"reason", text_of(raw.faults)}});
  co_return tools;
}
Task<Result<std::vector<Resource>>> Client::list_resources() {
  return entries<Resource>(method::list_resources.as<ListParams, Raw>(), "resources");
}
Task<Result<std::vector<ResourceTemplate>>> Client::list_templates() {
  return entries<ResourceTemplate>(method::list_templates.as<ListParams, Raw>(), "resourceTemplates");
}
Task<Result<std::vector<Prompt>>> Client::list_prompts() {
  return entries<Prompt>(method::list_prompts.as<ListParams, Raw>(), "prompts");
}

Task<Result<CallToolResult>> Client::call_tool(std::string name, Raw arguments, CallOptions options) {
  return call_with_input(method::call_tool, CallToolParams{.name = std::move(name), .arguments = std::move(arguments)},
                         std::move(options));
}
Task<Result<ReadResourceResult>> Client::read_resource(std::string uri, CallOptions options) {
  return call_with_input(method::read_resource, ReadResourceParams{.uri = std::move(uri)}, std::move(options));
}
Task<Result<GetPromptResult>> Client::get_prompt(std::string name, std::map<std::string, std::string> arguments,
                                                 CallOptions options) {
  GetPromptParams parameters{.name = std::move(name)};
  if (!arguments.empty()) parameters.arguments = std::move(arguments);
  return call_with_input(method::get_prompt, std::move(parameters), std::move(options));
}
Task<Result<CompleteResult>> Client::complete(CompleteParams parameters) { return call(method::complete, std::move(parameters)); }

Task<Result<void>> Client::ping() {
  if (era_ == Era::modern) {
    PARLANCE_CO_TRY(discovered, co_await call(method::discover, NoParams{}));
  } else {
    PARLANCE_CO_TRY(pong, co_await call(method::ping, NoParams{}));
  }
  co_return Result<void>{};
}
Task<Result<void>> Client::set_log_level(std::string level) {
  settings_.log_level = level;
  if (era_ == Era::modern) co_return Result<void>{};  // every request carries this
  PARLANCE_CO_TRY(done, co_await call(method::set_level, SetLevelParams{.level = std::move(level)}));
  co_return Result<void>{};
}
Task<Result<void>> Client::subscribe(std::string uri) {
  PARLANCE_CO_TRY(done, co_await call(method::subscribe, SubscribeParams{.uri = std::move(uri)}));
  co_return Result<void>{};
}
Task<Result<void>> Client::unsubscribe(std::string uri) {
  PARLANCE_CO_TRY(done, co_await call(method::unsubscribe, SubscribeParams{.uri = std::move(uri)}));
  co_return Result<void>{};
}
Task<Result<void>> Client::listen(SubscriptionFilter filter) {
  PARLANCE_CO_TRY(done, co_await call(method::listen, ListenParams{.notifications = std::move(filter)},
                                      CallOptions{.time = Duration::max()}));
  co_return Result<void>{};
}

}  // namespace parlance::mcp

// SPDX-License-Identifier: Apache-2.0
// A server of the Model Context Protocol: its offers, and the methods of access. A server serves any number of clients, of both
// eras, over any frames; http_endpoint.h adds HTTP.
//
//   mcp::Server server(loop, {.info = {.name = "clock", .version = "1.0"}});
//   server.tool<Zone, Time>({.name = "now"}, [](Zone& zone, mcp::Request&) -> Task<Result<Time>> { … });
//   co_await server.serve(framed_stream(loop, *stdio_stream(loop), line_framing()));
//
// Handlers run concurrently. The model receives a tool's error as a result with isError; an error with its own number
// (jsonrpc::with_code) is an error of the protocol. Clients are notified of later additions and removals. Loop thread only; the
// server must outlive its clients.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/codec/json/typed.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/protocol/mcp/request.h"
#include "parlance/protocol/mcp/subscriptions.h"
#include "parlance/protocol/mcp/uri_template.h"

namespace parlance::mcp {

struct ServerSettings {
  Implementation info{};
  std::optional<std::string> instructions{};
  std::size_t page = limits::mcp_page;
  std::uint64_t ttl_ms = 0;                // How long clients may cache lists, in milliseconds. 0 disables caching (2026-07-28).
  std::string cache_scope = "private";     // Caches with permission to keep lists.
  std::string state_secret{};              // Signs requestState; shared by processes behind an address. Empty: random.
  bool strict_arguments = false;           // An unknown argument fails the call. Otherwise skipped and reported.
  OnAnswered on_answered{};                // Called once for each answered request.
  std::function<void()> on_initialized{};  // A client of the 2025 era has connected, and accepts notifications.
};

using ToolHandler = std::function<Task<Result<CallToolResult>>(Raw arguments, Request& request)>;
using ResourceHandler = std::function<Task<Result<std::vector<ResourceContents>>>(std::string uri, Request& request)>;
using Variables = std::map<std::string, std::string>;
using TemplateHandler =
    std::function<Task<Result<std::vector<ResourceContents>>>(std::string uri, Variables variables, Request&)>;
using PromptHandler = std::function<Task<Result<GetPromptResult>>(Variables arguments, Request& request)>;
using CompletionHandler = std::function<Task<Result<Completion>>(CompleteParams parameters, Request& request)>;
using ResourceLister = std::function<Task<Result<std::vector<Resource>>>(Request& request)>;

// The schema of a declared message, closed, to report invented arguments to the model.
Raw closed_schema(const wire::Type& type);
// Reads arguments. Unknown arguments are skipped; the request keeps their names, and the result reports them to the model. In
// strict mode, the first unknown argument is an error.
Result<void> read_arguments(const Raw& arguments, const wire::Type& type, void* into, Request& request);

class Server final : public SessionHost {
 public:
  Server(Loop& loop, ServerSettings settings);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Replaces an object with the same name or URI.
  void add(Tool tool, ToolHandler handler);
  void add(Resource resource, ResourceHandler handler);
  void add(ResourceTemplate resource_template, TemplateHandler handler);
  void add(Prompt prompt, PromptHandler handler);
  bool remove_tool(std::string_view name);
  bool remove_resource(std::string_view uri);
  bool remove_prompt(std::string_view name);
  void on_complete(CompletionHandler handler) { complete_ = std::move(handler); }
  // Dynamic resources, listed after the others.
  void list_more_resources(ResourceLister lister) { lister_ = std::move(lister); }
  // Called at the first subscription to a resource, and at the end of the last.
  void on_subscription(Subscriptions::OnChange handler) { subscriptions_.on_change(std::move(handler)); }

  // The typed form: schemas from the tables, the result as structuredContent and as text.
  template <class In, class Out, class F>
  void tool(Tool what, F handler) {
    if (what.input_schema.json.empty()) what.input_schema = closed_schema(wire::type_of<In>());
    if (what.output_schema.json.empty()) what.output_schema = closed_schema(wire::type_of<Out>());
    add(std::move(what), [handler = std::move(handler)](Raw arguments, Request& request) {
      return run_typed<In, Out>(handler, std::move(arguments), request);
    });
  }

  void tools_changed() { subscriptions_.publish(method::tools_changed, &SubscriptionFilter::tools_changed); }
  void resources_changed() { subscriptions_.publish(method::resources_changed, &SubscriptionFilter::resources_changed); }
  void prompts_changed() { subscriptions_.publish(method::prompts_changed, &SubscriptionFilter::prompts_changed); }
  void resource_updated(const std::string& uri) { subscriptions_.resource_updated(uri); }

  // Notices beyond the protocol: from a client, and to every initialized client of the 2025 era.
  template <class P, class F>
  void on_notice(const wire::Notice<P>& notice, F handler) {
    router_.on(notice, std::move(handler));
  }
  template <class P>
  void notify_all(const wire::Notice<P>& notice, const std::type_identity_t<P>& parameters) {
    subscriptions_.notify_all(notice, parameters);
  }

  // Serves a client until its connection ends, and returns the reason.
  Task<Error> serve(std::unique_ptr<Frames> frames);

  const Router& router() const { return router_; }
  const Tool* find_tool(std::string_view name) const;
  const ServerSettings& settings() const { return settings_; }
  Loop& loop() const { return loop_; }

  // For its sessions.
  const OnAnswered& on_answered() const override { return settings_.on_answered; }
  BytesView state_secret() const override { return settings_.state_secret; }
  bool strict_arguments() const override { return settings_.strict_arguments; }
  void joined(Session& session) override { subscriptions_.joined(session); }
  void left(Session& session) override { subscriptions_.left(session); }

 private:
  template <class T, class H>
  struct Entry {
    T what;
    H handler;
  };
  using ToolEntry = Entry<Tool, ToolHandler>;
  using ResourceEntry = Entry<Resource, ResourceHandler>;
  struct TemplateEntry {
    ResourceTemplate what;
    UriTemplate pattern;
    TemplateHandler handler;
  };
  using PromptEntry = Entry<Prompt, PromptHandler>;

  template <class In, class Out, class F>
  static Task<Result<CallToolResult>> run_typed(const F& handler, Raw arguments, Request& request) {
    In in{};
    PARLANCE_CO_TRY_DO(read_arguments(arguments, wire::type_of<In>(), &in, request));
    Result<Out> out = co_await handler(in, request);
    if (!out) co_return std::unexpected(std::move(out).error());
    CallToolResult result;
    result.structured.json = json::to_text(*out);
    result.content.emplace().push_back(text(result.structured.json));
    co_return result;
  }

  void register_methods();
  ServerCapabilities capabilities() const;
  Result<InitializeResult> initialize(const InitializeParams& parameters, Context& context);
  Result<DiscoverResult> discover(const NoParams& parameters, Context& context);
  Result<ListToolsResult> list_tools(const ListParams& parameters, Context& context);
  Task<Result<ListResourcesResult>> list_resources(ListParams parameters, Context& context);
  Result<ListTemplatesResult> list_templates(const ListParams& parameters, Context& context);
  Result<ListPromptsResult> list_prompts(const ListParams& parameters, Context& context);
  Task<Result<CallToolResult>> call_tool(CallToolParams parameters, Context& context);
  Task<Result<ReadResourceResult>> read_resource(ReadResourceParams parameters, Context& context);
  Task<Result<GetPromptResult>> get_prompt(GetPromptParams parameters, Context& context);
  Task<Result<CompleteResult>> complete(CompleteParams parameters, Context& context);

  Loop& loop_;
  ServerSettings settings_;
  Router router_;
  // Shared: a running handler outlives its removal.
  std::vector<std::shared_ptr<ToolEntry>> tools_;
  std::vector<std::shared_ptr<ResourceEntry>> resources_;
  std::vector<std::shared_ptr<TemplateEntry>> templates_;
  std::vector<std::shared_ptr<PromptEntry>> prompts_;
  CompletionHandler complete_;
  ResourceLister lister_;
  Subscriptions subscriptions_;
};

}  // namespace parlance::mcp

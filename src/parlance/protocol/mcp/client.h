// SPDX-License-Identifier: Apache-2.0
// A client of the Model Context Protocol: one server, over a child's stdin and stdout, over HTTP, or over any frames. The client
// detects the server's era (server/discover, or `initialize` if unknown), and then hides the difference. Requests of the server
// go to handlers of the host. The client declares only capabilities with a handler.
//
//   PARLANCE_CO_TRY(client, co_await mcp::connect_child(loop, {.command = {"sqlite-helper", "--mcp"}}, {.info = …}));
//   PARLANCE_CO_TRY(tools, co_await client->list_tools());
//
// The end of a server fails every call with the reason ("sqlite-helper exited with code 3: …"). Loop thread only. Destroying a
// client cancels its calls and ends a server that it started.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parlance/peer/peer.h"
#include "parlance/process/child_process.h"
#include "parlance/protocol/mcp/http_link.h"
#include "parlance/protocol/mcp/lenient.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/protocol/mcp/methods.h"

namespace parlance::mcp {

// Handlers of the host. Empty: the capability is not declared.
struct ClientHandlers {
  std::function<Task<Result<ElicitResult>>(ElicitParams)> elicit{};
  bool elicits_urls = false;  // `elicit` also accepts the mode url (2025-11-25).
  std::function<Task<Result<CreateMessageResult>>(CreateMessageParams)> sample{};
  std::function<Task<Result<ListRootsResult>>()> roots{};
  // Notifications, without an answer.
  std::function<void(const LogMessage&)> log{};
  std::function<void(const std::string& uri)> resource_updated{};
  std::function<void()> tools_changed{};
  std::function<void()> resources_changed{};
  std::function<void()> prompts_changed{};
};

struct ClientSettings {
  Implementation info{};
  ClientHandlers handlers{};
  Era era = Era::undecided;  // legacy: begin with `initialize` at once; modern: nothing else.
  std::string log_level{};   // Requested with every request (2026-07-28) or once. Empty: the server's default.
  std::chrono::milliseconds call_time = limits::mcp_call_time;
};

struct CallOptions {
  std::optional<Duration> time{};  // Default of the client; Duration::max(): no limit.
  std::function<void(const Progress&)> progress{};
  // Replace the host's handlers for input that this call requires (2026-07-28). Earlier servers do not name the call of a
  // question.
  std::function<Task<Result<ElicitResult>>(ElicitParams)> elicit{};
  std::function<Task<Result<CreateMessageResult>>(CreateMessageParams)> sample{};
};

class Client {
 public:
  // Over frames. `explain_end` improves the reason of an end. Begin with `connect`.
  Client(Loop& loop, std::unique_ptr<Frames> frames, ClientSettings settings, std::function<Task<Error>(Error)> explain_end = {});
  Client(Loop& loop, HttpLinkSettings link, ClientSettings settings);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  Task<Result<void>> connect();  // Once, before all else.
  void owns(std::unique_ptr<ChildProcess> child) { child_ = std::move(child); }

  // True: the server rejected a POST as unknown (HTTP status 400, 404 or 405).
  bool was_refused() const { return link_ && link_->was_refused(); }

  Era era() const { return era_; }
  const std::string& version() const { return version_; }
  const Implementation& server_info() const { return server_info_; }
  const ServerCapabilities& capabilities() const { return capabilities_; }
  const std::optional<std::string>& instructions() const { return instructions_; }
  // Reason of the end. Absent: the client lives.
  const std::optional<Error>& ended() const { return ended_; }
  std::function<void(const Error&)> on_end{};
  bool over_sse = false;  // The server is reached over HTTP in the form of 2024-11-05.

  // All pages of a list. Excluded: unreadable entries, and the rest of a list after an unreadable page. `left_out` receives the
  // reasons and must outlive the call; null: the log receives them.
  Task<Result<std::vector<Tool>>> list_tools(LeftOuts* left_out = nullptr);
  Task<Result<std::vector<Resource>>> list_resources();
  Task<Result<std::vector<ResourceTemplate>>> list_templates();
  Task<Result<std::vector<Prompt>>> list_prompts();

  // Destroying the task cancels the call. Handlers supply input that the server requires (2026-07-28).
  Task<Result<CallToolResult>> call_tool(std::string name, Raw arguments, CallOptions options = {});
  Task<Result<ReadResourceResult>> read_resource(std::string uri, CallOptions options = {});
  Task<Result<GetPromptResult>> get_prompt(std::string name, std::map<std::string, std::string> arguments,
                                           CallOptions options = {});
  Task<Result<CompleteResult>> complete(CompleteParams parameters);
  Task<Result<void>> ping();  // 2026-07-28: server/discover.
  Task<Result<void>> set_log_level(std::string level);
  // 2025 era: reports changes of a resource.
  Task<Result<void>> subscribe(std::string uri);
  Task<Result<void>> unsubscribe(std::string uri);
  // 2026-07-28: reports changes for as long as the task runs.
  Task<Result<void>> listen(SubscriptionFilter filter);

  // Ends in an orderly way: closes the session, and gives a child time to exit. `~Client` does the same at once.
  Task<void> close();

 private:
  template <class P, class R>
  Task<Result<R>> call(const wire::Call<P, R>& method, P parameters, CallOptions options = {});
  template <class P, class R>
  Task<Result<R>> call_once(const wire::Call<P, R>& method, P parameters, CallOptions options);
  template <class P, class R>
  Task<Result<R>> call_with_input(const wire::Call<P, R>& method, P parameters, CallOptions options);
  struct RawList {
    std::vector<Raw> entries{};
    LeftOuts faults{};
  };
  // `member` of the result holds the entries.
  Task<Result<RawList>> list(wire::Call<ListParams, Raw> method, std::string_view member);
  template <class T>
  Task<Result<std::vector<T>>> entries(wire::Call<ListParams, Raw> method, std::string_view member);
  Task<Result<InputResponses>> answer(InputRequests requests, const CallOptions& options);
  Task<Result<std::string>> answer_request(const std::string& key, const InputRequest& request, const CallOptions& options);
  static Task<Result<std::string>> elicited(const std::function<Task<Result<ElicitResult>>(ElicitParams)>& ask,
                                            const std::string& parameters);
  Task<Result<void>> discover();
  Task<Result<void>> initialize();
  ClientCapabilities own_capabilities() const;
  Raw envelope(const Raw& progress_token, bool modern) const;
  void register_handlers();
  void remember_tools(std::vector<Tool>& tools, LeftOuts& left_out);
  std::vector<HttpHeader> mirrored(std::string_view tool, std::string_view arguments_json) const;
  void begin(std::unique_ptr<Frames> frames, std::shared_ptr<Route> route, std::function<Task<Error>(Error)> explain_end);
  static Task<void> run(Client& client);

  Loop& loop_;
  ClientSettings settings_;
  Era era_ = Era::undecided;
  std::string version_;
  Implementation server_info_;
  ServerCapabilities capabilities_;
  std::optional<std::string> instructions_;
  std::optional<Error> ended_;
  using ProgressHandlers = std::map<std::string, std::function<void(const Progress&)>>;  // By token, as JSON.
  std::shared_ptr<ProgressHandlers> progress_ = std::make_shared<ProgressHandlers>();
  std::uint64_t next_token_ = 1;
  std::map<std::string, std::vector<MirroredArgument>, std::less<>> mirrored_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<HttpLink> link_;
  Router router_;
  std::unique_ptr<Peer> peer_;
  Scope scope_;
};

}  // namespace parlance::mcp

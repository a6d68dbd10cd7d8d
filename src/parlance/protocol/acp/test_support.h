// SPDX-License-Identifier: Apache-2.0
// For tests of both sides: a scripted agent and a client, connected in memory, in virtual time.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/protocol/acp/client.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::acp::test {

using namespace std::chrono_literals;

// Records messages. `permission` answers permission requests; without it, no option is selected.
struct RecordingHandler : ClientHandler {
  void on_update(SessionUpdate update) override { updates.push_back(std::move(update)); }
  Task<Result<PermissionReply>> request_permission(RequestPermission asked) override {
    permissions.push_back(std::move(asked));
    if (!permission) co_return not_selected();
    co_return co_await permission();
  }
  // All text of the agent, joined.
  std::string text() const {
    std::string all;
    for (const SessionUpdate& update : updates)
      if (const auto* said = std::get_if<AgentMessageChunk>(&update.update.value))
        if (const std::string* text = text_of(said->chunk.content)) all += *text;
    return all;
  }
  std::vector<SessionUpdate> updates;
  std::vector<RequestPermission> permissions;
  std::function<Task<Result<PermissionReply>>()> permission;
};

struct Script {
  explicit Script(Loop& loop) : proceed(loop) {}
  InitializeResult initialized{.protocol_version = 1};
  bool wants_sign_in = false;        // session/new is refused before a login.
  std::vector<std::string> asked{};  // Names of requests and notices, in order.
  std::vector<Prompt> prompts{};
  std::optional<SessionModes> modes{};                 // For every session, at its creation and at its load.
  std::vector<std::string> modes_set{};                // Set by the client.
  std::optional<std::vector<ConfigOption>> options{};  // For every session.
  std::vector<std::string> options_set{};              // Set by the client: "id=value".
  std::function<Task<Result<PromptResult>>(const Prompt&, Peer&)> prompt{};
  std::function<void(const InitializeParams&)> initialize{};
  std::function<void(const NewSession&)> begin{};
  std::function<SessionList(const ListSessions&)> list{};  // Result of session/list.
  std::function<void(const LoadSession&, Peer&)> load{};   // Sent before the answer to session/load.
  Signal proceed;                                          // For waiting prompts.
  std::size_t running = 0;
  std::size_t most_running = 0;
};

inline void serve(Router& router, Script& script) {
  const auto note = [&script](const Context& context) { script.asked.push_back(context.method); };
  router.on_unknown(unknown_method);
  router.on(method::initialize, [&script, note](const InitializeParams& asked, Context& context) -> Result<InitializeResult> {
    note(context);
    if (script.initialize) script.initialize(asked);
    return script.initialized;
  });
  router.on(method::authenticate, [&script, note](const Authenticate& how, Context& context) -> Result<Authenticated> {
    note(context);
    if (how.method_id == "bad") return fail(auth_required("unknown auth method"));
    script.wants_sign_in = false;
    return Authenticated{.method_id = how.method_id};
  });
  router.on(method::new_session, [&script, note](const NewSession& asked, Context& context) -> Result<SessionState> {
    note(context);
    if (script.begin) script.begin(asked);
    if (script.wants_sign_in) return fail(auth_required());
    return SessionState{.session_id = "s-1", .modes = script.modes, .config_options = script.options};
  });
  router.on(method::list_sessions, [&script](const ListSessions& asked, Context&) -> Result<SessionList> {
    return script.list ? script.list(asked) : SessionList{};
  });
  router.on(method::load_session, [&script, note](const LoadSession& which, Context& context) -> Result<SessionState> {
    note(context);
    if (which.session_id == "missing") return fail(Errc::not_found, "Session not found");
    if (script.load) script.load(which, context.peer);
    return SessionState{.modes = script.modes, .config_options = script.options};
  });
  router.on(method::cancel, [&script, note](const OfSession&, Context& context) {
    note(context);
    script.proceed.notify_all();
  });
  router.on(method::set_mode, [&script, note](const SetMode& what, Context& context) -> Result<ModeSet> {
    note(context);
    script.modes_set.push_back(what.mode_id);
    return ModeSet{.current_mode_id = what.mode_id};
  });
  router.on(method::set_config_option, [&script, note](const SetConfigOption& what, Context& context) -> Result<ConfigOptions> {
    note(context);
    script.options_set.push_back(what.config_id + "=" + what.value.json);
    if (!script.options)
      return ConfigOptions{.config_options = {{.id = what.config_id, .name = "", .current_value = what.value}}};
    for (ConfigOption& option : *script.options)
      if (option.id == what.config_id) option.current_value = what.value;
    return ConfigOptions{.config_options = *script.options};
  });
  router.on(method::prompt, [&script, note](Prompt& what, Context& context) -> Task<Result<PromptResult>> {
    note(context);
    script.prompts.push_back(what);
    script.most_running = std::max(script.most_running, ++script.running);
    struct Leave {
      Script& script;
      ~Leave() { --script.running; }
    } leave{script};
    if (!script.prompt) co_return PromptResult{};
    co_return co_await script.prompt(script.prompts.back(), context.peer);
  });
}

inline SessionUpdate said(std::string text, std::string session = "s-1") {
  return {.session_id = std::move(session), .update = {AgentMessageChunk{{.content = acp::text(std::move(text))}}}};
}

// A client and a scripted agent.
class Pair {
 public:
  explicit Pair(ClientSettings settings = {}, bool one_byte = false) : script(loop), scope_(loop) {
    auto [near, far] = memory_pair(loop, {.one_byte_reads = one_byte, .capacity = 1 << 20});
    serve(router, script);
    agent.emplace(loop, framed_stream(loop, std::move(far), line_framing()), dialect(Side::agent, settings.flavour), router);
    client.emplace(loop, framed_stream(loop, std::move(near), line_framing()), handler, std::move(settings));
    scope_.start(watch(*agent, agent_end));
    scope_.start(watch(*client, client_end));
  }
  ~Pair() {
    scope_.cancel();
    client.reset();
    agent.reset();
  }

  void start(Task<void> task) { scope_.start(std::move(task)); }
  void settle() {
    while (loop.run_ready()) {}
  }
  // The result of a task that needs no time.
  template <class T>
  Result<T> result(Task<Result<T>> task) {
    std::optional<Result<T>> got;
    scope_.start(keep(std::move(task), got));
    settle();
    return got ? *std::move(got) : Result<T>(fail(Errc::internal, "it waits"));
  }
  template <class T>
  void begin(Task<Result<T>> task, std::optional<Result<T>>& into) {
    scope_.start(keep(std::move(task), into));
    settle();
  }

  Loop loop{Loop::Time::virtual_};
  Script script;
  RecordingHandler handler;
  Router router;
  std::optional<Peer> agent;
  std::optional<Client> client;
  std::optional<Error> agent_end;
  std::optional<Error> client_end;

 private:
  template <class Side>
  static Task<void> watch(Side& side, std::optional<Error>& end) {
    end = co_await side.run();
  }
  template <class T>
  static Task<void> keep(Task<Result<T>> task, std::optional<Result<T>>& into) {
    into = co_await std::move(task);
  }
  Scope scope_;
};

}  // namespace parlance::acp::test

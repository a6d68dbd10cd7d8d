// SPDX-License-Identifier: Apache-2.0
// An ACP client that drives the frontend over a pipe in memory, and a hub with a scripted agent.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/face/acp/hub_sessions.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/test_support.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/memory.h"

namespace parlance::face {

// A client that collects messages and answers requests as scripted.
class TestClient {
 public:
  TestClient(Loop& loop, AcpFrontend& frontend, acp::Flavour flavour = acp::Flavour::standard, bool one_byte = false)
      : loop_(loop), never_(loop), scope_(loop) {
    router_.on(acp::method::update, [this](acp::SessionUpdate& notice, Context&) {
      updates.push_back(json::to_text(notice.update));
      if (!notice.meta.json.empty()) metas.push_back(notice.meta.json);
      order.push_back("update");
      if (on_update) on_update();
    });
    router_.on(acp::method::request_permission,
               [this](acp::RequestPermission& asked, Context&) -> Task<Result<acp::PermissionReply>> {
                 permissions.push_back(asked);
                 Present present(withdrawn);
                 while (silent) co_await never_.wait();
                 present.answered = true;
                 if (permission_error) co_return fail(*permission_error);
                 for (const acp::PermissionOption& option : asked.options)
                   if (option.kind.value == choose) co_return acp::selected(option.option_id);
                 co_return acp::not_selected();
               });
    router_.on(acp::method::elicit, [this](acp::CreateElicitation& asked, Context&) -> Result<acp::ElicitationReply> {
      forms.push_back(asked);
      return form_reply;
    });
    router_.on(acp::method::iflow_questions, [this](acp::iflow::Questions& asked, Context&) -> Result<acp::iflow::Answers> {
      questions.push_back(asked);
      if (question_error) return fail(*question_error);
      return answers;
    });
    router_.on(acp::method::iflow_plan_exit, [this](acp::iflow::PlanExit& asked, Context&) -> Result<acp::iflow::PlanDecision> {
      plans.push_back(asked.plan);
      if (question_error) return fail(*question_error);
      return plan_decision;
    });
    auto [near, far] = memory_pair(loop, {.one_byte_reads = one_byte});
    peer = std::make_unique<Peer>(loop, framed_stream(loop, std::move(near), line_framing()),
                                  acp::dialect(acp::Side::client, flavour), router_);
    scope_.start(run(*peer));
    scope_.start(serve(frontend, framed_stream(loop, std::move(far), line_framing()), flavour));
  }
  ~TestClient() {
    scope_.cancel();
    peer.reset();
  }

  template <class P, class R>
  Result<R> call(const wire::Call<P, R>& method, std::type_identity_t<P> parameters) {
    return loop_.block_on(wait(method, std::move(parameters)));
  }
  Result<acp::InitializeResult> initialize(acp::ClientCapabilities capabilities = {}, std::int64_t version = 1) {
    return call(acp::method::initialize, {.protocol_version = version,
                                          .capabilities = std::move(capabilities),
                                          .client = acp::Implementation{.name = "test", .version = "1"}});
  }
  std::string begin() {
    auto state = call(acp::method::new_session, {.cwd = "/tmp"});
    EXPECT_TRUE(state) << state.error().message;
    return state ? state->session_id.value_or("") : "";
  }
  static acp::Prompt words(const std::string& session, std::string text) {
    return {.session_id = session, .prompt = {acp::text(std::move(text))}};
  }
  // The end of the turn: its stop reason, or the error.
  std::string prompt(const std::string& session, std::string text) {
    return ended(call(acp::method::prompt, words(session, std::move(text))));
  }
  void start_prompt(const std::string& session, std::string text, std::string& end) {
    scope_.start(prompt_later(words(session, std::move(text)), end));
  }
  static std::string ended(const Result<acp::PromptResult>& result) {
    return result ? std::string(wire::name_of(result->stop_reason.value)) : "error: " + result.error().message;
  }
  // The kinds of its updates as a line, without the title, whose time varies.
  std::string kinds() const {
    std::string line;
    for (const std::string& stored : updates) {
      const json::Value update = json::parse_or_null(stored);
      const std::string_view kind = update.text_or("sessionUpdate", "?");
      if (kind != "session_info_update") line += (line.empty() ? "" : " ") + std::string(kind);
    }
    return line;
  }

  Router& router() { return router_; }  // for further handlers of a test

  std::unique_ptr<Peer> peer;
  std::vector<std::string> updates;
  std::vector<std::string> metas;  // of updates with `_meta`
  std::vector<std::string> order;
  std::function<void()> on_update;
  std::vector<acp::RequestPermission> permissions;
  std::vector<acp::CreateElicitation> forms;
  std::vector<acp::iflow::Questions> questions;
  std::vector<std::string> plans;
  bool silent = false;  // permissions get no answer
  int withdrawn = 0;    // … number of withdrawn permissions
  std::optional<Error> permission_error;
  std::optional<Error> question_error;
  acp::PermissionKind choose = acp::PermissionKind::allow_once;
  acp::ElicitationReply form_reply;
  acp::iflow::Answers answers;
  acp::iflow::PlanDecision plan_decision;
  bool gone = false;  // the frontend closed the connection

 private:
  struct Present {
    int& withdrawn;
    bool answered = false;
    explicit Present(int& count) : withdrawn(count) {}
    ~Present() { withdrawn += answered ? 0 : 1; }
  };
  template <class P, class R>
  Task<Result<R>> wait(const wire::Call<P, R>& method, P parameters) {
    co_return co_await peer->call(method, std::move(parameters), no_deadline);
  }
  Task<void> prompt_later(acp::Prompt what, std::string& end) {
    end = ended(co_await peer->call(acp::method::prompt, std::move(what), no_deadline));
    order.push_back("end");
  }
  static Task<void> run(Peer& side) { static_cast<void>(co_await side.run()); }
  Task<void> serve(AcpFrontend& frontend, std::unique_ptr<Frames> frames, acp::Flavour flavour) {
    co_await frontend.serve(std::move(frames), flavour);
    gone = true;
  }

  Loop& loop_;
  Router router_;
  Signal never_;
  Scope scope_;
};

struct HubOverAcp : ::testing::Test {
  HubOverAcp() { make_frontend(true); }
  void make_frontend(bool alone) {
    frontend = std::make_unique<AcpFrontend>(bench.loop, sessions,
                                             AcpFrontendSettings{.version = "1", .alone = alone, .check_folder = check_folder});
  }
  // Without a disk: a worker thread does not know virtual time.
  static Task<Result<std::string>> check_folder(std::string, std::string folder) {
    if (folder == "/nonexistent") co_return fail(Errc::not_found, "no such folder: " + folder);
    co_return folder;
  }
  std::unique_ptr<TestClient> client(acp::Flavour flavour = acp::Flavour::standard, bool one_byte = false) {
    return std::make_unique<TestClient>(bench.loop, *frontend, flavour, one_byte);
  }
  void settle() {
    for (int i = 0; i < 50; ++i) {
      while (bench.loop.run_ready()) {}
      bench.loop.advance(std::chrono::milliseconds(20));
    }
  }
  // The agent asks, and reports the answer as text.
  void asks(hub::AskRequest request) {
    bench.script = [request](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
      if (request.call)
        turn.emit(hub::event::ToolStart{.call = *request.call, .tool = "run_command", .title = "rm x", .input_json = "{}"});
      PARLANCE_CO_TRY(answer, co_await turn.ask(request));
      std::string said =
          std::string(to_string(answer.state)) + " " + answer.option + (answer.text.empty() ? "" : ": " + answer.text);
      for (const auto& choice : answer.answers) said += " " + choice.front();
      turn.emit(hub::event::Text{.text = std::move(said)});
      if (request.call) turn.emit(hub::event::ToolEnd{.call = *request.call});
      co_return turn.cancelled() ? hub::StopReason::cancelled : hub::StopReason::end_turn;
    };
  }
  static hub::AskRequest permission() {
    return {.call = "call_1",
            .tool = "run_command",
            .title = "rm x",
            .why = "it was asked for",
            .detail = "rm x",
            .options = {{.id = "yes", .label = "Yes", .kind = hub::OptionKind::allow_once},
                        {.id = "always", .label = "Always", .kind = hub::OptionKind::allow_always},
                        {.id = "no", .label = "No", .kind = hub::OptionKind::reject_once}}};
  }

  hub::test::Bench bench;
  HubSessions sessions{*bench.hub};
  std::unique_ptr<AcpFrontend> frontend;
};

}  // namespace parlance::face

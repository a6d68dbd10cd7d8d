// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/hub_over_claude.h"

#include <utility>

#include "parlance/adapter/claude/content.h"
#include "parlance/face/claude/claude_only.h"
#include "parlance/face/claude/host_hooks.h"
#include "parlance/face/claude/host_questions.h"
#include "parlance/face/claude/host_tools.h"
#include "parlance/face/claude/lines.h"
#include "parlance/face/claude/outbox.h"
#include "parlance/face/claude/own_answers.h"
#include "parlance/face/claude/prompt_feed.h"
#include "parlance/face/claude/relayed_claude.h"
#include "parlance/face/claude/rules.h"
#include "parlance/face/claude/session.h"
#include "parlance/face/claude/turn_stream.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/protocol/claude/agent.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::face {
namespace {

// Connects the parts, and handles the host's requests.
class ClaudeFrontend final : private claude::AgentHandler {
 public:
  ClaudeFrontend(Loop& loop, hub::UserHub hub, std::unique_ptr<Frames> frames, ClaudeFrontendSettings settings)
      : hub_(std::move(hub)),
        settings_(std::move(settings)),
        changed_(loop),
        agent_(loop, std::move(frames), *this),
        outbox_(loop, agent_),
        lines_([this](std::string line) { outbox_.send(std::move(line)); }, settings_.session_id, settings_.conversation,
               settings_.partial_messages),
        session_(hub_, settings_, lines_),
        hooks_(loop, agent_),
        host_tools_(
            loop, hooks_, rules_, [this](std::string event) { return session_.hook_input(std::move(event)); },
            settings_.relay == nullptr ? settings_.port : nullptr, [this] { lines_.end_message("tool_use"); }),
        questions_(loop, hub_, agent_, hooks_, host_tools_, rules_,
                   {.conversation = settings_.conversation,
                    .asks = [this] { return session_.asks(); },
                    .input_of = [this](const std::string& call) { return input_of(call); },
                    .hook_input = [this](std::string event) { return session_.hook_input(std::move(event)); },
                    .update = [this](const claude::PermissionUpdate& update) { take_update(update); },
                    .relay = settings_.relay}),
        answers_(answers_of(loop)),
        turn_(loop, {hub_, settings_, session_, *answers_, outbox_, lines_, hooks_, host_tools_, questions_},
              [this] { changed_.notify_all(); }),
        prompts_({hub_, settings_, session_, *answers_, outbox_, lines_, hooks_, turn_, changed_}),
        scope_(loop) {
    rules_.allow(settings_.allowed_tools);
    rules_.deny(settings_.disallowed_tools);
  }
  ~ClaudeFrontend() { scope_.cancel(); }

  Task<ClaudeServed> serve() {
    scope_.start(turn_.follow());
    scope_.start(prompts_.run());
    co_return ClaudeServed{.end = co_await agent_.run(), .last_failed = turn_.last_failed()};
  }

 private:
  std::unique_ptr<ClaudeAnswers> answers_of(Loop& loop) {
    if (settings_.relay != nullptr) return std::make_unique<RelayedClaude>(loop, hub_, agent_, settings_, session_);
    return std::make_unique<OwnAnswers>(loop, hub_, agent_, settings_, session_, lines_, hooks_);
  }

  Task<Result<wire::Raw>> initialize(claude::Initialize request) override {
    // System prompts: `initialize` takes precedence over flags. A missing systemPrompt selects Claude Code's preset.
    if (request.append_system_prompt) settings_.options.append_system = request.append_system_prompt;
    if (auto system = adapter::claude_system_prompt(request.system_prompt)) settings_.options.system = std::move(system);
    if (request.disallowed_tools) rules_.deny(*request.disallowed_tools);
    co_return co_await answers_->initialize(std::move(request));
  }
  Task<Result<claude::ModeReply>> set_permission_mode(claude::SetPermissionMode request) override {
    if (!claude::is_permission_mode(request.mode))
      co_return fail(Errc::invalid_params, "Invalid permission mode: " + request.mode);
    if (request.mode == "auto") co_return fail(no_auto_mode());
    PARLANCE_CO_TRY_DO(co_await session_.change_mode(request.mode));
    co_return claude::ModeReply{.mode = request.mode};
  }
  Task<Result<wire::Raw>> set_model(claude::SetModel request) override {
    const std::string model = request.model.value == "default" ? "" : request.model.value;
    PARLANCE_CO_TRY_DO(co_await hub_.submit(settings_.conversation, hub::ChangeSettings{{.model = model}}));
    co_return wire::Raw{"{}"};
  }
  Task<Result<wire::Raw>> set_max_thinking_tokens(claude::SetMaxThinkingTokens request) override {
    PARLANCE_CO_TRY_DO(co_await hub_.submit(settings_.conversation, hub::ChangeSettings{{.think = request.tokens.value > 0}}));
    co_return wire::Raw{"{}"};
  }
  Task<Result<claude::Interrupted>> interrupt() override {
    PARLANCE_CO_TRY_DO(hub_.submit_at_once(settings_.conversation, hub::StopTurn{}));
    co_return claude::Interrupted{.still_queued = std::vector<std::string>{}};
  }
  Task<Result<claude::McpStatus>> mcp_status() override { return answers_->mcp_status(); }
  Task<Result<claude::McpReply>> mcp_message(claude::McpMessage message) override {
    return answers_->mcp_message(std::move(message));
  }
  Task<Result<wire::Raw>> other(std::string subtype, wire::Raw request) override {
    return answers_->other(std::move(subtype), std::move(request));
  }
  void on_line(const claude::StreamLine& line) override {
    if (line.type == "user") prompts_.take(line.json);
  }

  // ---- pace and end of reads
  bool congested() const override { return prompts_.full() && !agent_.waits_for_answers(); }
  Task<void> wait_writable() override {
    while (congested()) co_await changed_.wait();
  }
  void asking() override { changed_.notify_all(); }
  Task<void> input_ended() override {
    while (!prompts_.idle()) co_await changed_.wait();
    co_await outbox_.sent();
    json::Object input = session_.hook_input("SessionEnd");
    input.set("reason", "other");
    hooks_.notify_last("SessionEnd", "other", input);
  }

  // A permission update in an answer of the host.
  void take_update(const claude::PermissionUpdate& update) {
    rules_.update(update);
    if (update.type == "addDirectories" && settings_.add_folder)
      for (const std::string& folder : update.directories) settings_.add_folder(folder);
    const auto change = [](ClaudeSession& session, std::string mode) -> Task<void> {
      static_cast<void>(co_await session.change_mode(std::move(mode)));
    };
    if (update.type == "setMode" && update.mode && claude::is_permission_mode(*update.mode) && *update.mode != "auto")
      scope_.start(change(session_, *update.mode));
  }
  const json::Value* input_of(const std::string& call) {
    const HostTools::Passed* const passed = host_tools_.find(call);
    return passed != nullptr ? &passed->call.input : turn_.input_of(call);
  }

  hub::UserHub hub_;
  ClaudeFrontendSettings settings_;
  ClaudeRules rules_;
  Signal changed_;  // prompts, and open requests to the host
  claude::AgentSide agent_;
  ClaudeOutbox outbox_;
  ClaudeLines lines_;
  ClaudeSession session_;
  HostHooks hooks_;
  HostTools host_tools_;
  HostQuestions questions_;
  std::unique_ptr<ClaudeAnswers> answers_;
  ClaudeTurnStream turn_;
  PromptFeed prompts_;
  Scope scope_;
};

}  // namespace

Task<ClaudeServed> serve_hub_over_claude(Loop& loop, hub::UserHub hub, std::unique_ptr<Frames> frames,
                                         ClaudeFrontendSettings settings) {
  ClaudeFrontend frontend(loop, std::move(hub), std::move(frames), std::move(settings));
  co_return co_await frontend.serve();
}

}  // namespace parlance::face

#include "parlance/driver/gorpc/agent_via_gorpc.h"

#include <algorithm>
#include <optional>

#include "parlance/agent/limits.h"
#include "parlance/async/cancel.h"
#include "parlance/base/secret.h"
#include "parlance/driver/gorpc/chat_call.h"
#include "parlance/driver/gorpc/chat_history.h"
#include "parlance/driver/gorpc/parts.h"
#include "parlance/driver/gorpc/sample_via_gorpc.h"
#include "parlance/toolbox/editor_tools.h"
#include "parlance/toolbox/tool_run.h"

namespace parlance::driver {
namespace {

// Chat calls that one prompt may lead to. Large tasks need dozens; a model that goes in circles is stopped here.
constexpr std::uint32_t tool_rounds = 100;

hub::StopReason stop_of(const std::string& stop) {
  if (stop == "max_tokens") return hub::StopReason::max_tokens;
  if (stop == "refusal") return hub::StopReason::refusal;
  return hub::StopReason::end_turn;
}

// Tells the turn what a Chat says while it runs.
class Telling final : public ChatListener {
 public:
  Telling(Loop& loop, hub::Turn& turn) : loop_(loop), turn_(turn) {}

  void on_text(std::string_view piece) override {
    end_thinking();
    if (!piece.empty()) turn_.emit(hub::event::Text{std::string(piece)});
  }
  void on_thought(std::string_view piece) override {
    if (piece.empty()) return;
    if (!std::exchange(thinking_, true)) {
      began_ = loop_.now();
      turn_.emit(hub::event::ThinkingStart{});
    }
    turn_.emit(hub::event::ThinkingContent{std::string(piece)});
  }
  void on_wait(std::size_t before) override {
    turn_.set_waits_for("a free place at the agent, which has " + std::to_string(limits::running_chats) +
                        "; before it: " + std::to_string(before));
  }
  void on_begin() override { turn_.set_waits_for(""); }
  Task<void> room() override {
    if (turn_.congested()) static_cast<void>(co_await turn_.written());
  }
  void end_thinking() {
    if (!std::exchange(thinking_, false)) return;
    turn_.emit(hub::event::ThinkingEnd{std::chrono::duration_cast<std::chrono::milliseconds>(loop_.now() - began_).count()});
  }

 private:
  Loop& loop_;
  hub::Turn& turn_;
  bool thinking_ = false;
  TimePoint began_{};
};

class GorpcAgent final : public hub::Agent {
 public:
  // `editor`: tools that reach into it beside `tools`; null where there is none.
  GorpcAgent(Loop& loop, AgentLink& link, hub::Tools& tools, std::unique_ptr<hub::Tools> editor,
             const toolbox::ToolHooksPort* hooks)
      : loop_(loop), link_(link), editor_(std::move(editor)), tools_(editor_ ? *editor_ : tools), port_(hooks) {}

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    cancel_.emplace(loop_);
    Result<hub::StopReason> ended = co_await under(*cancel_, run(turn, std::move(prompt)));
    if (cancel_->cancelled()) co_return hub::StopReason::cancelled;
    co_return ended;
  }
  void cancel() override {
    if (cancel_) cancel_->cancel();
  }
  // The agent keeps nothing: mode is the hub's policy, model and thinking go with each Chat.
  Task<Result<void>> set_mode(hub::Mode) override { co_return Result<void>{}; }
  Task<Result<void>> set_model(std::string) override { co_return Result<void>{}; }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<void> close() override { co_return; }

 private:
  Task<Result<hub::StopReason>> run(hub::Turn& turn, hub::Prompt prompt) {
    if (prompt.resume && !prompt.resume->call.id.empty()) {
      PARLANCE_CO_TRY(history, co_await turn.history());
      occasion_ = hub::occasion_of(history);
      hub::ToolCall call = prompt.resume->call;
      call.occasion = occasion_;
      PARLANCE_CO_TRY(after, co_await run_tools(turn, {std::move(call)}));
      if (after == toolbox::AfterTool::turn_ends) co_return hub::StopReason::end_turn;
    }
    options_ = prompt.options;
    const std::uint32_t rounds = std::min(prompt.options.most_rounds.value_or(tool_rounds), tool_rounds);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      PARLANCE_CO_TRY(reply, co_await chat(turn));
      if (reply.input_tokens != 0 || reply.output_tokens != 0)
        turn.emit(hub::event::Usage{.input_tokens = static_cast<std::uint64_t>(reply.input_tokens),
                                    .output_tokens = static_cast<std::uint64_t>(reply.output_tokens)});
      if (round == 0) tell_unseen(turn, prompt.attachments, reply);
      if (reply.tools.empty()) co_return stop_of(reply.stop);
      std::vector<hub::ToolCall> calls;
      for (gorpc::ToolCall& call : reply.tools)
        calls.push_back({.id = call.id.empty() ? make_id("call_") : std::move(call.id),
                         .tool = std::move(call.function.name),
                         .arguments_json = std::move(call.function.arguments),
                         .occasion = occasion_});
      PARLANCE_CO_TRY(after, co_await run_tools(turn, std::move(calls)));
      PARLANCE_CO_TRY_DO(co_await turn.written());
      if (after == toolbox::AfterTool::turn_ends) co_return hub::StopReason::end_turn;
    }
    turn.emit(hub::event::Failure{
        .code = "max_turns",
        .message = "The agent asked for tools " + std::to_string(rounds) + " times in this turn and was stopped.",
        .detail = "Send another message to let it go on.",
        .retryable = true});
    co_return hub::StopReason::max_turns;
  }

  Task<Result<toolbox::AfterTool>> run_tools(hub::Turn& turn, std::vector<hub::ToolCall> calls) {
    toolbox::ToolHooks* const hooks = port_ != nullptr ? port_->hooks : nullptr;
    if (hooks != nullptr)
      for (hub::ToolCall& call : calls) call = hooks->named(turn.conversation(), std::move(call));
    for (const hub::ToolCall& call : calls) co_await toolbox::announce_tool(turn, tools_, call);
    toolbox::AfterTool after = toolbox::AfterTool::goes_on;
    for (const hub::ToolCall& call : calls) {
      PARLANCE_CO_TRY(one, co_await toolbox::carry_out_tool(turn, tools_, call,
                                                            sample_via_gorpc(loop_, link_, turn.conversation().model), hooks));
      if (one == toolbox::AfterTool::turn_ends) after = one;
    }
    co_return after;
  }

  Task<Result<gorpc::ChatReply>> chat(hub::Turn& turn) {
    PARLANCE_CO_TRY(history, co_await turn.history());
    occasion_ = hub::occasion_of(history);
    const hub::Conversation& conversation = turn.conversation();
    gorpc::ChatArgs args{.model = conversation.model, .think = conversation.think ? "on" : ""};
    add_system(args, conversation, options_);
    const bool attached = std::ranges::any_of(history, [](const hub::ChatMessage& one) { return !one.attachments.empty(); });
    if (attached) takes_attachments_ = (co_await link_.abilities()).attachments;
    PARLANCE_CO_TRY_DO(co_await add_history(args, turn, std::move(history), takes_attachments_));
    for (const hub::ToolSpec& spec : tools_.list())
      args.tools.push_back(gorpc_tool(spec.name, spec.description, spec.parameters_json));
    Telling telling(loop_, turn);
    Result<gorpc::ChatReply> reply = co_await call_chat(link_, std::move(args), telling);
    telling.end_thinking();
    if (!reply && reply.error().code == Errc::disconnected)
      co_return fail(Errc::disconnected, "the agent went away before its answer was complete; try again when it is back (" +
                                             reply.error().message + ")");
    co_return reply;
  }

  // The model has been told in its place; the person should not wonder.
  void tell_unseen(hub::Turn& turn, const std::vector<hub::AttachmentInfo>& attached, const gorpc::ChatReply& reply) const {
    const std::size_t unseen = takes_attachments_ ? static_cast<std::size_t>(reply.unseen) : attached.size();
    if (attached.empty() || unseen == 0) return;
    link_.ask_abilities_again();  // some servers say only to the request itself what they do not take
    turn.emit(hub::event::Failure{.code = "not_shown",
                                  .message = "The model could not be shown " + std::to_string(unseen) + " of " +
                                             std::to_string(attached.size()) + " attachments.",
                                  .detail = "It was told that there was something that it cannot see."});
  }

  Loop& loop_;
  AgentLink& link_;
  std::unique_ptr<hub::Tools> editor_;
  hub::Tools& tools_;
  const toolbox::ToolHooksPort* port_;
  hub::PromptOptions options_{};    // of the running prompt
  hub::Occasion occasion_{};        // of it, too
  bool takes_attachments_ = false;  // asked when there are some
  std::optional<CancelSource> cancel_;
};

class GorpcProvider final : public hub::AgentProvider {
 public:
  GorpcProvider(Loop& loop, AgentLink& link, hub::Tools& tools, GorpcAgentSettings settings)
      : loop_(loop), link_(link), tools_(tools), settings_(std::move(settings)) {}

  hub::AgentInfo info() const override {
    using hub::Mode;
    const AgentLink::State state = link_.state();
    std::optional<std::vector<std::string>> media_types;
    if (const auto& can = link_.known_abilities()) media_types = can->attachments ? can->media_types : std::vector<std::string>{};
    return {.id = settings_.id,
            .name = settings_.name,
            .state = state == AgentLink::State::ready        ? hub::Health::ready
                     : state == AgentLink::State::connecting ? hub::Health::starting
                                                             : hub::Health::down,
            .detail = link_.address(),
            .modes = {Mode::default_, Mode::auto_edit, Mode::plan, Mode::smart, Mode::yolo},
            .models = settings_.models,
            .scripted = settings_.scripted,
            .media_types = std::move(media_types)};
  }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::Conversation, hub::AgentHost host) override {
    std::unique_ptr<hub::Tools> editor;
    if (host.editor != nullptr) {
      if (!files_) files_ = std::make_unique<Worker>(loop_, "editor files");
      editor = std::make_unique<toolbox::EditorTools>(tools_, *host.editor, *files_);
    }
    co_return std::make_unique<GorpcAgent>(loop_, link_, tools_, std::move(editor), settings_.hooks);
  }

 private:
  Loop& loop_;
  AgentLink& link_;
  hub::Tools& tools_;
  GorpcAgentSettings settings_;
  std::unique_ptr<Worker> files_;  // from the first conversation on that has an editor
};

}  // namespace

std::unique_ptr<hub::AgentProvider> agent_via_gorpc(Loop& loop, AgentLink& link, hub::Tools& tools, GorpcAgentSettings settings) {
  return std::make_unique<GorpcProvider>(loop, link, tools, std::move(settings));
}

}  // namespace parlance::driver

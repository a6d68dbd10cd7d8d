// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/agent_via_gorpc.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "parlance/agent/limits.h"
#include "parlance/async/cancel.h"
#include "parlance/base/secret.h"
#include "parlance/codec/json/writer.h"
#include "parlance/driver/gorpc/chat_call.h"
#include "parlance/driver/gorpc/chat_history.h"
#include "parlance/driver/gorpc/history_window.h"
#include "parlance/driver/gorpc/limits.h"
#include "parlance/driver/gorpc/parts.h"
#include "parlance/driver/gorpc/sample_via_gorpc.h"
#include "parlance/driver/gorpc/turn_ends.h"
#include "parlance/toolbox/editor_tools.h"
#include "parlance/toolbox/memory_tools.h"
#include "parlance/toolbox/tool_run.h"

namespace parlance::driver {
namespace {

// Tells the turn what a Chat says while it runs.
class Telling final : public ChatListener {
 public:
  // `thinking`: a thought was told before, and not its end.
  Telling(hub::Turn& turn, bool thinking) : turn_(turn), thinking_(thinking) {}

  void on_text(std::string_view piece) override {
    end_hold();
    end_thinking();
    if (!piece.empty()) turn_.emit(hub::event::Text{std::string(piece)});
  }
  void on_thought(std::string_view piece) override {
    if (piece.empty()) return;
    end_hold();
    if (!std::exchange(thinking_, true)) turn_.emit(hub::event::ThinkingStart{});
    turn_.emit(hub::event::ThinkingContent{std::string(piece)});
  }
  void on_wait(std::size_t before) override {
    turn_.set_waits_for("a free slot at the agent, with a limit of " + std::to_string(limits::running_chats) +
                        "; before it: " + std::to_string(before));
  }
  void on_begin() override { turn_.set_waits_for(""); }
  void on_hold(std::string what) override {
    held_ = !what.empty();
    turn_.set_waits_for(std::move(what));
  }
  Task<void> room() override {
    if (turn_.congested()) static_cast<void>(co_await turn_.written());
  }
  void on_other_answer() override {
    end_thinking();
    turn_.emit(
        hub::event::Failure{.code = std::string(hub::answers_anew),
                            .message = "The agent restarted during its answer, and answers again.",
                            .detail = "The incomplete first answer is above; the second answer follows from its beginning."});
  }
  void end_hold() {
    if (std::exchange(held_, false)) turn_.set_waits_for("");
  }
  void end_thinking() {
    if (std::exchange(thinking_, false)) turn_.emit(hub::event::ThinkingEnd{});  // the turn knows how long it took
  }

 private:
  hub::Turn& turn_;
  bool thinking_;
  bool held_ = false;  // the turn says that it waits for the model
};

// What of the answer that comes next was told already.
struct Told {
  std::string text{};
  std::string thought{};
  bool thinking = false;
  bool usage = false;
};

// The answer that is being told is no part of what it answers.
void take_off_answer(std::vector<hub::ChatMessage>& history) {
  if (!history.empty() && history.back().role == hub::Role::assistant && history.back().calls.empty()) history.pop_back();
}

class GorpcAgent final : public hub::Agent {
 public:
  // `editor`: tools that reach into it beside `tools`; null where there is none.
  GorpcAgent(Loop& loop, AgentLink& link, hub::Tools& tools, std::unique_ptr<hub::Tools> editor,
             const GorpcAgentSettings& settings)
      : loop_(loop), link_(link), editor_(std::move(editor)), tools_(editor_ ? *editor_ : tools), settings_(settings) {}

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    return unless_cancelled(run(turn, std::move(prompt)));
  }
  Task<Result<hub::StopReason>> take_up(hub::Turn& turn, hub::TurnSoFar so_far) override {
    return unless_cancelled(go_on_with(turn, std::move(so_far)));
  }
  void leave() override { link_.leave_chats(); }
  void cancel() override {
    if (cancel_) cancel_->cancel();
  }
  // The agent keeps nothing: mode is the hub's policy, model and thinking go with each Chat.
  Task<Result<void>> set_mode(hub::Mode) override { co_return Result<void>{}; }
  Task<Result<void>> set_model(std::string) override { co_return Result<void>{}; }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<void> close() override { co_return; }

 private:
  Task<Result<hub::StopReason>> unless_cancelled(Task<Result<hub::StopReason>> turn) {
    cancel_.emplace(loop_);
    Result<hub::StopReason> ended = co_await under(*cancel_, std::move(turn));
    if (!cancel_->cancelled()) co_return ended;
    // Whoever stops a turn of before may be quicker than we are back at its Chat.
    if (!kept_.empty()) link_.cancel_chat(kept_);
    co_return hub::StopReason::cancelled;
  }

  Task<Result<hub::StopReason>> run(hub::Turn& turn, hub::Prompt prompt) {
    answers_ = 0;
    kept_.clear();
    if (prompt.resume && !prompt.resume->call.id.empty()) {
      PARLANCE_CO_TRY(history, co_await turn.history());
      occasion_ = occasion_in(turn, history);
      hub::ToolCall call = prompt.resume->call;
      call.occasion = occasion_;
      PARLANCE_CO_TRY(after, co_await run_tools(turn, {std::move(call)}));
      if (after == toolbox::AfterTool::turn_ends) co_return hub::StopReason::end_turn;
    }
    options_ = std::move(prompt.options);
    co_await expect_servers(turn);
    tell_tool_problems(turn);
    co_return co_await answer(turn, 0, prompt.attachments, {});
  }

  // A turn of before. What its calls asked waits, or was answered; what ran is not run again; an answer that was being told goes on.
  Task<Result<hub::StopReason>> go_on_with(hub::Turn& turn, hub::TurnSoFar so_far) {
    co_await expect_servers(turn);
    options_ = std::move(so_far.options);
    answers_ = so_far.answers;
    kept_ = name_of_next(turn);
    Told told;
    if (!so_far.calls.empty()) {
      PARLANCE_CO_TRY(history, co_await turn.history());
      occasion_ = occasion_in(turn, history);
      PARLANCE_CO_TRY(after, co_await finish_tools(turn, std::move(so_far.calls)));
      PARLANCE_CO_TRY_DO(co_await turn.written());
      if (after == toolbox::AfterTool::turn_ends) co_return hub::StopReason::end_turn;
    } else if (!(co_await link_.abilities()).keeps) {  // a program of others, which may do more in a Chat than answer
      turn.emit(hub::event::Failure{
          .code = "interrupted",
          .message = "parlance restarted during the agent's answer",
          .detail = "This agent does not keep answers across restarts. The received part of the answer is above.",
          .retryable = true});
      co_return hub::StopReason::error;
    } else {
      told = {std::move(so_far.text), std::move(so_far.thought), so_far.thinking, so_far.usage};
    }
    co_return co_await answer(turn, so_far.answers, so_far.attachments, std::move(told));
  }

  // The model is told of tools once an answer, and would go on without those of a server that is still starting.
  Task<void> expect_servers(hub::Turn& turn) {
    if (!settings_.absent_servers) co_return;
    std::vector<AbsentServer> absent = settings_.absent_servers();
    if (std::ranges::any_of(absent, &AbsentServer::starting)) {
      turn.set_waits_for("starting MCP servers");
      static_cast<void>(co_await settings_.servers_settle());
      turn.set_waits_for("");
      absent = settings_.absent_servers();
    }
    const std::set<std::string> told = std::exchange(told_absent_, {});
    for (const AbsentServer& server : absent)
      if (told_absent_.insert(server.name).second && !told.contains(server.name)) turn.emit(absent_notice(server));
  }

  // Asks the model, and again with the results of the tools that it wants, until it wants none.
  Task<Result<hub::StopReason>> answer(hub::Turn& turn, std::uint32_t round, std::vector<hub::AttachmentInfo> attachments,
                                       Told told) {
    int cut = 0;  // answers in a row
    for (;; ++round) {
      if (round >= options_.most_rounds.value_or(round + 1)) co_return out_of_rounds(turn, round);
      if (round != 0 && round % settings_.tool_rounds == 0) {
        PARLANCE_CO_TRY(goes_on, co_await may_go_on(turn, round));
        if (!goes_on) co_return hub::StopReason::max_turns;
      }
      const bool usage_told = told.usage;
      PARLANCE_CO_TRY(reply, co_await chat(turn, std::exchange(told, {})));
      if (!usage_told && (reply.input_tokens != 0 || reply.output_tokens != 0))
        turn.emit(hub::event::Usage{.input_tokens = static_cast<std::uint64_t>(reply.input_tokens),
                                    .output_tokens = static_cast<std::uint64_t>(reply.output_tokens)});
      const std::size_t unseen = takes_attachments_ ? static_cast<std::size_t>(reply.unseen) : attachments.size();
      if (!usage_told && round == 0 && tell_unseen(turn, unseen, attachments.size())) link_.ask_abilities_again();
      if (reply.stop == "refusal") co_return hub::StopReason::refusal;
      if (reply.stop == "error") co_return no_answer(turn, reply.problem);
      if (reply.stop == "max_tokens") {
        std::ranges::move(reply.tools, std::back_inserter(reply.cut));
        if (reply.cut.empty()) co_return hub::StopReason::max_tokens;
        toolbox::tell_cut_tools(turn, calls_of(std::move(reply.cut)));
        ++answers_;
        PARLANCE_CO_TRY_DO(co_await turn.written());
        if (++cut >= limits::cut_answers) co_return cut_again(turn);
        continue;
      }
      cut = 0;
      if (reply.tools.empty()) co_return hub::StopReason::end_turn;
      PARLANCE_CO_TRY(after, co_await run_tools(turn, calls_of(std::move(reply.tools))));
      PARLANCE_CO_TRY_DO(co_await turn.written());
      if (after == toolbox::AfterTool::turn_ends) co_return hub::StopReason::end_turn;
    }
  }

  // Calls are told apart by their ids, also from those of earlier answers: models and servers use one again.
  std::vector<hub::ToolCall> calls_of(std::vector<gorpc::ToolCall> told) {
    std::vector<hub::ToolCall> calls;
    for (gorpc::ToolCall& call : told) {
      if (call.id.empty() || !call_ids_.insert(call.id).second) call.id = make_id("call_");
      std::string arguments;
      json::write_raw(arguments, call.function.arguments);
      calls.push_back({.id = std::move(call.id),
                       .tool = std::move(call.function.name),
                       .arguments_json = std::move(arguments),
                       .occasion = occasion_});
    }
    return calls;
  }

  // A conversation has the memory of its user. For a message of a guest nothing of it is used.
  static hub::Occasion occasion_in(const hub::Turn& turn, std::span<const hub::ChatMessage> history) {
    hub::Occasion occasion = hub::occasion_of(history);
    occasion.user = turn.conversation().user.value_or("");
    occasion.of_guest = turn.is_of_guest();
    return occasion;
  }
  std::string name_of_next(const hub::Turn& turn) const { return turn.id() + "." + std::to_string(answers_); }
  toolbox::ToolHooks* hooks() const { return settings_.hooks != nullptr ? settings_.hooks->hooks : nullptr; }

  Task<Result<toolbox::AfterTool>> run_tools(hub::Turn& turn, std::vector<hub::ToolCall> calls) {
    if (hooks() != nullptr)
      for (hub::ToolCall& call : calls) call = hooks()->named(turn.conversation(), std::move(call));
    co_await toolbox::announce_tools(turn, tools_, calls);
    ++answers_;
    std::vector<hub::OpenCall> open;
    for (hub::ToolCall& call : calls) open.push_back({.call = std::move(call)});
    co_return co_await finish_tools(turn, std::move(open));
  }

  // Announced, and perhaps begun before this program was.
  Task<Result<toolbox::AfterTool>> finish_tools(hub::Turn& turn, std::vector<hub::OpenCall> calls) {
    toolbox::AfterTool after = toolbox::AfterTool::goes_on;
    for (hub::OpenCall& one : calls) {
      if (one.begun) {
        toolbox::end_interrupted_tool(turn, one.call.id);
        continue;
      }
      one.call.occasion = occasion_;
      hub::Sampler sample = sample_via_gorpc(loop_, link_, turn.conversation().model);
      PARLANCE_CO_TRY(then, co_await toolbox::carry_out_tool(turn, tools_, std::move(one.call), std::move(sample), hooks()));
      if (then == toolbox::AfterTool::turn_ends) after = then;
    }
    co_return after;
  }

  // One answer, at whichever agent is there in the end: to one that was started anew it is put again.
  Task<Result<gorpc::ChatReply>> chat(hub::Turn& turn, Told told) {
    Telling telling(turn, told.thinking);
    AnswerHeard heard(telling, std::move(told.text), std::move(told.thought));
    const bool keeps = settings_.turns_go_on && !turn.conversation().via;
    KeptChat kept;
    if (keeps) {
      kept_ = name_of_next(turn);
      kept = {.name = kept_, .keep = limits::chat_kept};
    }
    Result<gorpc::ChatReply> reply = gorpc::ChatReply{};
    bool shortened = false;
    for (int again = 0;; ++again) {
      PARLANCE_CO_TRY(args, co_await chat_args(turn, heard.has_text()));
      reply = co_await call_chat(link_, std::move(args), heard, kept);
      if (!reply && !turn.conversation().via && window_.shrink(reply.error())) {
        if (keeps) kept.name = kept_ += "s";  // the agent keeps the refusal under the earlier name
        shortened = true;
        continue;
      }
      const bool lost = !reply && reply.error().code == Errc::disconnected;
      if (!lost || !keeps || again >= limits::chat_repeats) break;
      turn.set_waits_for("the restart of the agent");
      const bool there = co_await link_.comes_back();
      turn.set_waits_for("");
      if (!there || !(co_await link_.abilities()).keeps) break;
    }
    telling.end_hold();
    telling.end_thinking();
    if (reply && shortened) turn.emit(left_out_notice());
    if (!reply && reply.error().code == Errc::disconnected)
      co_return fail(Errc::disconnected, "the agent disconnected before its answer was complete; try again after its restart (" +
                                             reply.error().message + ")");
    co_return reply;
  }

  // `answering`: a part of the answer has been told.
  Task<Result<gorpc::ChatArgs>> chat_args(hub::Turn& turn, bool answering) {
    PARLANCE_CO_TRY(history, co_await turn.history());
    if (answering) take_off_answer(history);
    window_.fit(history, turn.conversation().model);
    call_ids_.clear();
    for (const hub::ChatMessage& message : history)
      for (const hub::ToolCall& call : message.calls) call_ids_.insert(call.id);
    occasion_ = occasion_in(turn, history);
    const hub::Conversation& conversation = turn.conversation();
    gorpc::ChatArgs args{
        .model = conversation.model, .think = conversation.think ? "on" : "", .user = conversation.user.value_or("")};
    if (const auto wanted = link_.parameters().find(conversation.id); wanted != link_.parameters().end())
      add_parameters(args, wanted->second);
    add_system(args, conversation, options_);
    const bool attached = std::ranges::any_of(history, has_attachments);
    if (attached) takes_attachments_ = (co_await link_.abilities()).attachments;
    PARLANCE_CO_TRY_DO(co_await add_history(args, turn, std::move(history), takes_attachments_));
    args.alone = args.alone || occasion_.of_guest;
    for (const hub::ToolSpec& spec : tools_.list()) {
      if (occasion_.of_guest && toolbox::MemoryTools::has(spec.name)) continue;
      args.tools.push_back(gorpc_tool(spec.name, spec.description, spec.parameters_json));
    }
    co_return args;
  }

  void tell_tool_problems(hub::Turn& turn) {
    std::string problems = settings_.tool_problems ? settings_.tool_problems() : std::string();
    if (!problems.empty() && problems != told_problems_)
      turn.emit(hub::event::Notice{
          .level = hub::NoticeLevel::warning, .text = "Tools are missing from this conversation.", .detail = problems});
    told_problems_ = std::move(problems);
  }

  Loop& loop_;
  AgentLink& link_;
  std::unique_ptr<hub::Tools> editor_;
  hub::Tools& tools_;
  const GorpcAgentSettings& settings_;   // of its provider
  hub::PromptOptions options_{};         // of the running turn
  std::string kept_{};                   // the Chat of it that the agent keeps
  std::uint32_t answers_ = 0;            // of it, that ended with calls: they are what names the next (TurnSoFar::answers)
  hub::Occasion occasion_{};             // of it, too
  std::set<std::string> call_ids_{};     // of the calls in the history
  std::string told_problems_{};          // of tools, in the last notice
  std::set<std::string> told_absent_{};  // servers that the person was told about
  HistoryWindow window_{};               // the part of the history within the context of the model
  bool takes_attachments_ = false;       // asked when there are some
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
            .state = !settings_.unavailable.empty()          ? hub::Health::down
                     : state == AgentLink::State::ready      ? hub::Health::ready
                     : state == AgentLink::State::connecting ? hub::Health::starting
                                                             : hub::Health::down,
            .detail = settings_.unavailable.empty() ? link_.address() : settings_.unavailable,
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
    co_return std::make_unique<GorpcAgent>(loop_, link_, tools_, std::move(editor), settings_);
  }
  bool takes_up() const override { return settings_.turns_go_on; }

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

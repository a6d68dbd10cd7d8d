// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/agent_via_gorpc.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "parlance/async/cancel.h"
#include "parlance/base/secret.h"
#include "parlance/codec/json/writer.h"
#include "parlance/driver/gorpc/chat_call.h"
#include "parlance/driver/gorpc/chat_history.h"
#include "parlance/driver/gorpc/first_title.h"
#include "parlance/driver/gorpc/history_window.h"
#include "parlance/driver/gorpc/kept_history.h"
#include "parlance/driver/gorpc/limits.h"
#include "parlance/driver/gorpc/parts.h"
#include "parlance/driver/gorpc/sample_via_gorpc.h"
#include "parlance/driver/gorpc/turn_ends.h"
#include "parlance/driver/gorpc/turn_listener.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/model/too_long.h"
#include "parlance/toolbox/editor_tools.h"
#include "parlance/toolbox/memory_tools.h"
#include "parlance/toolbox/tool_run.h"

namespace parlance::driver {
namespace {

// The parts of the next answer that are published already.
struct PartialAnswer {
  std::string text{};
  std::string thought{};
  bool thinking = false;
  bool usage = false;
};

// Removes the answer in progress: a Chat's history ends before the answer.
void take_off_answer(std::vector<hub::ChatMessage>& history) {
  if (!history.empty() && history.back().role == hub::Role::assistant && history.back().calls.empty()) history.pop_back();
}

hub::event::Usage usage_of(const gorpc::ChatReply& reply) {
  return {.input_tokens = static_cast<std::uint64_t>(reply.input_tokens),
          .output_tokens = static_cast<std::uint64_t>(reply.output_tokens)};
}

class GorpcAgent final : public hub::Agent {
 public:
  // `editor`: tools of the editor, in addition to `tools`; null without an editor.
  GorpcAgent(Loop& loop, AgentLink& link, hub::Tools& tools, std::unique_ptr<hub::Tools> editor,
             const GorpcAgentSettings& settings, hub::AgentSink& sink)
      : loop_(loop),
        link_(link),
        editor_(std::move(editor)),
        tools_(editor_ ? *editor_ : tools),
        settings_(settings),
        title_(link, [&sink](const gorpc::ChatReply& reply) {
          if (reply.input_tokens != 0 || reply.output_tokens != 0) sink.emit(usage_of(reply));
          if (std::string title = title_in(reply); !title.empty()) sink.set_title(std::move(title));
        }) {}

  Task<Result<hub::StopReason>> prompt(hub::Turn& turn, hub::Prompt prompt) override {
    return unless_cancelled(turn, run(turn, std::move(prompt)));
  }
  Task<Result<hub::StopReason>> resume_turn(hub::Turn& turn, hub::TurnSoFar so_far) override {
    return unless_cancelled(turn, continue_turn(turn, std::move(so_far)));
  }
  void leave() override { link_.detach_chats(); }
  void cancel() override {
    if (cancel_) cancel_->cancel();
  }
  // The agent stores no settings: the mode is the hub's policy, and each Chat carries model and thinking.
  Task<Result<void>> set_mode(hub::Mode) override { co_return Result<void>{}; }
  Task<Result<void>> set_model(std::string) override { co_return Result<void>{}; }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<void> close() override { co_return; }

 private:
  Task<Result<hub::StopReason>> unless_cancelled(hub::Turn& turn, Task<Result<hub::StopReason>> run) {
    title_.stop();
    cancel_.emplace(loop_);
    Result<hub::StopReason> ended = co_await under(*cancel_, std::move(run));
    if (!cancel_->cancelled()) {
      const hub::SessionSetup& of = turn.setup();
      if (settings_.titles && ended == hub::StopReason::end_turn && !of.named && !of.via && !is_scripted())
        title_.ask(of.title, of.model);
      co_return ended;
    }
    // A person may stop a recovered turn before the driver has resumed the kept Chat.
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
    report_tool_problems(turn);
    co_return co_await answer(turn, 0, prompt.attachments, {});
  }

  // Continues a recovered turn. Requests of calls stay open or have answers; finished calls do not run again; a partial answer
  // continues.
  Task<Result<hub::StopReason>> continue_turn(hub::Turn& turn, hub::TurnSoFar so_far) {
    co_await expect_servers(turn);
    options_ = std::move(so_far.options);
    answers_ = so_far.answers;
    kept_ = name_of_next(turn);
    PartialAnswer partial;
    if (!so_far.calls.empty()) {
      PARLANCE_CO_TRY(history, co_await turn.history());
      occasion_ = occasion_in(turn, history);
      PARLANCE_CO_TRY(after, co_await finish_tools(turn, std::move(so_far.calls)));
      PARLANCE_CO_TRY_DO(co_await turn.written());
      if (after == toolbox::AfterTool::turn_ends) co_return hub::StopReason::end_turn;
    } else if (!(co_await link_.abilities()).keeps) {  // a third-party program: repeating its Chat may repeat side effects
      turn.emit(hub::event::Failure{
          .code = "interrupted",
          .message = "parlance restarted during the agent's answer",
          .detail = "This agent does not keep answers across restarts. The received part of the answer is above.",
          .retryable = true});
      co_return hub::StopReason::error;
    } else {
      partial = {std::move(so_far.text), std::move(so_far.thought), so_far.thinking, so_far.usage};
    }
    co_return co_await answer(turn, so_far.answers, so_far.attachments, std::move(partial));
  }

  // The model gets the list of tools with each answer, and would continue without the tools of a server that is still starting.
  Task<void> expect_servers(hub::Turn& turn) {
    if (!settings_.absent_servers) co_return;
    std::vector<AbsentServer> absent = settings_.absent_servers();
    if (std::ranges::any_of(absent, &AbsentServer::starting)) {
      turn.set_waits_for("starting MCP servers");
      static_cast<void>(co_await settings_.servers_settle());
      turn.set_waits_for("");
      absent = settings_.absent_servers();
    }
    const std::set<std::string> known_absent = std::exchange(reported_absent_, {});
    for (const AbsentServer& server : absent)
      if (reported_absent_.insert(server.name).second && !known_absent.contains(server.name)) turn.emit(absent_notice(server));
  }

  // Asks the model, and asks again with the results of the requested tools, until the model requests no tools.
  Task<Result<hub::StopReason>> answer(hub::Turn& turn, std::uint32_t round, std::vector<hub::AttachmentInfo> attachments,
                                       PartialAnswer partial) {
    int cut = 0;  // consecutive cut answers
    for (;; ++round) {
      if (round >= options_.most_rounds.value_or(round + 1)) co_return out_of_rounds(turn, round);
      if (round != 0 && round % settings_.tool_rounds == 0) {
        PARLANCE_CO_TRY(continues, co_await may_continue(turn, round));
        if (!continues) co_return hub::StopReason::max_turns;
      }
      const bool usage_reported = partial.usage;
      PARLANCE_CO_TRY(reply, co_await chat(turn, std::exchange(partial, {})));
      if (!usage_reported && (reply.input_tokens != 0 || reply.output_tokens != 0)) turn.emit(usage_of(reply));
      const std::size_t unseen = takes_attachments_ ? static_cast<std::size_t>(reply.unseen) : attachments.size();
      if (!usage_reported && round == 0 && report_unseen(turn, unseen, attachments.size())) link_.ask_abilities_again();
      if (reply.stop == "refusal") co_return hub::StopReason::refusal;
      if (reply.stop == "error") co_return no_answer(turn, reply.problem);
      if (reply.stop == "max_tokens") {
        std::ranges::move(reply.tools, std::back_inserter(reply.cut));
        if (reply.cut.empty()) co_return hub::StopReason::max_tokens;
        toolbox::report_cut_calls(turn, calls_of(std::move(reply.cut)));
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

  bool is_scripted() const {
    return settings_.complete ? settings_.complete({.scripted = settings_.scripted}).scripted : settings_.scripted;
  }

  // Gives each call an id that is unique in the history: models and servers reuse ids.
  std::vector<hub::ToolCall> calls_of(std::vector<gorpc::ToolCall> from) {
    std::vector<hub::ToolCall> calls;
    for (gorpc::ToolCall& call : from) {
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

  // A conversation uses the memory of its user. A message of a guest uses no part of the memory.
  static hub::Occasion occasion_in(const hub::Turn& turn, std::span<const hub::ChatMessage> history) {
    hub::Occasion occasion = hub::occasion_of(history);
    occasion.user = turn.setup().user.value_or("");
    occasion.of_guest = turn.is_of_guest();
    return occasion;
  }
  std::string name_of_next(const hub::Turn& turn) const { return turn.id() + "." + std::to_string(answers_); }
  toolbox::ToolHooks* hooks() const { return settings_.hooks != nullptr ? settings_.hooks->hooks : nullptr; }

  Task<Result<toolbox::AfterTool>> run_tools(hub::Turn& turn, std::vector<hub::ToolCall> calls) {
    if (hooks() != nullptr)
      for (hub::ToolCall& call : calls) call = hooks()->named(turn.setup(), std::move(call));
    co_await toolbox::announce_tools(turn, tools_, calls);
    ++answers_;
    std::vector<hub::OpenCall> open;
    for (hub::ToolCall& call : calls) open.push_back({.call = std::move(call)});
    co_return co_await finish_tools(turn, std::move(open));
  }

  // Finishes announced calls. A previous program may have begun some calls.
  Task<Result<toolbox::AfterTool>> finish_tools(hub::Turn& turn, std::vector<hub::OpenCall> calls) {
    toolbox::AfterTool after = toolbox::AfterTool::goes_on;
    for (hub::OpenCall& call : calls) {
      if (call.begun) {
        toolbox::end_interrupted_tool(turn, call.call.id);
        continue;
      }
      call.call.occasion = occasion_;
      hub::Sampler sample = sample_via_gorpc(loop_, link_, turn.setup().model);
      PARLANCE_CO_TRY(then, co_await toolbox::carry_out_tool(turn, tools_, std::move(call.call), std::move(sample), hooks()));
      if (then == toolbox::AfterTool::turn_ends) after = then;
    }
    co_return after;
  }

  // Gets a single answer from the agent that is connected at the end. A restarted agent gets the request again.
  Task<Result<gorpc::ChatReply>> chat(hub::Turn& turn, PartialAnswer partial) {
    TurnListener listener(turn, partial.thinking);
    AnswerStream answer(listener, std::move(partial.text), std::move(partial.thought));
    const bool keeps = settings_.continues_turns && !turn.setup().via;
    KeptChat kept;
    if (keeps) {
      kept_ = name_of_next(turn);
      kept = {.name = kept_, .keep = limits::chat_kept};
    }
    Result<gorpc::ChatReply> reply = gorpc::ChatReply{};
    bool shortened = false;
    for (int again = 0;; ++again) {
      PARLANCE_CO_TRY(args, co_await chat_args(turn, answer.has_text()));
      Result<gorpc::ContinueChatReply> continued = co_await call_chat(link_, std::move(args), answer, kept);
      if (known_.must_repeat(continued)) continue;
      if (continued) reply = std::move(continued->reply);
      else reply = fail(std::move(continued).error());
      if (!reply && !turn.setup().via && co_await shrink(turn, reply.error())) {
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
    listener.end_hold();
    listener.end_thinking();
    if (reply && shortened) turn.emit(left_out_notice());
    if (!reply && reply.error().code == Errc::disconnected)
      co_return fail(Errc::disconnected, "the agent disconnected before its answer was complete; try again after its restart (" +
                                             reply.error().message + ")");
    co_return reply;
  }

  // `answering`: a part of the answer is published already.
  Task<Result<gorpc::ContinueChatArgs>> chat_args(hub::Turn& turn, bool answering) {
    const hub::SessionSetup& setup = turn.setup();
    known_.use(link_.known_abilities(), !answering && !setup.via && !window_.is_limited(setup.model));
    PARLANCE_CO_TRY(part, co_await turn.history_since(known_.mark()));
    title_.see(only_prompt(part.messages));
    if (answering) take_off_answer(part.messages);
    window_.fit(part.messages, setup.model);
    if (!part.continues) call_ids_.clear();
    for (const hub::ChatMessage& message : part.messages)
      for (const hub::ToolCall& call : message.calls) call_ids_.insert(call.id);
    occasion_ = occasion_in(turn, part.messages);
    gorpc::ContinueChatArgs all{
        .chat = {.model = setup.model, .think = setup.think ? "on" : "", .user = setup.user.value_or("")}};
    gorpc::ChatArgs& args = all.chat;
    if (const auto wanted = link_.parameters().find(setup.id); wanted != link_.parameters().end())
      add_parameters(args, wanted->second);
    add_system(args, setup, options_);
    const bool attached = std::ranges::any_of(part.messages, has_attachments);
    if (attached) takes_attachments_ = (co_await link_.abilities()).attachments;
    // Pictures change with age.
    if (attached &&
        std::any_of(part.messages.begin(), part.messages.begin() + static_cast<std::ptrdiff_t>(part.settled), has_attachments))
      part.settled = 0;
    PARLANCE_CO_TRY_DO(co_await add_history(args, turn, std::move(part.messages), takes_attachments_));
    args.alone = args.alone || occasion_.of_guest;
    for (const hub::ToolSpec& spec : tools_.list()) {
      if (occasion_.of_guest && toolbox::MemoryTools::has(spec.name)) continue;
      args.tools.push_back(gorpc_tool(spec.name, spec.description, spec.parameters_json));
    }
    known_.refer(all, part);
    co_return all;
  }

  // A request that continues a kept history shows a part of its size only.
  Task<bool> shrink(hub::Turn& turn, Error error) {
    if (!model::is_too_long(error)) co_return false;
    auto history = co_await turn.history();
    if (!history) co_return false;
    window_.fit(*history, turn.setup().model);
    co_return window_.shrink(error);
  }

  void report_tool_problems(hub::Turn& turn) {
    std::string problems = settings_.tool_problems ? settings_.tool_problems() : std::string();
    if (!problems.empty() && problems != reported_problems_)
      turn.emit(hub::event::Notice{
          .level = hub::NoticeLevel::warning, .text = "Tools are missing from this conversation.", .detail = problems});
    reported_problems_ = std::move(problems);
  }

  Loop& loop_;
  AgentLink& link_;
  std::unique_ptr<hub::Tools> editor_;
  hub::Tools& tools_;
  const GorpcAgentSettings& settings_;  // of the provider
  hub::PromptOptions options_{};        // of the running turn
  std::string kept_{};                  // the turn's Chat that the agent keeps
  std::uint32_t answers_ = 0;  // the turn's answers that ended with calls; part of the next Chat's name (TurnSoFar::answers)
  hub::Occasion occasion_{};   // of the running turn
  std::set<std::string> call_ids_{};         // of the calls in the history
  std::string reported_problems_{};          // problems of tools in the last notice
  std::set<std::string> reported_absent_{};  // servers in earlier notices to the person
  KeptHistory known_{};                      // the part of the history that the agent keeps
  HistoryWindow window_{};                   // the part of the history within the context of the model
  bool takes_attachments_ = false;           // looked up with the first attachment
  std::optional<CancelSource> cancel_;
  FirstTitle title_;
};

class GorpcProvider final : public hub::AgentProvider {
 public:
  GorpcProvider(Loop& loop, AgentLink& link, hub::Tools& tools, GorpcAgentSettings settings)
      : loop_(loop), link_(link), tools_(tools), settings_(std::move(settings)) {}

  hub::AgentInfo info() const override {
    const AgentLink::State state = link_.state();
    hub::AgentInfo info{.id = settings_.id,
                        .name = settings_.name,
                        .state = !settings_.unavailable.empty()          ? hub::Health::down
                                 : state == AgentLink::State::ready      ? hub::Health::ready
                                 : state == AgentLink::State::connecting ? hub::Health::starting
                                                                         : hub::Health::down,
                        .detail = settings_.unavailable.empty() ? link_.address() : settings_.unavailable,
                        .modes = {hub::Mode::default_, hub::Mode::auto_edit, hub::Mode::plan, hub::Mode::smart, hub::Mode::yolo},
                        .models = settings_.models,
                        .scripted = settings_.scripted};
    if (const auto& can = link_.known_abilities())
      info.media_types.emplace(can->attachments ? can->media_types : std::vector<std::string>{});
    return settings_.complete ? settings_.complete(std::move(info)) : info;
  }
  Task<Result<std::unique_ptr<hub::Agent>>> open(hub::SessionSetup, hub::AgentHost host) override {
    std::unique_ptr<hub::Tools> editor;
    if (host.editor != nullptr) {
      if (!files_) files_ = std::make_unique<Worker>(loop_, "editor files");
      editor = std::make_unique<toolbox::EditorTools>(tools_, *host.editor, *files_);
    }
    co_return std::make_unique<GorpcAgent>(loop_, link_, tools_, std::move(editor), settings_, host.sink);
  }
  bool resumes_turns() const override { return settings_.continues_turns; }

 private:
  Loop& loop_;
  AgentLink& link_;
  hub::Tools& tools_;
  GorpcAgentSettings settings_;
  std::unique_ptr<Worker> files_;  // from the first conversation with an editor on
};

}  // namespace

std::unique_ptr<hub::AgentProvider> agent_via_gorpc(Loop& loop, AgentLink& link, hub::Tools& tools, GorpcAgentSettings settings) {
  return std::make_unique<GorpcProvider>(loop, link, tools, std::move(settings));
}

}  // namespace parlance::driver

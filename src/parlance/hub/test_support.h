// SPDX-License-Identifier: Apache-2.0
// Test fixtures of the hub: a store in memory with failures and delays on demand, and a scripted agent.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/in_memory_store.h"

namespace parlance::hub::test {

// Keeps its content after the end of a hub, like a disk.
class MemoryStore : public InMemoryStore {
 public:
  explicit MemoryStore(Loop& loop);
  ~MemoryStore() override;

  Task<Result<void>> write(CommitPtr change) override;
  Task<Result<std::vector<Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                          std::size_t limit) override;
  Task<Result<std::optional<Ask>>> ask(std::string id) override;
  Task<Result<std::vector<Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                std::size_t most_bytes) override;
  Task<Result<Spent>> spent_in(std::string conversation) override;

  TextOf& text_of = text_of_;                     // tests of the page set the wire form
  Conversation row(const std::string& id) const;  // precondition: stored
  void put(const Conversation& row);
  bool has(const std::string& id) const { return conversations_.contains(id); }
  std::vector<Conversation> rows() const;
  void set_agent_session(const std::string& id, std::string session);

  const std::map<std::string, PackedConversation>& conversations = conversations_;
  std::map<std::string, std::vector<Event>>& logs = logs_;
  std::map<std::string, Ask>& asks = asks_;
  std::map<std::string, Attachment>& attachments = attachments_;
  std::vector<Rule>& rules = rules_;
  std::map<std::pair<std::string, std::string>, Spent>& spent_rows = spent_;
  SpendingLimits& limits = limits_;
  bool failing = false;
  bool held = false;
  bool reads_held = false;
  bool unreadable = false;  // events_after and spent_in fail
  int failing_asks = 0;
  int forward_reads = 0;
  int attempts = 0;
  int commits = 0;
  Signal changed;
};

// Callers of `wait` continue after the gate opens.
struct Gate {
  explicit Gate(Loop& loop) : signal(loop) {}
  Task<void> wait() {
    while (!open) co_await signal.wait();
  }
  void release() {
    open = true;
    signal.notify_all();
  }
  bool open = false;
  Signal signal;
};

// Every prompt runs `script`.
using Script = std::function<Task<Result<StopReason>>(Turn&, Prompt)>;

// A turn that ends well after the gate opens.
inline Script ends_after(Gate& gate) {
  return [&gate](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
}

struct AgentLog {
  int looked_again = 0;
  int opened = 0;
  int closed = 0;
  int destroyed = 0;
  std::function<Task<void>()> closing{};  // duration of `close`
  std::function<Task<Result<void>>(PromptOptions)> preparing{};
  int cancels = 0;
  std::function<void()> cancelling{};
  std::function<void(AgentHost)> opening{};  // its host is valid for the agent's lifetime
  std::vector<KeptSession> kept{};           // empty: not supported
  std::function<Task<Result<void>>(ReplaySink&)> resuming{};
  std::function<Task<Result<StopReason>>(Turn&, TurnSoFar)> resuming_turn{};  // empty: not supported
  int left = 0;                                                               // number of `leave` calls
  std::vector<std::string> prompts{};
  std::vector<Mode> modes{};
  std::vector<std::string> options{};  // "id=value"
  bool refuse_modes = false;
  bool refuse_models = false;
  bool keeps_mode = false;  // refuses each mode after the first
  bool survives = false;    // a failed turn
};

class ScriptedAgent final : public Agent {
 public:
  ScriptedAgent(Script& script, AgentLog& log) : script_(script), log_(log) {}
  Task<Result<StopReason>> prompt(Turn& turn, Prompt prompt) override {
    log_.prompts.push_back(prompt.text);
    return script_(turn, std::move(prompt));
  }
  Task<Result<StopReason>> resume_turn(Turn& turn, TurnSoFar so_far) override {
    return log_.resuming_turn(turn, std::move(so_far));
  }
  bool survives_failure() const override { return log_.survives; }
  void leave() override { ++log_.left; }
  Task<Result<void>> prepare(PromptOptions options) override {
    if (!log_.preparing) co_return Result<void>{};
    co_return co_await log_.preparing(std::move(options));
  }
  Task<Result<void>> resume(ReplaySink& sink) override {
    if (!log_.resuming) co_return co_await Agent::resume(sink);
    co_return co_await log_.resuming(sink);
  }
  void cancel() override {
    ++log_.cancels;
    if (log_.cancelling) log_.cancelling();
  }
  Task<Result<void>> set_mode(Mode mode) override {
    if (log_.refuse_modes || (log_.keeps_mode && !log_.modes.empty())) co_return fail(Errc::denied, "not this mode");
    log_.modes.push_back(mode);
    co_return Result<void>{};
  }
  Task<Result<void>> set_model(std::string) override {
    if (log_.refuse_models) co_return fail(Errc::denied, "not this model");
    co_return Result<void>{};
  }
  Task<Result<void>> set_think(bool) override { co_return Result<void>{}; }
  Task<Result<void>> set_option(std::string id, std::string value) override {
    if (log_.refuse_modes) co_return fail(Errc::denied, "not this option");
    log_.options.push_back(id + "=" + value);
    co_return Result<void>{};
  }
  ~ScriptedAgent() override { ++log_.destroyed; }
  Task<void> close() override {
    if (log_.closing) co_await log_.closing();
    ++log_.closed;
  }

 private:
  Script& script_;
  AgentLog& log_;
};

class ScriptedProvider final : public AgentProvider {
 public:
  ScriptedProvider(Script& script, AgentLog& log) : script_(script), log_(log) {}
  AgentInfo info() const override {
    return {.id = "scripted", .name = "Scripted", .modes = {Mode::default_}, .scripted = true, .options = options};
  }
  static inline const std::vector<AgentOption> options{
      {.id = "effort",
       .name = "Effort",
       .category = "thought_level",
       .values = {{.value = "low"}, {.value = "high"}},
       .value = "low"},
      {.id = "web", .name = "Web", .kind = OptionType::boolean, .value = "false"}};
  Task<void> recheck() override {
    ++log_.looked_again;
    co_return;
  }
  Task<Result<std::vector<KeptSession>>> sessions(std::string folder) override {
    if (log_.kept.empty()) co_return co_await AgentProvider::sessions(std::move(folder));
    co_return log_.kept;
  }
  Task<Result<std::unique_ptr<Agent>>> open(SessionSetup, AgentHost host) override {
    ++log_.opened;
    if (log_.opening) log_.opening(host);
    co_return std::make_unique<ScriptedAgent>(script_, log_);
  }
  bool resumes_turns() const override { return log_.resuming_turn != nullptr; }

 private:
  Script& script_;
  AgentLog& log_;
};

bool is_idle(const Hub& hub, std::string_view conversation);
// Creates a conversation and returns its id.
std::string create(Loop& loop, Hub& hub, NewConversation request);

// A hub with one agent on a virtual clock; can restart on the same store.
struct Bench {
  explicit Bench(std::vector<Rule> of_the_hub = {}) : rules(std::move(of_the_hub)) { begin(); }

  void begin() {
    int* counter = &ids;
    hub = std::make_unique<Hub>(loop, store,
                                HubSettings{.rules = rules,
                                            .wall_clock = [this] { return wall_now() + later; },
                                            .new_id =
                                                [counter](std::string_view prefix) {
                                                  std::string number = std::to_string(++*counter);
                                                  return std::string(prefix) +
                                                         std::string(4 - std::min<std::size_t>(4, number.size()), '0') + number;
                                                }});
    hub->add_agent(std::make_unique<ScriptedProvider>(script, log));
    const Result<void> started = loop.block_on(hub->start());
    PARLANCE_CHECK(started, "a hub that starts");
  }
  // Like the death of the process: turns write no further events.
  void crash() {
    hub.reset();
    begin();
  }

  std::string conversation(Mode mode = Mode::default_) {
    return create(loop, *hub, {.agent = "scripted", .folder = "/project", .mode = mode});
  }
  Prompted prompt(const std::string& id, std::string text = "hello") {
    auto done = loop.block_on(hub->submit(id, SendPrompt{.text = std::move(text)}));
    PARLANCE_CHECK(done, "a prompt that is taken");
    return *done;
  }
  Result<Ask> answer(const Ask& ask, std::string option) {
    return loop.block_on(hub->submit(
        ask.conversation, AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = std::move(option)}}));
  }
  // Kinds of the stored events, as a line.
  std::string trace(const std::string& id) const;

  Loop loop{Loop::Time::virtual_};
  MemoryStore store{loop};
  Script script = [](Turn&, Prompt) -> Task<Result<StopReason>> { co_return StopReason::end_turn; };
  AgentLog log;
  int ids = 0;
  std::chrono::milliseconds later{0};  // offset of the wall clock
  std::vector<Rule> rules;
  std::unique_ptr<Hub> hub;
};

// The kind of an event in a trace.
std::string_view trace_name(const EventBody& body);

}  // namespace parlance::hub::test

// SPDX-License-Identifier: Apache-2.0
#include "parlance/toolbox/mcp/calls.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/toolbox/mcp/form.h"
#include "parlance/toolbox/mcp/sampling.h"

namespace parlance::toolbox {
namespace {

using namespace std::chrono_literals;

constexpr auto longest_call = 6h;            // for a call with endless progress
constexpr auto progress_pause = 250ms;       // between two displayed lines: servers report thousands each second
constexpr int most_tries = 3;                // for a form with wrong answers
constexpr int most_samples = 20;             // model answers for a call
constexpr std::size_t progress_bytes = 400;  // of a line
constexpr long refused_by_person = -1;       // the specification's code

std::string number_text(double value) {
  if (std::trunc(value) == value && std::abs(value) < 1e15) return std::to_string(static_cast<std::int64_t>(value));
  return json::to_text(json::Value(value));
}

std::string line_of(const mcp::Progress& report) {
  std::string line = report.message.value_or("");
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  line = std::string(utf8_prefix(line, progress_bytes));
  const std::string done = number_text(report.progress) + (report.total ? " of " + number_text(*report.total) : "");
  return line.empty() ? done : report.total ? line + " (" + done + ")" : line;
}

}  // namespace

// ---- finding the call
// ----------------------------------------------------------------------------------------------------------

Result<McpCall*> McpCalls::only() const {
  if (running_.empty()) return fail(Errc::failed, "no running tool call matches this request");
  McpCall* const newest = running_.back();
  const bool have_one_conversation =
      std::ranges::all_of(running_, [&](const McpCall* call) { return call->conversation() == newest->conversation(); });
  if (!have_one_conversation)
    return fail(Errc::failed, "calls of several conversations are running, so the person to ask is unknown");
  return newest;
}

Task<Result<mcp::ElicitResult>> McpCalls::elicit(mcp::ElicitParams asked) {
  PARLANCE_CO_TRY(call, only());
  co_return co_await call->elicit(std::move(asked));
}
Task<Result<mcp::CreateMessageResult>> McpCalls::sample(mcp::CreateMessageParams asked) {
  PARLANCE_CO_TRY(call, only());
  co_return co_await call->sample(std::move(asked));
}

// ---- a call
// --------------------------------------------------------------------------------------------------------------------

McpCall::McpCall(McpCalls& calls, std::string conversation, std::string tool, hub::ToolHost host)
    : calls_(calls),
      conversation_(std::move(conversation)),
      tool_(std::move(tool)),
      host_(std::move(host)),
      begun_(calls.loop_.now()),
      last_progress_(begun_),
      silent_(calls.loop_),
      scope_(calls.loop_) {
  calls_.running_.push_back(this);
}

McpCall::~McpCall() {
  calls_.running_.remove(this);
  scope_.cancel();
}

Task<Result<mcp::CallToolResult>> McpCall::outcome(Task<Result<mcp::CallToolResult>> call, Duration silence) {
  scope_.start(watch(silence));
  auto result = co_await under(silent_, std::move(call));
  if (result || !silent_.cancelled()) co_return result;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(silence).count();
  co_return fail(Errc::deadline_exceeded, calls_.loop_.now() - begun_ >= longest_call
                                              ? "the call did not end within 6 hours"
                                              : "no message from the server for " + std::to_string(seconds) +
                                                    " s; its table [mcp." + calls_.server_ + "] may allow more (timeout)");
}

Task<void> McpCall::watch(Duration silence) {
  for (;;) {
    const TimePoint now = calls_.loop_.now();
    if (asking_ != 0) last_progress_ = now;
    const TimePoint end = std::min<TimePoint>(last_progress_ + silence, begun_ + longest_call);
    if (asking_ == 0 && now >= end) break;
    co_await sleep_for(calls_.loop_, std::max<Duration>(end - now, 1ms));
  }
  silent_.cancel();
}

void McpCall::progress(const mcp::Progress& report) {
  last_progress_ = calls_.loop_.now();
  if (!host_.progress) return;
  const std::string line = line_of(report);
  const bool last = report.total && report.progress >= *report.total;
  if (line == shown_ || (!shown_.empty() && !last && last_progress_ - shown_at_ < progress_pause)) return;
  shown_ = line;
  shown_at_ = last_progress_;
  host_.progress(line);
}

template <class R>
Task<void> McpCall::keep(McpCall& call, std::shared_ptr<Asked<R>> asked, Task<Result<R>> work) {
  struct End {  // also when the call ends first
    Asked<R>& asked;
    ~End() { asked.done.set(fail(Errc::cancelled, "the call of this request has ended")); }
  };
  const std::shared_ptr<Asked<R>> held = asked;
  const End end{*held};
  ++call.asking_;
  auto result = co_await under(held->stop, std::move(work));
  --call.asking_;
  call.last_progress_ = call.calls_.loop_.now();
  held->done.set(std::move(result));
}

template <class R>
Task<Result<R>> McpCall::while_it_runs(Task<Result<R>> work) {
  const auto asked = std::make_shared<Asked<R>>(calls_.loop_);
  struct Gone {  // the server took its question back
    Asked<R>& asked;
    ~Gone() { asked.stop.cancel(); }
  } gone{*asked};
  scope_.start(keep(*this, asked, std::move(work)));
  co_return co_await asked->done.get();
}

Task<Result<mcp::ElicitResult>> McpCall::elicit(mcp::ElicitParams asked) { return while_it_runs(ask_person(std::move(asked))); }
Task<Result<mcp::CreateMessageResult>> McpCall::sample(mcp::CreateMessageParams asked) {
  return while_it_runs(ask_model(std::move(asked)));
}

Task<Result<mcp::ElicitResult>> McpCall::ask_person(mcp::ElicitParams asked) {
  if (!host_.ask) co_return fail(Errc::failed, "no person is available to answer");
  PARLANCE_CO_TRY(form, McpForm::of(asked));
  std::string wrong;
  for (int tries = 0; tries < most_tries; ++tries) {
    hub::AskRequest request{
        .kind = hub::AskKind::question,
        .tool = "question of " + calls_.server_,  // for rules and hooks; no tool of a model can have this name
        .title = calls_.server_ + " asks: " + form.message() + wrong,
        .why =
            "The MCP server " + calls_.server_ + " wants to know this while " + tool_ + " runs. Your answer goes to this server.",
        .questions = form.questions()};
    PARLANCE_CO_TRY(answer, co_await host_.ask(std::move(request)));
    if (answer.state != hub::AskState::answered) co_return mcp::ElicitResult{.action = mcp::ElicitAction::cancel};
    if (answer.kind != hub::OptionKind::choice || form.declined(answer.answers))  // by the person, a rule or a hook
      co_return mcp::ElicitResult{.action = mcp::ElicitAction::decline};
    auto content = form.content(answer.answers);
    if (content) co_return mcp::ElicitResult{.action = mcp::ElicitAction::accept, .content = *std::move(content)};
    wrong = "\n(Once more: " + content.error().message + ")";
  }
  co_return mcp::ElicitResult{.action = mcp::ElicitAction::cancel};
}

Task<Result<mcp::CreateMessageResult>> McpCall::ask_model(mcp::CreateMessageParams asked) {
  if (!host_.sample) co_return fail(Errc::failed, "this conversation has no model for requests of a server");
  if (!host_.ask) co_return fail(Errc::failed, "no person is available to allow this");
  if (++samples_ > most_samples)
    co_return fail(Errc::overloaded, "a call may ask the model " + std::to_string(most_samples) + " times at most");
  PARLANCE_CO_TRY(request, sample_request_of(asked));
  PARLANCE_CO_TRY(answer, co_await host_.ask(sampling_ask(calls_.server_, tool_, request)));
  if (!answer.allowed())
    co_return fail(jsonrpc::with_code(refused_by_person, "The person refused" + (answer.text.empty() ? "" : ": " + answer.text)));
  PARLANCE_CO_TRY(reply, co_await host_.sample(std::move(request)));
  co_return sampled(std::move(reply));
}

}  // namespace parlance::toolbox

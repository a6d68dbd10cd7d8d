// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/host.h"

#include <algorithm>
#include <array>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"
#include "parlance/process/strays.h"
#include "parlance/protocol/claude/forwarded_message.h"
#include "parlance/protocol/claude/limits.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::claude {
namespace {

constexpr std::array<std::string_view, 6> modes{"default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto"};

// Agents refuse a tool whose answer lacks updatedInput (2.0.76, 2.1.112) or message (all of them).
void complete(PermissionResult& result, const CanUseTool& request) {
  if (auto* allow = std::get_if<Allow>(&result.value)) {
    if (allow->updated_input.json.empty()) allow->updated_input.json = request.input.json.empty() ? "{}" : request.input.json;
    if (!allow->tool_use_id) allow->tool_use_id = request.tool_use_id;
  } else if (auto* deny = std::get_if<Deny>(&result.value)) {
    if (deny->message.empty()) deny->message = "Not allowed.";
    if (!deny->tool_use_id) deny->tool_use_id = request.tool_use_id;
  }
}

struct ModeLine {
  std::string mode{};
  static constexpr auto wire = fields(field<&ModeLine::mode>("permissionMode", "The present permission mode.").or_default());
};

constexpr auto any_request = wire::any_call();
// With all their members, also those that our tables do not know.
constexpr auto any_initialize = claude::initialize.as<wire::Raw, wire::Raw>();
constexpr auto any_hook_callback = claude::hook_callback.as<wire::Raw, wire::Raw>();
constexpr auto any_mcp_message = claude::mcp_message.as<wire::Raw, McpReply>();

// For a host without a child: the stream of a test, or of a process with another owner.
Task<std::optional<ExitStatus>> nothing() { co_return std::nullopt; }

}  // namespace

bool Shown::can(std::string_view capability) const { return std::ranges::find(capabilities, capability) != capabilities.end(); }

bool is_permission_mode(std::string_view mode) { return std::ranges::find(modes, mode) != modes.end(); }

wire::Raw text_content(std::string_view text) {
  wire::Raw raw;
  json::write_text(raw.json, text);
  return raw;
}

std::string text_of(const wire::Raw& raw) {
  std::string text;
  json::Reader reader(raw.json);
  if (reader.peek() == json::Token::text) reader.read_text(text);
  return text;
}

std::vector<std::string> blocked_paths_of(const CanUseTool& request) {
  std::vector<std::string> paths;
  if (std::string path = text_of(request.blocked_path); !path.empty()) paths.push_back(std::move(path));
  const json::Value list = json::parse_or_null(request.blocked_paths.json);
  if (list.array() != nullptr)
    for (const json::Value& element : *list.array())
      if (const std::string* path = element.text(); path != nullptr && !path->empty()) paths.push_back(*path);
  return paths;
}

Host::Host(Loop& loop, std::unique_ptr<Frames> frames, HostHandler& handler, HostSettings settings)
    : loop_(loop), handler_(handler), turn_ended_(loop), gone_(loop) {
  serve();
  auto dialect = control_dialect(Side::host, [this](const Error& why, BytesView head) { handler_.on_lost_line(why, head); });
  dialect_ = dialect.get();
  PeerSettings peer{.call_timeout = settings.call_timeout};
  peer.explain_end = [this](Error error) -> Task<Error> {
    turns_ = 0;
    turn_ended_.notify_all();
    if (child_) error = co_await child_->why_it_ended();
    gone_.cancel();
    co_return error;
  };
  peer_ = std::make_unique<Peer>(loop, std::move(frames), std::move(dialect), router_, std::move(peer));
}

Result<std::unique_ptr<Host>> Host::spawn(Loop& loop, const Launch& launch, HostHandler& handler, HostSettings settings) {
  std::string mark = make_child_mark();
  ChildSettings child_wanted = child_settings(launch, mark);
  child_wanted.on_stderr_line = settings.on_stderr_line;
  PARLANCE_TRY(child, ChildProcess::start(loop, std::move(child_wanted)));
  auto host =
      std::make_unique<Host>(loop, framed_stream(loop, child->take_stream(), line_framing()), handler, std::move(settings));
  host->child_ = std::move(child);
  host->mark_ = std::move(mark);
  return host;
}

Host::~Host() {
  peer_.reset();  // handlers go first
  child_.reset();
  if (!mark_.empty()) kill_strays(mark_variable, mark_);
}

void Host::serve() {
  router_.on_unknown(unsupported_request);
  router_.on_notice(std::string(any_line.method), line_handler(dialect_, [this](const StreamLine& line) {
                      take_line(line);
                      return handler_.congested() ? handler_.wait_writable() : Task<void>{};
                    }));
  router_.on(claude::can_use_tool, [this](const CanUseTool& request, Context&) -> Task<Result<PermissionResult>> {
    auto answer = co_await under(gone_, handler_.can_use_tool(request));
    if (answer) complete(*answer, request);
    co_return answer;
  });
  router_.on(any_hook_callback, [this](const wire::Raw& request, Context&) -> Task<Result<wire::Raw>> {
    PARLANCE_CO_TRY(callback, read_forwarded<HookCallback>(request));
    co_return co_await under(gone_, handler_.hook_callback(std::move(callback)));
  });
  router_.on(std::string(other_request), any_request, [this](const wire::Raw& request, Context&) -> Task<Result<wire::Raw>> {
    co_return co_await under(gone_, handler_.other(subtype_of(request), without_subtype(request)));
  });
  router_.on(any_mcp_message, [this](const wire::Raw& request, Context&) -> Task<Result<McpReply>> {
    PARLANCE_CO_TRY(message, read_forwarded<McpMessage>(request));
    co_return co_await under(gone_, handler_.mcp_message(std::move(message)));
  });
}

void Host::take_line(const StreamLine& line) {
  if (line.type == "system") {
    if (line.subtype == "init") {
      if (auto init = json::from_text<SystemInit>(line.json, {.known_utf8 = true})) {
        shown_.version = std::move(init->version);
        shown_.session_id = std::move(init->session_id);
        shown_.mode = std::move(init->permission_mode);
        shown_.model = std::move(init->model);
        shown_.capabilities = std::move(init->capabilities);
      }
    } else if (line.subtype == "status") {
      if (auto status = json::from_text<ModeLine>(line.json, {.known_utf8 = true}); status && !status->mode.empty())
        shown_.mode = std::move(status->mode);
    }
  } else if (line.type == "result") {
    if (turns_ != 0) --turns_;
    turn_ended_.notify_all();
  }
  handler_.on_line(line);
}

Task<Result<wire::Raw>> Host::initialize_raw(wire::Raw what) {
  co_return co_await peer_->call(any_initialize, std::move(what), within(limits::claude_start));
}

Task<Result<std::string>> Host::set_permission_mode(std::string mode) {
  if (!is_permission_mode(mode)) co_return fail(Errc::invalid_params, "no permission mode: " + mode);
  PARLANCE_CO_TRY(reply, co_await peer_->call(claude::set_permission_mode, {.mode = mode}));
  co_return reply.mode.empty() ? mode : reply.mode;
}

Task<Result<void>> Host::set_model(std::string model) {
  SetModel request;
  if (!model.empty()) request.model = {.state = wire::Nullable<std::string>::State::value, .value = std::move(model)};
  PARLANCE_CO_TRY_DO(co_await peer_->call(claude::set_model, std::move(request)));
  co_return Result<void>{};
}

Task<Result<void>> Host::set_max_thinking_tokens(std::optional<std::int64_t> most) {
  SetMaxThinkingTokens request;
  if (most) request.tokens = {.state = wire::Nullable<std::int64_t>::State::value, .value = *most};
  PARLANCE_CO_TRY_DO(co_await peer_->call(claude::set_max_thinking_tokens, request));
  co_return Result<void>{};
}

Task<Result<McpReply>> Host::mcp_message(McpMessage message) {
  co_return co_await peer_->call(any_mcp_message, write_forwarded(message));
}

Task<Result<wire::Raw>> Host::request(std::string subtype, wire::Raw parameters) {
  co_return co_await peer_->call_named(subtype, any_request, std::move(parameters));
}

Result<void> Host::send_user(const UserMessage& message) {
  PARLANCE_TRY_DO(peer_->notify(claude::user, message));
  ++turns_;
  return {};
}

Result<void> Host::send_text(std::string_view text) {
  UserMessage message;
  message.message.content = text_content(text);
  return send_user(message);
}

Task<void> Host::idle() {
  while (busy()) co_await turn_ended_.wait();
}

Task<std::optional<ExitStatus>> Host::stop() {
  if (busy()) {
    // Only this ends a tool that runs in a session of its own.
    const auto wait_for_result = [](Host& host) -> Task<Result<void>> {
      static_cast<void>(co_await host.interrupt());
      co_await host.idle();
      co_return Result<void>{};
    };
    static_cast<void>(co_await with_deadline(loop_, loop_.now() + limits::claude_interrupt_grace, wait_for_result(*this)));
  }
  if (!child_) {
    peer_->finish();
    co_return co_await nothing();
  }
  const ExitStatus status = co_await child_->stop();
  kill_strays(mark_variable, mark_);
  mark_.clear();
  co_return status;
}

}  // namespace parlance::claude

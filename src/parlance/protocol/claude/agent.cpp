// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/agent.h"

#include "parlance/codec/json/typed.h"
#include "parlance/protocol/claude/forwarded_message.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::claude {
namespace {

constexpr auto any = wire::any_call();

}  // namespace

Result<PermissionResult> read_permission(std::string_view json) {
  const auto refuse = [](std::string_view why) {
    return fail(Errc::invalid_params, "The canUseTool callback returned an invalid permission result: " + std::string(why));
  };
  if (json.empty()) return refuse("$: missing");
  auto result = json::from_text<PermissionResult>(json);
  if (!result) return refuse(result.error().message);
  if (const auto* allow = std::get_if<Allow>(&result->value))
    if (!allow->updated_input.json.empty() && !allow->updated_input.json.starts_with('{'))
      return refuse("$.updatedInput: expected object");
  return result;
}

Task<Result<PermissionResult>> AgentSide::can_use_tool(CanUseTool request) {
  static constexpr auto as_json = claude::can_use_tool.as<CanUseTool, wire::Raw>();
  PARLANCE_CO_TRY(answer, co_await ask(as_json, std::move(request), no_deadline));
  auto result = read_permission(answer.json);
  if (!result) co_return PermissionResult{Deny{.message = std::move(result).error().message}};
  co_return result;
}

Router AgentSide::routes() {
  AgentHandler& handler = handler_;
  Router router;
  router.on_unknown(unsupported_request);
  router.on_notice(std::string(any_line.method), line_handler(dialect_, [&handler](const StreamLine& line) {
                     handler.on_line(line);
                     return handler.congested() ? handler.wait_writable() : Task<void>{};
                   }));
  router.on(std::string(other_request), any, [&handler](const wire::Raw& request, Context&) {
    return handler.other(subtype_of(request), without_subtype(request));
  });
  router.on(claude::initialize.as<wire::Raw, wire::Raw>(),
            [&handler](const wire::Raw& request, Context&) -> Task<Result<wire::Raw>> {
              PARLANCE_CO_TRY(read, read_forwarded<Initialize>(request));
              co_return co_await handler.initialize(std::move(read));
            });
  router.on(claude::set_permission_mode,
            [&handler](const SetPermissionMode& request, Context&) { return handler.set_permission_mode(request); });
  router.on(claude::set_model, [&handler](const SetModel& request, Context&) { return handler.set_model(request); });
  router.on(claude::set_max_thinking_tokens,
            [&handler](const SetMaxThinkingTokens& request, Context&) { return handler.set_max_thinking_tokens(request); });
  router.on(claude::interrupt, [&handler](const wire::Nothing&, Context&) { return handler.interrupt(); });
  router.on(claude::mcp_status, [&handler](const wire::Nothing&, Context&) { return handler.mcp_status(); });
  router.on(claude::mcp_message.as<wire::Raw, McpReply>(),
            [&handler](const wire::Raw& request, Context&) -> Task<Result<McpReply>> {
              PARLANCE_CO_TRY(message, read_forwarded<McpMessage>(request));
              co_return co_await handler.mcp_message(std::move(message));
            });
  return router;
}

Task<Result<wire::Raw>> AgentSide::request(std::string subtype, wire::Raw request) {
  const auto asking = [](Peer& peer, std::string what, wire::Raw with) -> Task<Result<wire::Raw>> {
    co_return co_await peer.call_named(what, any, std::move(with), no_deadline);
  };
  if (!input_open()) co_return fail(Errc::disconnected, "Stream closed");
  co_return co_await under(input_ended_, asking(peer_, std::move(subtype), std::move(request)));
}

void AgentSide::send_hook(const HookCallback& callback) {
  const std::string id = "told_" + std::to_string(++sent_hooks_);
  static_cast<void>(send(R"({"type":"control_request","request_id":")" + id + R"(","request":{"subtype":"hook_callback",)" +
                         json::to_text(callback).substr(1) + "}"));
}

PeerSettings AgentSide::settings() {
  PeerSettings settings;
  settings.explain_end = [this](Error error) -> Task<Error> {
    input_ended_.cancel();  // open questions fail now; the turn that asked them goes on without
    co_await handler_.input_ended();
    co_return error;
  };
  return settings;
}

AgentSide::AgentSide(Loop& loop, std::unique_ptr<Frames> frames, AgentHandler& handler)
    : handler_(handler),
      input_ended_(loop),
      dialect_(nullptr),
      router_(routes()),
      peer_(
          loop, std::move(frames),
          [&] {
            auto dialect = control_dialect(Side::agent);
            dialect_ = dialect.get();
            return dialect;
          }(),
          router_, settings()) {}

}  // namespace parlance::claude

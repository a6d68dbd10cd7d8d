#include "protocol/claude/agent.h"

#include "transport/framed_stream.h"

namespace parlance::claude {

Router AgentSide::routes(AgentHandler& handler) {
  Router router;
  router.on_unknown([](std::string_view method) {
    return Error{.code = Errc::unknown_method, .message = "Unsupported control request subtype: " + std::string(method)};
  });
  router.on(claude::initialize, [&handler](const Initialize& request, Context&) { return handler.initialize(request); });
  router.on(claude::set_permission_mode,
            [&handler](const SetPermissionMode& request, Context&) { return handler.set_permission_mode(request); });
  router.on(claude::set_model, [&handler](const SetModel& request, Context&) { return handler.set_model(request); });
  router.on(claude::set_max_thinking_tokens,
            [&handler](const SetMaxThinkingTokens& request, Context&) { return handler.set_max_thinking_tokens(request); });
  router.on(claude::interrupt, [&handler](const wire::Nothing&, Context&) { return handler.interrupt(); });
  router.on(claude::mcp_status, [&handler](const wire::Nothing&, Context&) { return handler.mcp_status(); });
  router.on(claude::mcp_message, [&handler](const McpMessage& message, Context&) { return handler.mcp_message(message); });
  return router;
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
      router_(routes(handler)),
      dialect_(nullptr),
      peer_(
          loop, std::move(frames),
          [&] {
            auto dialect = control_dialect(Side::agent, handler);
            dialect_ = dialect.get();
            return dialect;
          }(),
          router_, settings()) {}

}  // namespace parlance::claude

#include "protocol/claude/agent.h"

#include <array>

#include "protocol/claude/as_told.h"
#include "transport/framed_stream.h"

namespace parlance::claude {
namespace {

// What the SDK (0.3.329) asks and no agent but Claude Code has an answer to.
constexpr std::array of_claude_code{"apply_flag_settings",
                                    "background_tasks",
                                    "cancel_async_message",
                                    "generate_session_title",
                                    "get_context_usage",
                                    "get_hooks_listing",
                                    "get_plan",
                                    "get_settings",
                                    "get_status",
                                    "get_task_output",
                                    "get_usage",
                                    "list_permission_rules",
                                    "mcp_read_resource",
                                    "mcp_reconnect",
                                    "mcp_set_servers",
                                    "mcp_toggle",
                                    "reload_plugins",
                                    "reload_skills",
                                    "rename_session",
                                    "rewind_files",
                                    "seed_read_state",
                                    "side_question",
                                    "stop_task"};

}  // namespace

Router AgentSide::routes() {
  AgentHandler& handler = handler_;
  Router router;
  router.on_unknown(unsupported_request);
  router.on_notice(std::string(any_line.method), line_handler(dialect_, [&handler](const StreamLine& line) {
                     handler.on_line(line);
                     return Task<void>{};
                   }));
  static constexpr wire::Call<wire::Raw, wire::Raw> any{"", "As it stands."};
  for (const char* subtype : of_claude_code)
    router.on(subtype, any, [&handler, subtype](const wire::Raw& request, Context&) { return handler.other(subtype, request); });
  router.on(std::string(claude::initialize.method), any,
            [&handler](const wire::Raw& request, Context&) -> Task<Result<wire::Raw>> {
              PARLANCE_CO_TRY(read, read_as_told<Initialize>(request));
              co_return co_await handler.initialize(std::move(read));
            });
  router.on(claude::set_permission_mode,
            [&handler](const SetPermissionMode& request, Context&) { return handler.set_permission_mode(request); });
  router.on(claude::set_model, [&handler](const SetModel& request, Context&) { return handler.set_model(request); });
  router.on(claude::set_max_thinking_tokens,
            [&handler](const SetMaxThinkingTokens& request, Context&) { return handler.set_max_thinking_tokens(request); });
  router.on(claude::interrupt, [&handler](const wire::Nothing&, Context&) { return handler.interrupt(); });
  router.on(claude::mcp_status, [&handler](const wire::Nothing&, Context&) { return handler.mcp_status(); });
  static constexpr wire::Call<wire::Raw, McpReply> any_mcp{"", "As it stands."};
  router.on(std::string(claude::mcp_message.method), any_mcp,
            [&handler](const wire::Raw& request, Context&) -> Task<Result<McpReply>> {
              PARLANCE_CO_TRY(message, read_as_told<McpMessage>(request));
              co_return co_await handler.mcp_message(std::move(message));
            });
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

// SPDX-License-Identifier: Apache-2.0
// parlance serve-acp: an ACP agent for editors, with any agent of parlance. Runs over stdin and stdout, one message on each line,
// or with --port over WebSocket and HTTP on this machine.
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/remote/gateway.h"
#include "apps/parlance/serve_acp/session_folders.h"
#include "parlance/async/signals.h"
#include "parlance/face/acp/acp_over_http.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/face/acp/hub_sessions.h"
#include "parlance/face/acp/paced_frames.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/protocol/acp/limits.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/http/http_source.h"
#include "parlance/transport/stdio.h"

namespace parlance::app {
namespace {

constexpr std::string_view acp_path = "/acp";

struct ServeAcp {
  std::string agent;
  bool iflow = false;
  std::optional<unsigned short> port{};  // none: stdin and stdout
  Words command;                         // behind --: the agent's program
  GatewayFlags gateway{};
  acp::Flavour flavour() const { return iflow ? acp::Flavour::iflow : acp::Flavour::standard; }
};

// Lines, and a notice at the end of input: a closed editor gets no further answers, even during a turn.
class LinesToTheEnd final : public Framing {
 public:
  explicit LinesToTheEnd(std::function<void()> on_end) : on_end_(std::move(on_end)) {}
  Step next(BytesView buffered, bool at_end) override {
    if (at_end && on_end_) std::exchange(on_end_, {})();
    return lines_->next(buffered, at_end);
  }
  void begin(std::string& out) override { lines_->begin(out); }
  Result<void> end(std::string& out, std::size_t begun_at) override { return lines_->end(out, begun_at); }

 private:
  std::unique_ptr<Framing> lines_ = line_framing(acp::limits::message_bytes);
  std::function<void()> on_end_;
};

std::string home() {
  const char* const folder = std::getenv("HOME");
  return folder == nullptr ? "/" : folder;
}

// Serves to the end of the client's input. Errors: those of stdin and stdout.
Task<Result<void>> serve_stdio(Loop& loop, face::AcpFrontend& frontend, acp::Flavour flavour) {
  PARLANCE_CO_TRY(stream, stdio_stream(loop));
  // From inside of the reading: the messages before the end are handled first.
  auto lines = std::make_unique<LinesToTheEnd>([&] { loop.post([&frontend] { frontend.cancel_all(); }); });
  co_await frontend.serve(framed_stream(loop, std::move(stream), std::move(lines)), flavour);
  co_return Result<void>{};
}

class AcpService {
 public:
  AcpService(const Settings& settings, const ServeAcp& wanted)
      : wanted_(wanted),
        sessions_(loop_, settings,
                  {.folder = state_folder(settings) + "/acp-sessions",
                   .agent = wanted.agent.empty() ? settings.text("serve-agent") : wanted.agent,
                   .command = wanted.command}),
        frontend_(loop_, sessions_, {.version = PARLANCE_VERSION, .home = home()}),
        http_(loop_, frontend_),
        scope_(loop_) {}

  int run() { return loop_.block_on(wanted_.port ? serve_port() : serve_lines()); }

 private:
  Task<int> serve_lines() {
    if (const auto served = co_await serve_stdio(loop_, frontend_, wanted_.flavour()); !served)
      co_return complain(served.error());
    co_await sessions_.end();
    co_return ExitCode::done;
  }

  Task<int> serve_port() {
    HttpServerSettings limits{.body_bytes = acp::limits::message_bytes,
                              .both_loopbacks = true,
                              .own_user_only = true,
                              .websocket_message_bytes = acp::limits::message_bytes};
    auto listening = HttpServer::listen(
        loop_, {.host = "127.0.0.1", .port = *wanted_.port}, [this](HttpExchange& exchange) { return handle(exchange); }, limits,
        &AcpService::may);
    if (!listening) co_return complain(listening.error(), ExitCode::not_started);
    server_ = *std::move(listening);
    std::fprintf(stderr, "listening on ws://127.0.0.1:%d%s\n", server_->port(), std::string(acp_path).c_str());
    SignalWatch signals(loop_, {SIGINT, SIGTERM});
    static_cast<void>(co_await signals.next());
    frontend_.cancel_all();
    co_await server_->drain(loop_.now() + std::chrono::seconds(1));
    scope_.cancel();
    co_await sessions_.end();
    co_return ExitCode::done;
  }

  // Accepts programs of this user but no pages: a browser names its site.
  static bool may(const ServerRequest& request) {
    const auto host = parse_authority(only_header(request, "Host").value_or(""));
    return host && is_loopback_name(host->name) && !has_header(request, "Origin");
  }

  Task<void> handle(HttpExchange& exchange) {
    const ServerRequest& request = exchange.request();
    if (!may(request)) {
      static_cast<void>(co_await exchange.respond({.status = 403, .body = "Only programs of this machine may speak here.\n"}));
    } else if (request.path != acp_path) {
      static_cast<void>(co_await exchange.respond({.status = 404, .body = "There is only /acp here.\n"}));
    } else if (wanted_.iflow) {
      exchange.trust({});
      auto frames = co_await exchange.upgrade("");
      if (frames) scope_.start(frontend_.serve(face::paced_frames(loop_, *std::move(frames)), acp::Flavour::iflow));
    } else {
      exchange.trust({});
      co_await http_.handle(exchange, own_);
    }
  }

  const ServeAcp& wanted_;
  Loop loop_;
  SessionFolders sessions_;
  face::AcpFrontend frontend_;
  std::unique_ptr<HttpServer> server_;  // declared before all holders of its WebSockets
  face::AcpOverHttp http_;
  // Every client acts as the person of this machine and sees all sessions.
  const std::shared_ptr<face::AcpSessions> own_{std::shared_ptr<void>(), &sessions_};
  Scope scope_;  // goes first
};

// The sessions of an editor are conversations of the gateway, in the gateway's folders.
Task<int> serve_gateway(Loop& loop, Gateway& gateway, const ServeAcp& wanted) {
  if (const auto started = co_await gateway.start(); !started) co_return complain(started.error(), ExitCode::not_started);
  if (const auto agent = gateway.choose(wanted.agent); !agent) co_return complain(agent.error(), ExitCode::usage);
  face::HubSessions sessions(gateway.hub(), wanted.agent);
  const auto folder_there = [folder = wanted.gateway.folder](std::string, std::string named) -> Task<Result<std::string>> {
    co_return folder.empty() ? std::move(named) : folder;
  };
  face::AcpFrontend frontend(loop, sessions,
                             {.version = PARLANCE_VERSION,
                              .home = home(),
                              .folder = gateway.default_folder(),
                              .alone = false,
                              .check_folder = folder_there});
  const auto served = co_await serve_stdio(loop, frontend, acp::Flavour::standard);
  co_return served ? ExitCode::done : complain(served.error());
}

int serve_there(const Settings& settings, const ServeAcp& wanted) {
  if (wanted.iflow || wanted.port)
    return complain(
        {.code = Errc::invalid_params,
         .message =
             "--to works with stdin and stdout only: a client with ACP over WebSocket or HTTP connects to the gateway's own /acp"},
        ExitCode::usage);
  if (const auto fine = check_no_command(wanted.command); !fine) return complain(fine.error(), ExitCode::usage);
  Loop loop;
  auto gateway = Gateway::at(loop, settings, wanted.gateway);
  if (!gateway) return complain(gateway.error(), ExitCode::usage);
  return loop.block_on(serve_gateway(loop, **gateway, wanted));
}

}  // namespace

Action declare_serve_acp(CLI::App& app) {
  auto wanted = std::make_shared<ServeAcp>();
  app.add_option("--agent", wanted->agent,
                 "Agent: parlance, claude or a name of [agents.NAME]. Default: the setting serve-agent.")
      ->type_name("NAME");
  app.add_flag("--iflow", wanted->iflow,
               "Speak iFlow's dialect; with --port for the iFlow SDK, which needs its frames separately.");
  app.add_option("--port", wanted->port,
                 "Listens for WebSocket (and HTTP) clients of this machine at /acp, instead of stdin and stdout; 0: any port.")
      ->type_name("PORT");
  declare_gateway_flags(app, wanted->gateway, true);
  return [wanted](const Settings& settings, const Words& behind) {
    wanted->command = behind;
    if (wanted->gateway.wanted()) return serve_there(settings, *wanted);
    return AcpService(settings, *wanted).run();
  };
}

}  // namespace parlance::app

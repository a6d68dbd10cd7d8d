// SPDX-License-Identifier: Apache-2.0
// parlance serve-acp: an ACP agent for editors, with any agent of parlance. Runs over stdin and stdout, one message on each line,
// or with --port over WebSocket and HTTP on this machine.
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/remote/acp_relay.h"
#include "apps/parlance/serve_acp/session_folders.h"
#include "parlance/async/signals.h"
#include "parlance/face/acp/acp_over_http.h"
#include "parlance/face/acp/hub_over_acp.h"
#include "parlance/face/acp/paced_frames.h"
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

class AcpService {
 public:
  AcpService(const Settings& settings, const ServeAcp& wanted)
      : wanted_(wanted),
        sessions_(loop_, settings,
                  {.folder = state_folder(settings) + "/acp-sessions",
                   .agent = wanted.agent.empty() ? settings.text("serve-agent") : wanted.agent,
                   .command = wanted.command}),
        face_(loop_, sessions_, {.version = PARLANCE_VERSION, .home = home()}),
        http_(loop_, face_),
        scope_(loop_) {}

  int run() { return loop_.block_on(wanted_.port ? serve_port() : serve_stdio()); }

 private:
  static std::string home() {
    const char* const folder = std::getenv("HOME");
    return folder == nullptr ? "/" : folder;
  }

  Task<int> serve_stdio() {
    auto stream = stdio_stream(loop_);
    if (!stream) co_return complain(stream.error());
    // From inside of the reading: the messages before the end are handled first.
    auto lines = std::make_unique<LinesToTheEnd>([this] { loop_.post([this] { face_.cancel_all(); }); });
    co_await face_.serve(framed_stream(loop_, *std::move(stream), std::move(lines)), wanted_.flavour());
    co_await sessions_.end();
    co_return ExitCode::done;
  }

  Task<int> serve_port() {
    HttpServerSettings limits{
        .body_bytes = acp::limits::message_bytes, .both_loopbacks = true, .websocket_message_bytes = acp::limits::message_bytes};
    auto listening = HttpServer::listen(
        loop_, {.host = "127.0.0.1", .port = *wanted_.port}, [this](HttpExchange& exchange) { return handle(exchange); }, limits);
    if (!listening) co_return complain(listening.error(), ExitCode::not_started);
    server_ = *std::move(listening);
    std::fprintf(stderr, "listening on ws://127.0.0.1:%d%s\n", server_->port(), std::string(acp_path).c_str());
    SignalWatch signals(loop_, {SIGINT, SIGTERM});
    static_cast<void>(co_await signals.next());
    face_.cancel_all();
    co_await server_->drain(loop_.now() + std::chrono::seconds(1));
    scope_.cancel();
    co_await sessions_.end();
    co_return ExitCode::done;
  }

  // Accepts programs of this machine but no pages: a browser names its site.
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
      if (frames) scope_.start(face_.serve(face::paced_frames(loop_, *std::move(frames)), acp::Flavour::iflow));
    } else {
      exchange.trust({});
      co_await http_.handle(exchange, own_);
    }
  }

  const ServeAcp& wanted_;
  Loop loop_;
  SessionFolders sessions_;
  face::AcpFace face_;
  std::unique_ptr<HttpServer> server_;  // declared before all holders of its WebSockets
  face::AcpOverHttp http_;
  // Every client acts as the person of this machine and sees all sessions.
  const std::shared_ptr<face::AcpSessions> own_{std::shared_ptr<void>(), &sessions_};
  Scope scope_;  // goes first
};

// Through a gateway, this machine answers nothing itself.
int relay(const Settings& settings, const ServeAcp& wanted) {
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
  auto stream = stdio_stream(loop);
  if (!stream) return complain(stream.error());
  AcpRelay relay(loop, *std::move(gateway), {.agent = wanted.agent, .folder = wanted.gateway.folder},
                 framed_stream(loop, *std::move(stream), line_framing(acp::limits::message_bytes)));
  loop.block_on(relay.run());
  return ExitCode::done;
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
    if (wanted->gateway.wanted()) return relay(settings, *wanted);
    return AcpService(settings, *wanted).run();
  };
}

}  // namespace parlance::app

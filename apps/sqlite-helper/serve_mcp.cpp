// SPDX-License-Identifier: Apache-2.0
#include "serve_mcp.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "parlance/async/signals.h"
#include "parlance/base/log.h"
#include "parlance/protocol/mcp/http_endpoint.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/server/sqlite/limits.h"
#include "parlance/server/sqlite/request_log.h"
#include "parlance/server/sqlite/sqlite_over_mcp.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

constexpr const char* token_variable = "SQLITE_HELPER_TOKEN";
constexpr auto drain_time = 500ms;  // after SIGTERM, for answers in progress

// Names given by a person are relative to the shell's working folder.
Result<std::vector<std::string>> named_databases(const sqlite::Engine& engine, const std::vector<std::string>& named) {
  std::vector<std::string> databases;
  for (const std::string& path : named) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error).lexically_normal();
    if (error || path.empty()) return fail(Errc::invalid_params, "--db " + path + ": no path of a file");
    const auto resolved = engine.resolve(absolute.string());
    if (!resolved) return fail(Errc::invalid_params, "--db " + path + ": " + resolved.error().message);
    // The file may be created later.
    if (!std::filesystem::exists(*resolved, error)) log(LogLevel::warn, "no such database yet", {{"path", *resolved}});
    databases.push_back(*resolved);
  }
  return databases;
}

server::SqliteMcpSettings mcp_settings(const HelperOptions& options, std::vector<std::string> databases,
                                       server::SqliteAudit* audit) {
  return {.resources = {.databases = std::move(databases),
                        .max_rows = options.max_rows,
                        .preview_rows = std::min(options.max_rows, limits::sqlite_preview_rows),
                        .max_bytes = options.max_bytes,
                        .time = std::chrono::milliseconds(options.timeout_ms)},
          .audit = audit,
          .confirm_writes = options.mcp.confirm_writes};
}

Task<int> serve_stdio(Loop& loop, mcp::Server& server, SignalWatch& signals) {
  auto stream = stdio_stream(loop);
  if (!stream) co_return complain_helper(stream.error(), helper_failed);
  bool over = false;
  Signal changed(loop);
  Scope scope(loop);
  const auto serve = [&]() -> Task<void> {
    // A person may sit at the other end, or think: no stall limit.
    static_cast<void>(
        co_await server.serve(framed_stream(loop, *std::move(stream), line_framing(limits::sqlite_line_bytes), {.stall = 0ms})));
    over = true;
    changed.notify_all();
  };
  const auto watch = [&]() -> Task<void> {
    co_await signals.next();
    over = true;
    changed.notify_all();
  };
  scope.start(serve());
  scope.start(watch());
  while (!over) co_await changed.wait();
  co_return helper_ended;
}

Task<int> serve_http(Loop& loop, mcp::Server& server, SignalWatch& signals, const std::string& where) {
  const auto address = parse_host_port(where);
  if (!address)
    co_return complain_helper({.code = Errc::invalid_params,
                               .message = "--http: \"" + where + "\" is no address; give ADDR:PORT, for example 127.0.0.1:8808"},
                              helper_usage);
  if (!is_loopback(address->host))
    co_return complain_helper(
        {.code = Errc::invalid_params,
         .message = "--http: " + address->host +
                    " is not a loopback address; every program that reaches the port can read the databases"},
        helper_usage);
  // Other users of this machine reach the port as well, and could read a token on a command line.
  const char* const variable = std::getenv(token_variable);
  const std::string token = variable == nullptr ? "" : variable;
  mcp::HttpEndpoint endpoint(loop, server, {.token = token});
  auto http = HttpServer::listen(
      loop, *address, [&](HttpExchange& exchange) { return endpoint.handle(exchange); },
      {.body_bytes = limits::mcp_body_bytes, .own_user_only = token.empty()},
      [&](const ServerRequest& head) { return endpoint.admits(head); });
  if (!http) co_return complain_helper(http.error().in("--http " + where), helper_failed);
  const std::string host = address->host.contains(':') ? "[" + address->host + "]" : address->host;
  std::printf("http://%s:%d/mcp\n", host.c_str(), static_cast<int>((*http)->port()));
  std::fflush(stdout);
  co_await signals.next();
  co_await (*http)->drain(loop.now() + drain_time);
  co_return helper_ended;
}

void log_answer(const mcp::Answered& answered) {
  server::log_request({.mode = "mcp",
                       .id = answered.id,
                       .command = answered.method,
                       .name = answered.name,
                       .database = answered.about,
                       .status = answered.status,
                       .took = answered.took});
}

// No client waits for an answer now. A statement inside a long SQL function is abandoned too.
Task<void> wind_up(Loop& loop, sqlite::Engine& engine) {
  engine.cancel_all();
  const TimePoint limit = Clock::now() + drain_time;
  while (engine.busy() && Clock::now() < limit) co_await sleep_for(loop, 2ms);
}

}  // namespace

Task<int> serve_mcp(Loop& loop, sqlite::Engine& engine, const HelperOptions& options, server::SqliteAudit* audit) {
  SignalWatch signals(loop, {SIGTERM, SIGINT, SIGHUP});
  auto databases = named_databases(engine, options.mcp.databases);
  if (!databases) co_return complain_helper(databases.error(), helper_usage);
  mcp::Server server(loop, {.info = {.name = "sqlite-helper", .version = PARLANCE_VERSION, .title = "SQLite databases"},
                            .instructions = server::SqliteOverMcp::instructions(options.read_only),
                            .strict_arguments = options.mcp.strict_arguments,
                            .on_answered = log_answer});
  server::SqliteOverMcp over(server, engine, mcp_settings(options, *std::move(databases), audit));
  const int code = options.mcp.http.empty() ? co_await serve_stdio(loop, server, signals)
                                            : co_await serve_http(loop, server, signals, options.mcp.http);
  co_await wind_up(loop, engine);
  co_return code;
}

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
#include "helper.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

#include <CLI/CLI.hpp>

#include "options.h"
#include "parlance/async/signals.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/protocol/mcp/era.h"
#include "parlance/server/sqlite/limits.h"
#include "parlance/server/sqlite/sqlite_over_bridge.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/stdio.h"
#include "process_memory.h"
#include "selftest.h"
#include "serve_mcp.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;

// Time for answers after SIGTERM; a parent waits a second before it kills.
constexpr auto term_grace = 600ms;

Task<void> until_terminated(SignalWatch& signals, bool& terminated) {
  co_await signals.next();
  terminated = true;
}

// Stops running statements, and sends their answers.
Task<void> wind_up(Loop& loop, sqlite::Engine& engine, server::SqliteBridge& bridge) {
  engine.cancel_all();
  const TimePoint limit = Clock::now() + term_grace;
  while ((bridge.running() != 0 || !bridge.sent()) && Clock::now() < limit) co_await sleep_for(loop, 2ms);
}

Task<int> serve_bridge(Loop& loop, sqlite::Engine& engine, const HelperOptions& options, server::SqliteAudit* audit) {
  auto stream = stdio_stream(loop);
  if (!stream) co_return complain_helper(stream.error(), helper_failed);
  SignalWatch signals(loop, {SIGTERM, SIGINT, SIGHUP});
  // A person may sit at the other end, or think: no stall limit.
  server::SqliteBridge bridge(
      engine, framed_stream(loop, *std::move(stream), line_framing(limits::sqlite_line_bytes), {.stall = 0ms}),
      {.version = PARLANCE_VERSION, .max_rows = options.max_rows, .max_bytes = options.max_bytes, .audit = audit});
  // The bridge goes on while SIGTERM's grace lasts: its coroutines belong to a scope of this function.
  Scope scope(loop);
  bool over = false;
  bool terminated = false;
  Signal changed(loop);
  const auto run = [&]() -> Task<void> {
    co_await bridge.run();
    over = true;
    changed.notify_all();
  };
  const auto watch = [&]() -> Task<void> {
    co_await until_terminated(signals, terminated);
    changed.notify_all();
  };
  scope.start(run());
  scope.start(watch());
  while (!over && !terminated) co_await changed.wait();
  if (terminated) co_await wind_up(loop, engine, bridge);
  co_return helper_ended;
}

int run_service(const HelperOptions& options) {
  Loop loop;
  std::unique_ptr<server::SqliteAudit> audit;
  if (!options.audit.empty()) {
    auto opened = server::SqliteAudit::open(options.audit);
    if (!opened) return complain_helper(opened.error(), helper_usage);
    audit = *std::move(opened);
  }
  auto engine = sqlite::Engine::make(loop, engine_settings(options));
  if (!engine) return complain_helper(engine.error().in("--allowed-dir"), helper_usage);
  const int code = loop.block_on(options.mcp.spoken ? serve_mcp(loop, **engine, options, audit.get())
                                                    : serve_bridge(loop, **engine, options, audit.get()));
  // A statement inside one SQL function cannot be ended, and no client waits: the next opening of the database undoes its
  // transaction.
  if ((*engine)->has_stuck_statements() || (*engine)->busy()) ::_exit(code);
  return code;
}

constexpr const char* overview =
    "Opens SQLite databases for an editor, with JSON lines on stdin and stdout, and with --mcp for AI "
    "clients.\n\nExamples:\n  printf '%s\\n' "
    "'{\"id\":1,\"cmd\":\"query\",\"payload\":{\"path\":\"a.db\",\"sql\":\"SELECT 1\"}}' | "
    "sqlite-helper\n  claude mcp add notes -- sqlite-helper --mcp --db ~/notes.db --allowed-dir ~\n  "
    "sqlite-helper --mcp --http 127.0.0.1:8808 --read-only --db ~/notes.db\n  sqlite-helper selftest "
    "~/notes.db";

// Revisions of MCP, the newest first.
std::string spoken() {
  std::string all(mcp::modern_version);
  for (const std::string_view version : mcp::legacy_versions)
    if (mcp::answered_version(version) == version) all += ", " + std::string(version);
  return all;
}

// CLI11's own check prints the range of a double, with all its digits.
CLI::Validator whole_number(std::int64_t least) {
  const std::string wanted = "a whole number from " + std::to_string(least);
  const auto check = [least, wanted](const std::string& text) {
    const auto number = parse_number<std::int64_t>(text);
    return number && *number >= least ? std::string() : "\"" + text + "\" is not " + wanted;
  };
  return {check, "", ""};
}

void declare(CLI::App& app, HelperOptions& options) {
  app.add_option("--log-level", options.log_level, "Lowest level of log lines on stderr.")
      ->check(CLI::IsMember({"error", "warn", "info", "debug", "trace"}))
      ->capture_default_str();
  app.add_option("--log-format", options.log_format, "Form of log lines: text, or json (one object for each line).")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.add_option("--protocol-version", options.protocol_version, "Of the JSON lines; only 1 exists.")
      ->check(CLI::IsMember({sqlite_bridge::version}))
      ->capture_default_str();
  app.add_option("--max-rows", options.max_rows, "Highest number of rows in a result.")
      ->check(whole_number(1))
      ->capture_default_str();
  app.add_option("--max-bytes", options.max_bytes, "Of one result's rows.")->check(whole_number(1))->capture_default_str();
  app.add_option("--timeout-ms", options.timeout_ms,
                 "Default time limit of a request in milliseconds, waiting included. 0: no limit.")
      ->check(whole_number(0))
      ->capture_default_str();
  app.add_option("--busy-timeout-ms", options.busy_timeout_ms,
                 "How long to wait for a lock of another program. Default: 2000 for reads, 5000 for writes.")
      ->check(whole_number(0));
  app.add_option("--write-busy-timeout-ms", options.write_busy_timeout_ms,
                 "The same for writes alone; --busy-timeout-ms is then for reads.")
      ->check(whole_number(0));
  app.add_option("--allowed-dir", options.allowed_folders, "Only databases inside this folder; may be given several times.")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_flag("--strict-paths", options.strict_paths, "Refuse files with a second name (hard link).");
  app.add_flag("--read-only", options.read_only, "Refuse every write.");
  app.add_flag("--foreign-keys", options.foreign_keys, "Enforce foreign keys in writes; SQLite itself does not.");
  app.add_flag("--mcp", options.mcp.spoken,
               "Speak the Model Context Protocol instead: tools, resources and a prompt for AI clients.");
  app.add_option("--http", options.mcp.http,
                 "With --mcp: listen on this local address instead of stdin, and print the URL. Default: any port. "
                 "With SQLITE_HELPER_TOKEN in the environment, clients must send this token (Authorization: Bearer …).")
      ->type_name("ADDR:PORT")
      ->expected(0, 1)
      ->default_str(any_loopback_port);
  app.add_option("--db", options.mcp.databases, "With --mcp: a database whose tables are listed from the start; may be repeated.")
      ->type_name("PATH")
      ->allow_extra_args(false);
  app.add_flag("--confirm-writes", options.mcp.confirm_writes, "With --mcp: the client asks its person before each write.");
  app.add_flag("--strict-arguments", options.mcp.strict_arguments,
               "With --mcp: an unknown argument of a tool fails the call. Default: skip it and report it to the model.");
  app.add_option("--audit", options.audit, "Append a JSON line for each write to this file.")->type_name("FILE");
}

}  // namespace

int complain_helper(const Error& error, int code) {
  std::fprintf(stderr, "sqlite-helper: %s\n", error.message.c_str());
  return code;
}

int run_sqlite_helper(int argc, const char* const* argv, const char* name) {
  fill_standard_descriptors();
  ignore_sigpipe();
  CLI::App app(overview, name);
  HelperOptions options;
  declare(app, options);
  std::string tested;
  CLI::App& selftest = *app.add_subcommand("selftest", "Tries every known way around the read gate, on a copy of a database.");
  selftest.add_option("db", tested, "The database.")->required();
  app.set_version_flag("--version", std::string("sqlite-helper ") + PARLANCE_VERSION + " (ndjson 1; mcp " + spoken() +
                                        "; sqlite " + sqlite::library_version() + ")");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? helper_ended : helper_usage;
  }
  if (!options.mcp.http.empty()) options.mcp.spoken = true;
  if (!options.mcp.spoken && (!options.mcp.databases.empty() || options.mcp.confirm_writes || options.mcp.strict_arguments))
    return complain_helper(
        {.code = Errc::invalid_params, .message = "--db, --confirm-writes and --strict-arguments are for --mcp"}, helper_usage);
  LogSettings log{.json = options.log_format == "json", .program = "sqlite-helper"};
  parse_log_level(options.log_level, log.level);
  set_log(std::move(log));
  sqlite::limit_heap();
  settle_memory();
  return selftest.parsed() ? run_sqlite_selftest(tested) : run_service(options);
}

}  // namespace parlance::app

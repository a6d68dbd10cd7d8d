// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/ide/claude_ide.h"

#include <unistd.h>
#include <utility>

#include "parlance/base/secret.h"
#include "parlance/codec/json/value.h"
#include "parlance/transport/http/http_source.h"

namespace parlance::face {
namespace {

constexpr std::string_view token_header = "x-claude-code-ide-authorization";
constexpr std::string_view subprotocol = "mcp";  // sent by a CLI on Bun; a CLI on Node sends none
constexpr std::string_view lock_ending = ".lock";

std::string lock_text(const ClaudeIdeSettings& settings, const std::string& token) {
  json::Array folders;
  for (const std::string& folder : settings.folders) folders.emplace_back(folder);
  json::Object lock;
  lock.set("pid", settings.editor_process != 0 ? settings.editor_process : std::int64_t{::getppid()});
  lock.set("workspaceFolders", std::move(folders));
  lock.set("ideName", settings.name);
  lock.set("transport", "ws");
  lock.set("runningInWindows", false);
  lock.set("authToken", token);
  lock.set("server", std::string(ide::our_mark));
  lock.set("serverPid", std::int64_t{::getpid()});
  return json::to_text(json::Value(std::move(lock)));
}

}  // namespace

ClaudeIde::ClaudeIde(Loop& loop, hub::Editor& editor, ClaudeIdeSettings settings)
    : editor_(editor),
      settings_(std::move(settings)),
      loop_(loop),
      token_(make_token()),
      server_(loop, {.info = {.name = "parlance", .version = settings_.version}}),
      tools_(server_, loop, editor),
      scope_(loop) {
  server_.on_notice(claude_ide::ide_connected, [this](const claude_ide::IdeConnected&, Context&) { context_changed(); });
}

ClaudeIde::~ClaudeIde() {
  lock_ = {};
  scope_.cancel();
}

Result<std::unique_ptr<ClaudeIde>> ClaudeIde::listen(Loop& loop, hub::Editor& editor, ClaudeIdeSettings settings) {
  std::unique_ptr<ClaudeIde> made(new ClaudeIde(loop, editor, std::move(settings)));
  PARLANCE_TRY_DO(made->open());
  return made;
}

Result<void> ClaudeIde::open() {
  PARLANCE_TRY(
      http, HttpServer::listen(
                loop_, {.host = "127.0.0.1", .port = settings_.port}, [this](HttpExchange& exchange) { return handle(exchange); },
                {}, [](const ServerRequest&) { return false; }));  // WebSockets only
  http_ = std::move(http);
  const std::string folder = settings_.config_folder + "/ide";
  ide::remove_stale(folder, lock_ending);
  PARLANCE_TRY(lock,
               ide::Announcement::write(folder, std::to_string(port()) + std::string(lock_ending), lock_text(settings_, token_)));
  lock_ = std::move(lock);
  return {};
}

int ClaudeIde::refusal(const ServerRequest& request) const {
  const auto host = parse_authority(only_header(request, "Host").value_or(""));
  if (!host || !is_loopback_name(host->name) || has_header(request, "Origin")) return 403;
  if (!equal_in_constant_time(only_header(request, token_header).value_or(""), token_)) return 401;
  return request.wants_websocket ? 0 : 426;
}

Task<void> ClaudeIde::handle(HttpExchange& exchange) {
  if (const int status = refusal(exchange.request()); status != 0) {
    static_cast<void>(co_await exchange.respond(HttpReply{.status = status}));
    co_return;
  }
  exchange.trust({});
  auto frames = co_await exchange.upgrade(subprotocol);
  if (frames) scope_.start(serve(*std::move(frames)));
}

Task<void> ClaudeIde::serve(std::unique_ptr<Frames> frames) { static_cast<void>(co_await server_.serve(std::move(frames))); }

void ClaudeIde::context_changed() {
  again_ = sending_;
  if (!sending_) scope_.start(send_selection());
}

Task<void> ClaudeIde::send_selection() {
  sending_ = true;
  do {
    again_ = false;
    claude_ide::SelectionChanged now;
    auto selection = co_await editor_.selection();
    if (selection) {
      if (!selection->path)
        if (auto file = co_await editor_.active_file()) selection->path = std::move(file->path);
      now.text = selection->text;
      now.path = selection->path;
      now.range = claude_ide::SelectedRange{
          .start = selection->range.start, .end = selection->range.end, .empty = selection->text.empty()};
    }
    if (now.path) now.url = ide::file_uri(*now.path);
    if (!again_) server_.notify_all(claude_ide::selection_changed, now);
  } while (again_);
  sending_ = false;
}

void ClaudeIde::mentioned(std::string path, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) {
  const auto from_zero = [](std::optional<std::uint32_t> line) {
    return line && *line > 0 ? std::optional<std::uint32_t>(*line - 1) : line;
  };
  server_.notify_all(claude_ide::at_mentioned, {.path = std::move(path), .first = from_zero(first), .last = from_zero(last)});
}

}  // namespace parlance::face

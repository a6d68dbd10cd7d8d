// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/ide/gemini_ide.h"

#include <algorithm>
#include <chrono>
#include <unistd.h>
#include <utility>

#include "parlance/base/secret.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/transport/http/http_source.h"

namespace parlance::face {
namespace {

constexpr std::size_t most_files = 10;                 // limit of the CLI
constexpr std::size_t most_selected_bytes = 16 << 10;  // … and its limit of a selection
constexpr std::string_view file_ending = ".json";

std::int64_t editor_process(const GeminiIdeSettings& settings) {
  return settings.editor_process != 0 ? settings.editor_process : std::int64_t{::getppid()};
}

std::string announcement(const GeminiIdeSettings& settings, unsigned short port, const std::string& token) {
  std::string folders;
  for (const std::string& folder : settings.folders) folders += (folders.empty() ? "" : ":") + folder;
  json::Object about;
  about.set("name", settings.name);
  about.set("displayName", settings.title);
  json::Object all;
  all.set("port", std::int64_t{port});
  all.set("workspacePath", folders);
  all.set("authToken", token);
  all.set("ideInfo", std::move(about));
  all.set("server", std::string(ide::our_mark));
  all.set("serverPid", std::int64_t{::getpid()});
  return json::to_text(json::Value(std::move(all)));
}

// Cuts at a character boundary.
std::string cut(std::string text) {
  if (text.size() <= most_selected_bytes) return text;
  std::size_t end = most_selected_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

mcp::CallToolResult nothing() {
  mcp::CallToolResult result;
  result.content.emplace();
  return result;
}

}  // namespace

GeminiIde::GeminiIde(Loop& loop, hub::Editor& editor, GeminiIdeSettings settings)
    : loop_(loop),
      editor_(editor),
      settings_(std::move(settings)),
      token_(make_token()),
      server_(loop,
              {.info = {.name = "parlance", .version = settings_.version}, .on_initialized = [this] { context_changed(); }}),
      proposals_(loop, editor),
      scope_(loop) {
  add_tools();
}

GeminiIde::~GeminiIde() {
  file_ = {};
  scope_.cancel();
}

Result<std::unique_ptr<GeminiIde>> GeminiIde::listen(Loop& loop, hub::Editor& editor, GeminiIdeSettings settings) {
  std::unique_ptr<GeminiIde> made(new GeminiIde(loop, editor, std::move(settings)));
  PARLANCE_TRY_DO(made->open());
  return made;
}

Result<void> GeminiIde::open() {
  endpoint_ = std::make_unique<mcp::HttpEndpoint>(loop_, server_, mcp::HttpEndpointSettings{.token = token_});
  PARLANCE_TRY(
      http, HttpServer::listen(
                loop_, {.host = "127.0.0.1", .port = settings_.port}, [this](HttpExchange& exchange) { return handle(exchange); },
                {.body_bytes = limits::mcp_body_bytes}, [this](const ServerRequest& head) { return endpoint_->admits(head); }));
  http_ = std::move(http);
  const std::string folder = settings_.temporary_folder + "/gemini/ide";
  ide::remove_stale(folder, file_ending);
  const std::string name = "gemini-ide-server-" + std::to_string(editor_process(settings_)) + "-" + std::to_string(port());
  PARLANCE_TRY(file, ide::Announcement::write(folder, name + std::string(file_ending), announcement(settings_, port(), token_)));
  file_ = std::move(file);
  return {};
}

// Browsers send Origin, a CLI does not.
Task<void> GeminiIde::handle(HttpExchange& exchange) {
  if (has_header(exchange.request(), "Origin")) {
    static_cast<void>(co_await exchange.respond(HttpReply{.status = 403}));
    co_return;
  }
  co_await endpoint_->handle(exchange);
}

// ---- changes ---------------------------------------------------------------------------------------------------------------------------

void GeminiIde::add_tools() {
  const auto tool = [](const auto& of, const wire::Type& arguments) {
    return mcp::Tool{
        .name = std::string(of.method), .description = std::string(of.doc), .input_schema = mcp::closed_schema(arguments)};
  };
  server_.add(tool(gemini_ide::open_diff, wire::type_of<gemini_ide::OpenDiff>()),
              [this](wire::Raw given, mcp::Request& request) -> Task<Result<mcp::CallToolResult>> {
                gemini_ide::OpenDiff wanted;
                PARLANCE_CO_TRY_DO(mcp::read_arguments(given, wire::type_of<gemini_ide::OpenDiff>(), &wanted, request));
                scope_.start(show(std::move(wanted.path), std::move(wanted.content).value_or("")));
                co_return nothing();
              });
  server_.add(tool(gemini_ide::close_diff, wire::type_of<gemini_ide::CloseDiff>()),
              [this](wire::Raw given, mcp::Request& request) -> Task<Result<mcp::CallToolResult>> {
                gemini_ide::CloseDiff wanted;
                PARLANCE_CO_TRY_DO(mcp::read_arguments(given, wire::type_of<gemini_ide::CloseDiff>(), &wanted, request));
                co_return close(wanted);
              });
}

// A change that the editor cannot show counts as rejected: the CLI asks in the terminal then.
Task<void> GeminiIde::show(std::string path, std::string content) {
  shown_[path] = content;
  auto decided = co_await proposals_.ask(path, {.path = path, .new_content = std::move(content), .title = "Gemini: " + path});
  if (!decided && decided.error().code == Errc::cancelled) co_return;  // the withdrawing call has reported it
  shown_.erase(path);
  if (decided && decided->accepted) server_.notify_all(gemini_ide::diff_accepted, {.path = path, .content = decided->content});
  else server_.notify_all(gemini_ide::diff_rejected, {.path = path});
}

mcp::CallToolResult GeminiIde::close(const gemini_ide::CloseDiff& wanted) {
  gemini_ide::Closed closed;
  if (const auto found = shown_.find(wanted.path); found != shown_.end() && proposals_.take_back(wanted.path)) {
    closed.content = std::move(found->second);
    shown_.erase(found);
    if (!wanted.quiet.value_or(false)) server_.notify_all(gemini_ide::diff_rejected, {.path = wanted.path});
  }
  mcp::CallToolResult result = nothing();
  result.content->push_back(mcp::text(json::to_text(closed)));
  return result;
}

// ---- open files ---------------------------------------------------------------------------------------------------------------

void GeminiIde::context_changed() {
  again_ = sending_;
  if (!sending_) scope_.start(send_context());
}

Task<void> GeminiIde::send_context() {
  sending_ = true;
  do {
    again_ = false;
    co_await sleep_for(loop_, settings_.calm);
    if (again_) continue;
    const gemini_ide::ContextUpdate now = co_await context();
    if (!again_) server_.notify_all(gemini_ide::context_update, now);
  } while (again_);
  sending_ = false;
}

Task<gemini_ide::ContextUpdate> GeminiIde::context() {
  gemini_ide::ContextUpdate now;
  if (const auto folders = co_await editor_.workspace_folders()) now.workspace.trusted = folders->trusted;
  const std::int64_t time = now_ms();
  auto& files = now.workspace.files;
  if (const auto front = co_await editor_.active_file()) {
    files.push_back({.path = front->path, .timestamp = time, .active = true});
    if (auto selection = co_await editor_.selection()) {
      files[0].cursor =
          gemini_ide::Cursor{.line = selection->range.end.line + 1, .character = selection->range.end.character + 1};
      if (!selection->text.empty()) files[0].selected = cut(std::move(selection->text));
    }
  }
  if (const auto open = co_await editor_.open_editors())
    for (const hub::editor::OpenEditor& editor : *open)
      if (files.size() < most_files && !editor.path.empty() &&
          std::ranges::find(files, editor.path, &gemini_ide::OpenFile::path) == files.end())
        files.push_back({.path = editor.path, .timestamp = time - static_cast<std::int64_t>(files.size())});
  co_return now;
}

}  // namespace parlance::face

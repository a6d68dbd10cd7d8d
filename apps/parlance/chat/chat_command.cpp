// SPDX-License-Identifier: Apache-2.0
// parlance chat: the place of the person (a terminal, a pipe, an editor) and the wanted conversation.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "apps/parlance/chat/bridge_console.h"
#include "apps/parlance/chat/chat.h"
#include "apps/parlance/chat/chat_folders.h"
#include "apps/parlance/chat/editor_window.h"
#include "apps/parlance/chat/in_front.h"
#include "apps/parlance/chat/room_flags.h"
#include "apps/parlance/chat/slash_commands.h"
#include "apps/parlance/commands.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/terminal/line_console.h"
#include "apps/parlance/terminal/terminal_console.h"
#include "parlance/async/scope.h"
#include "parlance/async/signals.h"
#include "parlance/driver/editor/mode.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/protocol/acp/client.h"
#include "parlance/protocol/editor/line_writes.h"
#include "parlance/transport/stdio.h"

namespace parlance::app {
namespace {

struct ChatFlags {
  RoomFlags room;
  std::string address;
  Words more_folders;
  std::string approve;  // ask, all, none; "": asks if a person is present
  std::optional<std::string> resume;
};

Result<Words> more_folders_of(const ChatFlags& flags) {
  Words folders;
  for (const std::string& path : flags.more_folders) {
    PARLANCE_TRY(folder, flags.room.folder(path, "--add-dir"));
    folders.push_back(std::move(folder));
  }
  return folders;
}

Task<void> handle_signals(SignalWatch& signals, Chat& chat, Console& console) {
  for (;;) {
    switch (co_await signals.next()) {
      case SIGINT: chat.interrupted(); break;
      case SIGWINCH:
      case SIGCONT: console.resized(); break;
      default: chat.quit();
    }
  }
}

int talk(Loop& loop, const Settings& settings, ChatOptions options, ChatPlace place) {
  auto announced = driver::announced_window();
  if (!announced) return complain(announced.error(), ExitCode::usage);
  std::optional<EditorWindow> window;
  if (*announced) {
    window.emplace(loop, **std::move(announced));
    loop.block_on(window->begin());
    window->join(place);
  }
  Chat chat(loop, settings, std::move(options), place);
  if (window) window->on_mention([&chat](const editor::AtMentioned& lines) { chat.mentioned(lines); });
  SignalWatch signals(loop, {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT});
  Scope scope(loop);
  scope.start(handle_signals(signals, chat, place.console));
  return loop.block_on(chat.run());
}

int at_terminal(Loop& loop, const Settings& settings, ChatOptions options) {
  TerminalConsole console(loop, state_folder(settings) + "/chat-history", chat_command_words());
  StandardPaper paper;
  return talk(loop, settings, std::move(options), {.console = console, .paper = paper});
}

int through_pipe(Loop& loop, const Settings& settings, ChatOptions options) {
  LineConsole console(loop);
  StandardPaper paper;
  return talk(loop, settings, std::move(options), {.console = console, .paper = paper, .prompts = false});
}

Task<void> live(BridgeConsole& console, Chat& chat) {
  static_cast<void>(co_await console.run());
  console.end();
  chat.stop();
}
// Sends nothing until the editor has introduced itself; every editor continues without an answer.
Task<int> begin_chat(Loop& loop, BridgeConsole& console, Chat& chat) {
  static_cast<void>(co_await with_deadline(loop, loop.now() + editor::limits::pulse, console.introduce()));
  co_return co_await chat.run();
}

int from_editor(Loop& loop, const Settings& settings, ChatOptions options) {
  auto stream = stdio_stream(loop);
  if (!stream) return complain(stream.error());
  BridgeConsole console(loop, editor::line_writes(loop, *std::move(stream)));
  std::fprintf(stderr, "%s\n", std::string(driver::started_notice()).c_str());
  ChatPlace place{.console = console,
                  .paper = console,
                  .editor = &console.editor(),
                  .context = [&console] { return in_front(console.context(), console.editor()); },
                  .status = [&console](editor::Status now) { console.send_status(std::move(now)); }};
  Chat chat(loop, settings, std::move(options), place);
  console.on_stop([&chat] { chat.stop(); });
  console.on_mention([&chat](const editor::AtMentioned& lines) { chat.mentioned(lines); });
  SignalWatch signals(loop, {SIGINT, SIGTERM, SIGHUP});
  Scope scope(loop);
  scope.start(live(console, chat));
  scope.start(handle_signals(signals, chat, console));
  return loop.block_on(begin_chat(loop, console, chat));
}

// A running gateway replaces this process, unless the chat needs an editor or a conversation of its own.
bool may_share(const Settings& settings, const ChatFlags& flags) {
  const auto window = driver::announced_window();
  const bool has_editor = driver::is_vscode_mode() || !window || *window;
  std::error_code none;  // an impossible or unreadable name
  const bool resumes_own =
      flags.resume && !flags.resume->empty() && std::filesystem::exists(chat_folder(state_folder(settings), *flags.resume), none);
  return !has_editor && !resumes_own;
}

int begin(const Settings& settings, const ChatFlags& flags) {
  auto request = flags.room.request();
  if (!request) return complain(request.error(), ExitCode::usage);
  auto more_folders = more_folders_of(flags);
  if (!more_folders) return complain(more_folders.error(), ExitCode::usage);
  request->more_folders = *std::move(more_folders);
  Loop loop;
  auto gateway = gateway_for(loop, settings, flags.room, may_share(settings, flags));
  if (!gateway) return complain(gateway.error(), ExitCode::usage);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error());
  ChatOptions options{.room = *std::move(request),
                      .resume = flags.resume,
                      .approve = flags.approve.empty() ? "ask" : flags.approve,
                      .gateway = *std::move(gateway)};
  const bool terminal = ::isatty(STDIN_FILENO) != 0;
  if (driver::is_vscode_mode() && !terminal) return from_editor(loop, settings, std::move(options));
  if (const auto window = driver::announced_window(); driver::is_vscode_mode() && window && !*window)
    std::fprintf(stderr,
                 "stdin is a terminal, which cannot carry the editor bridge: the chat continues without the editor. "
                 "An editor reaches a chat that the editor starts, or a chat in a terminal of its window "
                 "(PARLANCE_EDITOR_SOCKET).\n");
  if (terminal && ::isatty(STDOUT_FILENO) != 0) return at_terminal(loop, settings, std::move(options));
  // A line of a pipe is a prompt, and no answer.
  if (flags.approve.empty() && !terminal) options.approve = "none";
  return through_pipe(loop, settings, std::move(options));
}

}  // namespace

Action declare_chat(CLI::App& app) {
  auto wanted = std::make_shared<ChatFlags>();
  declare_room_flags(app, wanted->room);
  app.add_option("address", wanted->address, "Address of the agent for acp: ws://…, http://…");
  app.add_option("--add-dir", wanted->more_folders, "Additional folder. The files count as inside. Repeat for more folders.")
      ->type_name("DIR")
      ->expected(1)
      ->take_all();
  app.add_option("--resume", wanted->resume,
                 "Continue this conversation, or the newest of the folder, with the agent if you name one.")
      ->type_name("ID")
      ->expected(0, 1)
      ->default_str("");
  app.add_option("--approve", wanted->approve,
                 "Who answers requests: ask (you), all, or none (the default if stdin is no terminal).")
      ->check(CLI::IsMember({"ask", "all", "none"}));
  return [wanted](const Settings& settings, const Words& behind) {
    RoomFlags& room = wanted->room;
    room.command = behind;
    if (acp::is_agent_address(wanted->address)) room.command = {wanted->address};
    else if (!wanted->address.empty())
      return complain(
          {.code = Errc::invalid_params,
           .message = "\"" + wanted->address + "\" is no address; a prompt is typed in the chat, or given to parlance run"},
          ExitCode::usage);
    // The same agent with and without a running gateway. A resumed conversation has its own.
    if (room.agent.empty() && !wanted->resume && !room.gateway.wanted()) room.agent = default_agent(settings);
    return begin(settings, *wanted);
  };
}

}  // namespace parlance::app

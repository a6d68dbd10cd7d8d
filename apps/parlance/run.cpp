// SPDX-License-Identifier: Apache-2.0
// parlance run: a prompt to an agent in a terminal. The answer goes to stdout, all else to stderr; the person answers
// approvals, questions and plans in the terminal, or --approve does.
#include <csignal>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <unistd.h>
#include <utility>

#include <CLI/CLI.hpp>

#include "apps/parlance/chat/gateway_rooms.h"
#include "apps/parlance/chat/own_rooms.h"
#include "apps/parlance/chat/room_flags.h"
#include "apps/parlance/checks.h"
#include "apps/parlance/commands.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/terminal/following.h"
#include "apps/parlance/terminal/line_console.h"
#include "apps/parlance/terminal/paper.h"
#include "apps/parlance/terminal/terminal_asks.h"
#include "apps/parlance/terminal/terminal_output.h"
#include "parlance/async/cancel.h"
#include "parlance/async/signals.h"
#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/driver/editor/mode.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/hub.h"
#include "parlance/protocol/acp/client.h"

namespace parlance::app {
namespace {

struct RunCommand {
  RoomFlags room;
  std::string prompt;           // empty: stdin
  std::string more;             // the prompt, if the previous word is the agent's address
  std::string approve = "ask";  // ask, all, none
  bool json = false;
  double timeout_s = 0;  // 0: none
  bool temporary = false;
};

int exit_code(const Result<hub::StopReason>& stop, const TerminalOutput& output, const TerminalAsks& asks) {
  if (!stop) return complain(stop.error());
  if (*stop == hub::StopReason::error) {
    const auto& failure = output.failure();
    return failure && (failure->code == "not_found" || failure->code == "denied") ? ExitCode::not_started : ExitCode::failed;
  }
  if (*stop == hub::StopReason::cancelled || *stop == hub::StopReason::max_turns) return ExitCode::failed;
  return output.refused() || asks.refused() || *stop == hub::StopReason::refusal ? ExitCode::refused : ExitCode::done;
}

constexpr Duration longest_stop = 2 * limits::stop_grace;  // of a turn, with the way to a gateway

constexpr auto unstopped = "parlance: the end of the turn was not awaited; a gateway may still run the turn";

Task<Result<void>> next_of(SignalWatch& signals) {
  static_cast<void>(co_await signals.next());
  co_return Result<void>{};
}

// The first signal stops the turn. The second, or a turn that does not end in time, ends the wait.
Task<void> stop_at_signal(Loop& loop, SignalWatch& signals, hub::Hub& hub, std::string conversation, CancelSource& wait) {
  static_cast<void>(co_await signals.next());
  static_cast<void>(hub.submit_at_once(conversation, hub::StopTurn{}));
  static_cast<void>(co_await with_deadline(loop, loop.now() + longest_stop, next_of(signals)));
  wait.cancel();
}

std::string read_prompt() {
  if (::isatty(STDIN_FILENO) != 0) std::fprintf(stderr, "(the prompt is read from here, up to Ctrl-D)\n");
  std::string prompt(std::istreambuf_iterator<char>(std::cin), {});
  std::cin.clear();
  return prompt;
}

// Returns the exit code of a turn in the room.
Task<int> converse(Loop& loop, Room& room, const RunCommand& command, std::string prompt) {
  hub::Hub& hub = room.hub;
  const std::string id = room.conversation;
  hub::Follower follower(hub, id, hub.find(id)->last_seq);
  StandardPaper paper;
  TerminalOutput output(paper, {.json = command.json});
  LineConsole console(loop);
  TerminalAsks asks(hub, output, console, command.approve);
  if (const auto begun = co_await hub.submit(id, hub::SendPrompt{.text = std::move(prompt)}); !begun)
    co_return complain(begun.error(), ExitCode::usage);

  SignalWatch signals(loop, {SIGINT, SIGTERM});
  CancelSource wait(loop);
  Scope scope(loop);
  scope.start(stop_at_signal(loop, signals, hub, id, wait));
  const TimePoint deadline =
      command.timeout_s > 0 ? loop.now() + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(command.timeout_s))
                            : never;
  bool is_stopped = false;
  const auto stop_without_reader = [&](const hub::EventBody&) {
    if (paper.failure().empty() || std::exchange(is_stopped, true)) return;
    std::fprintf(stderr, "parlance: the turn is stopped, because stdout cannot be written: %s\n", paper.failure().c_str());
    static_cast<void>(hub.submit_at_once(id, hub::StopTurn{}));
  };
  const auto followed = [&]() -> Task<Result<hub::StopReason>> {
    co_return co_await under(wait, follow_turn(follower, output, asks, stop_without_reader));
  };
  const auto stop = co_await with_deadline(loop, deadline, followed());
  if (!stop && stop.error().code == Errc::deadline_exceeded) {
    std::fprintf(stderr, "parlance: the turn did not end within %g s\n", command.timeout_s);
    const auto stopped = co_await with_deadline(loop, loop.now() + longest_stop, hub.submit(id, hub::StopTurn{}));
    if (!stopped) std::fprintf(stderr, "%s\n", unstopped);
    co_return ExitCode::timed_out;
  }
  if (wait.cancelled()) {
    std::fprintf(stderr, "%s\n", unstopped);
    co_return ExitCode::failed;
  }
  co_return exit_code(stop, output, asks);
}

Task<int> converse_in(Loop& loop, Rooms& rooms, const RunCommand& command, RoomRequest request, std::string prompt) {
  if (const auto ready = co_await rooms.ready(); !ready) co_return complain(ready.error(), ExitCode::not_started);
  auto room = co_await rooms.create(std::move(request));
  if (!room) co_return complain_of_use(room.error(), ExitCode::not_started);
  const int code = co_await converse(loop, **room, command, std::move(prompt));
  co_await rooms.close(*std::move(room));
  co_return code;
}

// A running gateway replaces this process, unless the prompt needs an editor of its own.
bool may_share(const RunCommand& command) {
  const auto window = driver::announced_window();
  return !command.temporary && window && !*window;
}

// A state folder that cannot be written makes the conversation a temporary one.
std::unique_ptr<Rooms> own_rooms(Loop& loop, const Settings& settings, const RunCommand& command) {
  bool is_kept = !command.temporary;
  if (is_kept)
    if (const auto folder = keep_state_folder(settings); !folder) {
      is_kept = false;
      std::fprintf(stderr, "parlance: the conversation will not be stored: %s\n", visible_text(folder.error().message).c_str());
    }
  return std::make_unique<OwnRooms>(loop, settings, nullptr, is_kept ? OwnRooms::Keep::in_folders : OwnRooms::Keep::in_memory);
}

int run_prompt(const Settings& settings, const RunCommand& command) {
  auto request = command.room.request();
  if (!request) return complain(request.error(), ExitCode::usage);
  std::string prompt = command.prompt.empty() ? read_prompt() : command.prompt;
  if (trim(prompt).empty())
    return complain({.code = Errc::invalid_params,
                     .message = "the prompt for the agent \"" + command.room.agent +
                                "\" is empty: write it behind the agent, in quotes, or to stdin"},
                    ExitCode::usage);
  Loop loop;
  const auto gateway = gateway_for(loop, settings, command.room, may_share(command));
  if (!gateway) return complain(gateway.error(), ExitCode::usage);
  const std::unique_ptr<Rooms> rooms = *gateway ? std::make_unique<GatewayRooms>(*gateway) : own_rooms(loop, settings, command);
  return loop.block_on(converse_in(loop, *rooms, command, *std::move(request), std::move(prompt)));
}

}  // namespace

Action declare_run(CLI::App& app) {
  auto wanted = std::make_shared<RunCommand>();
  declare_room_flags(app, wanted->room);
  app.add_option("prompt", wanted->prompt, "The prompt. Default: stdin.");
  app.add_option("words", wanted->more, "The prompt, after the address of an agent.");
  app.add_option("--approve", wanted->approve, "Who answers requests: ask (you), all, or none.")
      ->check(CLI::IsMember({"ask", "all", "none"}))
      ->capture_default_str();
  app.add_flag("--json", wanted->json, "Events as JSON lines on stdout.");
  app.add_option("--timeout", wanted->timeout_s, "Seconds before the turn is stopped (exit code 5).")
      ->check(seconds_above_zero())
      ->type_name("SECONDS");
  app.add_flag("--temporary", wanted->temporary, "Do not store the conversation, and use no running gateway.");
  return [wanted](const Settings& settings, const Words& behind) {
    RoomFlags& room = wanted->room;
    room.command = behind;
    // Several words are a prompt: no agent has such a name.
    if (wanted->prompt.empty() && room.agent.find_first_of(" \t\n") != std::string::npos)
      wanted->prompt = std::exchange(room.agent, "");
    if (room.agent.empty() && !room.gateway.wanted()) room.agent = default_agent(settings);
    if (acp::is_agent_address(wanted->prompt)) {
      room.command = {wanted->prompt};
      wanted->prompt = wanted->more;
    } else if (!wanted->more.empty()) {
      return complain({.code = Errc::invalid_params,
                       .message = "the prompt has a second part, \"" + wanted->more + "\": put the whole prompt in quotes"},
                      ExitCode::usage);
    }
    return run_prompt(settings, *wanted);
  };
}

}  // namespace parlance::app

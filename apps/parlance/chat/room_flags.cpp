// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/room_flags.h"

#include <filesystem>

#include <CLI/CLI.hpp>

#include "apps/parlance/terminal/mode_words.h"

namespace parlance::app {

Result<std::string> RoomFlags::folder(const std::string& path, const std::string& flag) const {
  if (gateway.wanted()) return path;
  std::error_code error;
  const auto folder = std::filesystem::canonical(path.empty() ? "." : path, error);
  if (error)
    return fail(Errc::not_found,
                flag + ": the agent cannot use \"" + path + "\": " + error.message() + "; name an existing folder");
  return folder.string();
}

Result<RoomRequest> RoomFlags::request() const {
  PARLANCE_TRY(path, folder(gateway.folder, "--cwd"));
  const auto known = mode_of(mode);
  if (!known) return fail(Errc::invalid_params, "--mode: no such mode: " + mode);
  return RoomRequest{.agent = agent, .command = command, .folder = std::move(path), .mode = *known, .model = model};
}

void declare_room_flags(CLI::App& app, RoomFlags& flags) {
  app.add_option("agent", flags.agent,
                 "Agent: parlance, claude, a name of [agents.NAME], or acp for any ACP agent, with its command after "
                 "-- or its address (ws://…, http://…). With --to an agent of the gateway. Default: the agent of default-agent, "
                 "otherwise parlance; with --to, the first agent of the gateway.");
  app.add_option("--cwd", flags.gateway.folder,
                 "Working folder. With --to a path on the gateway, by default the folder of the gateway.")
      ->type_name("DIR");
  declare_gateway_flags(app, flags.gateway, false);
  app.add_option("--mode", flags.mode, "Mode of the conversation: decides which calls run without a request.")
      ->check(CLI::IsMember({"default", "autoEdit", "yolo", "plan", "smart"}))
      ->capture_default_str();
  app.add_option("--with-model", flags.model, "The agent's model; by default its own choice.")->type_name("NAME");
}

Result<std::shared_ptr<Gateway>> gateway_for(Loop& loop, const Settings& settings, const RoomFlags& flags, bool may_share) {
  if (flags.gateway.wanted()) {
    PARLANCE_TRY_DO(check_no_command(flags.command));
    return Gateway::at(loop, settings, flags.gateway);
  }
  if (!may_share || flags.needs_own_agent()) return nullptr;
  auto gateway = loop.block_on(Gateway::running(loop, settings));
  if (gateway && !gateway->choose(flags.agent)) gateway.reset();  // the agent is known here only
  return gateway;
}

}  // namespace parlance::app

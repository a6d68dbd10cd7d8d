// SPDX-License-Identifier: Apache-2.0
// The functions behind the rows of the table. Each command has its own file or folder. Main thread.
#pragma once

#include <array>

#include "apps/parlance/command.h"
#include "apps/parlance/exit_code.h"

namespace parlance::app {

int run_up(const Settings& settings);
int run_gateway(const Settings& settings);
int run_agent(const Settings& settings);
int run_embed(const Settings& settings);

Action declare_doctor(CLI::App& app);
Action declare_usage(CLI::App& app);
Action declare_model_add(CLI::App& app);
Action declare_model_list(CLI::App& app);
Action declare_model_ids(CLI::App& app);
Action declare_model_test(CLI::App& app);
Action declare_model_use(CLI::App& app);
Action declare_model_remove(CLI::App& app);
Action declare_store_adopt(CLI::App& app);
Action declare_users_add(CLI::App& app);
Action declare_users_list(CLI::App& app);
Action declare_users_role(CLI::App& app);
Action declare_users_disable(CLI::App& app);
Action declare_users_enable(CLI::App& app);
Action declare_tokens_create(CLI::App& app);
Action declare_tokens_list(CLI::App& app);
Action declare_tokens_revoke(CLI::App& app);
Action declare_log_export(CLI::App& app);
Action declare_mcp_list(CLI::App& app);
Action declare_mcp_login(CLI::App& app);
Action declare_mcp_logout(CLI::App& app);
Action declare_mcp_add(CLI::App& app);
Action declare_mcp_remove(CLI::App& app);
Action declare_mcp_pause(CLI::App& app);
Action declare_mcp_resume(CLI::App& app);
Action declare_mcp_restart(CLI::App& app);
Action declare_chat(CLI::App& app);
Action declare_run(CLI::App& app);
Action declare_serve_claude(CLI::App& app);
Action declare_serve_acp(CLI::App& app);
Action declare_runner(CLI::App& app);
Action declare_editor_serve(CLI::App& app);
Action declare_editor_tools(CLI::App& app);
Action declare_rehearse_editor(CLI::App& app);
Action declare_rpc_call(CLI::App& app);
Action declare_rpc_serve(CLI::App& app);
Action declare_gob_dump(CLI::App& app);
Action declare_gob_encode(CLI::App& app);
Action declare_config(CLI::App& app);
Action declare_config_trust(CLI::App& app);
Action declare_config_untrust(CLI::App& app);
Action declare_describe(CLI::App& app);
Action declare_completion(CLI::App& app);

// Whether a host started parlance in Claude Code's place, without a subcommand; and the program for this case.
bool is_claude_host(int argc, char** argv);
int run_serve_claude(const Settings& settings, const Words& words);

// The agent's settings, from a person or from `parlance up`.
inline constexpr std::array<std::string_view, 13> agent_settings{
    "agent-socket", "agent-socket-link", "agent-socket-group", "embed-url", "embed-model",       "embed-key-file", "model",
    "model-url",    "model-name",        "model-key-file",     "scenario",  "rehearsal-pace-ms", "recall"};
inline constexpr std::array<std::string_view, 4> embed_settings{"embed-listen", "embed-backend", "embed-model", "embed-key-file"};

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// The commands of `parlance`, a row each.
#include <algorithm>
#include <array>

#include "apps/parlance/commands.h"
#include "apps/parlance/memory/memory_flags.h"

namespace parlance::app {
namespace {

using Names = std::string_view;

constexpr std::array up_settings{Names("listen"),
                                 Names("agent-socket"),
                                 Names("agent-socket-link"),
                                 Names("agent-socket-group"),
                                 Names("agent-user"),
                                 Names("embed-listen"),
                                 Names("embed-url"),
                                 Names("embed-backend"),
                                 Names("embed-model"),
                                 Names("embed-key-file"),
                                 Names("token"),
                                 Names("open"),
                                 Names("ready-file"),
                                 Names("store"),
                                 Names("lease"),
                                 Names("folder"),
                                 Names("default-agent"),
                                 Names("model"),
                                 Names("model-url"),
                                 Names("model-name"),
                                 Names("model-key-file"),
                                 Names("scenario"),
                                 Names("rehearsal-pace-ms"),
                                 Names("recall"),
                                 Names("titles"),
                                 Names("tool-rounds"),
                                 Names("claude-command"),
                                 Names("claude-hooks"),
                                 Names("agent-timeout"),
                                 Names("prompt-file-bytes"),
                                 Names("iflow-node"),
                                 Names("iflow-base-url"),
                                 Names("iflow-key-file"),
                                 Names("iflow-port"),
                                 Names("allow-host"),
                                 Names("behind-proxy"),
                                 Names("ask-wait"),
                                 Names("push-services"),
                                 Names("push-contact"),
                                 Names("databases")};

// All there are.
constexpr auto config_settings = [] {
  std::array<std::string_view, up_settings.size() + 1> all{};
  std::ranges::copy(up_settings, all.begin());
  all.back() = "serve-agent";
  return all;
}();

constexpr std::array gateway_settings{Names("listen"),       Names("agent-socket"),   Names("agent-user"),
                                      Names("embed-listen"), Names("token"),          Names("open"),
                                      Names("ready-file"),   Names("folder"),         Names("default-agent"),
                                      Names("model"),        Names("model-name"),     Names("claude-command"),
                                      Names("claude-hooks"), Names("allow-host"),     Names("ask-wait"),
                                      Names("databases"),    Names("agent-timeout"),  Names("prompt-file-bytes"),
                                      Names("iflow-node"),   Names("iflow-base-url"), Names("iflow-key-file"),
                                      Names("iflow-port"),   Names("push-services"),  Names("push-contact"),
                                      Names("store"),        Names("lease"),          Names("behind-proxy"),
                                      Names("tool-rounds"),  Names("titles")};

constexpr std::array run_settings{Names("claude-command"), Names("claude-hooks"),   Names("model"),    Names("model-url"),
                                  Names("model-name"),     Names("model-key-file"), Names("scenario"), Names("rehearsal-pace-ms"),
                                  Names("tool-rounds"),    Names("default-agent")};
constexpr std::array serve_claude_settings{Names("serve-agent")};
constexpr std::array serve_acp_settings{Names("serve-agent"),    Names("claude-command"), Names("claude-hooks"),
                                        Names("model"),          Names("model-url"),      Names("model-name"),
                                        Names("model-key-file"), Names("scenario"),       Names("rehearsal-pace-ms"),
                                        Names("tool-rounds")};
constexpr std::array runner_settings{Names("claude-command"), Names("claude-hooks"),      Names("model"),
                                     Names("model-url"),      Names("model-name"),        Names("model-key-file"),
                                     Names("scenario"),       Names("rehearsal-pace-ms"), Names("tool-rounds"),
                                     Names("default-agent")};
constexpr std::array store_settings{Names("store")};
constexpr std::array memory_settings{Names("embed-url"), Names("embed-model"), Names("embed-key-file"), Names("store")};
// `up` gives the store on in the environment: its address may hold a password.
constexpr auto agent_flags = [] {
  std::array<std::string_view, agent_settings.size() + 1> all{};
  std::ranges::copy(agent_settings, all.begin());
  all.back() = "store";
  return all;
}();

const std::array commands{
    // ---- services
    Command{"up",
            "Starts gateway, agent and embedding service, restarts each after a crash, and prints the address of the page. "
            "Ctrl-C stops all.",
            "parlance up --listen 127.0.0.1:0 --ready-file /tmp/ready.json", up_settings, only_settings<run_up>},
    Command{"gateway", "Serves the page, the HTTP API and the conversations, in front of an agent's socket.", "",
            gateway_settings, only_settings<run_gateway>},
    Command{"agent", "Serves parlance's own agent over Go net/rpc on a Unix socket.",
            "parlance agent --socket /tmp/ocg-agent.sock --model rehearsal", agent_flags, only_settings<run_agent>},
    Command{"embed", "Turns texts into vectors over HTTP, for programs of this machine.",
            "parlance embed --backend http://127.0.0.1:8080\n"
            "curl -d '{\"text\":\"a cup of tea\"}' http://127.0.0.1:50001/embed",
            embed_settings, only_settings<run_embed>},
    // ---- agents in a terminal, and behind a host
    Command{"chat",
            "Starts a conversation with an agent in the terminal. Keys answer approvals, questions and plans; /help lists "
            "the commands. parlance stores conversations, and --resume continues one. From a pipe, each line is a prompt. "
            "An editor starts it with VSCODE_INTEGRATION=true for work with the open files.",
            "parlance chat\n"
            "parlance chat claude --resume\n"
            "parlance chat --to=wss://parlance.example.org --token-file ~/.parlance-token\n"
            "echo 'what does this folder hold?' | parlance chat",
            run_settings, declare_chat},
    Command{"run", "Sends one prompt to one agent. The text of the answer goes to stdout, approvals and questions go to stderr.",
            "parlance run claude 'what does this folder hold?'\n"
            "parlance run parlance 'what does this folder hold?' --to=wss://parlance.example.org --cwd /srv/shop",
            run_settings, declare_run},
    Command{"serve-claude",
            "Replaces Claude Code for a host of the Claude agent SDK, with the same flags and the same protocol on stdin "
            "and stdout. A message on stderr names each flag without effect.",
            "pathToClaudeCodeExecutable: '/usr/bin/parlance'\n"
            "PARLANCE_TO=wss://parlance.example.org PARLANCE_TOKEN_FILE=/home/ann/.parlance-token    in the host's "
            "environment",
            serve_claude_settings, declare_serve_claude},
    Command{"serve-acp",
            "Serves any agent to editors with the Agent Client Protocol, such as Zed: on stdin and stdout, or with --port "
            "over WebSocket and HTTP. parlance stores sessions, and an editor can load them again.",
            "parlance serve-acp --agent claude\n"
            "parlance serve-acp --to=wss://parlance.example.org --token-file ~/.parlance-token\n"
            "parlance serve-acp --iflow --port 8090",
            serve_acp_settings, declare_serve_acp},
    Command{"runner",
            "Offers agents and folders of this machine to a gateway on another machine, over one outgoing connection. The "
            "gateway's rules and users decide on each action. The token comes from PARLANCE_TOKEN or a file.",
            "parlance runner --to=wss://parlance.example.org/runner --name box --folder ~/src/shop", runner_settings,
            declare_runner},
    // ---- an editor, for agents of others
    Command{"editor", "Connects agents of other vendors with the editor window of this terminal."},
    Command{"editor serve",
            "Shows open files, selections and diffs of this editor window to Claude Code and Gemini CLI. Starts servers on "
            "this machine, writes the files by which the programs find them, and prints the environment for terminals.",
            "parlance editor serve",
            {},
            declare_editor_serve},
    Command{"editor tools",
            "Serves an MCP server on stdin and stdout with the editor's selection, open files and problems, and with diffs "
            "for approval.",
            "claude mcp add editor -- parlance editor tools",
            {},
            declare_editor_tools},
    // ---- others, played by us
    Command{"rehearse", "Simulates the other side of a protocol, for tests of a program."},
    Command{"rehearse editor",
            "Simulates an editor on a folder: starts an agent, answers requests of the editor bridge, forwards typed text, "
            "and shows messages on stderr. Changes of the agent reach the disk, only inside the folder.",
            "parlance rehearse editor --workspace ~/src/shop --active main.cpp -- node my_agent.js",
            {},
            declare_rehearse_editor},
    // ---- Go
    Command{"rpc", "Calls and serves Go net/rpc methods from a shell."},
    Command{"rpc call",
            "Calls a method and prints the reply as JSON.",
            "parlance rpc call /tmp/ocg-agent.sock RPCService.MemorySearch '{\"Query\":\"tea\"}'\n"
            "parlance rpc call 127.0.0.1:1234 Arith.Multiply '{\"A\":7,\"B:uint\":8}'\n"
            "parlance rpc call 127.0.0.1:1234 Shop.Price '{\"tea\":2}' --type 'map[string]int'",
            {},
            declare_rpc_call},
    Command{"rpc serve",
            "Serves methods. For each call, a command reads the parameters from stdin and writes the reply.",
            "parlance rpc serve /tmp/x.sock 'RPCService.Stats=echo {\\\"Stats\\\":{\\\"messages\\\":1}}'",
            {},
            declare_rpc_serve},
    Command{"gob", "Reads and writes Go's gob encoding."},
    Command{
        "gob dump", "Prints a recorded stream, message by message.", "parlance gob dump --text stream.bin", {}, declare_gob_dump},
    Command{"gob encode",
            "Writes JSON values, one per line, as gob.",
            "echo '{\"Name\":\"a\",\"Size\":3}' | parlance gob encode 'struct File { Name string; Size int }' --hex",
            {},
            declare_gob_encode},
    // ---- memory
    Command{"memory", "Stores, searches, lists, exports and imports the memory of agents, also while an agent runs."},
    Command{"memory store", "Stores a text, unless the memory has the same text.",
            "parlance memory store --category decision 'We deploy on Tuesdays.'", memory_settings, declare_memory_store},
    Command{"memory search", "Finds texts with a similar meaning, best first.", "parlance memory search 'when do we deploy?'",
            memory_settings, declare_memory_search},
    Command{"memory get", "Prints one memory.", "parlance memory get mem_01ARZ3NDEKTSV4RRFFQ6", memory_settings,
            declare_memory_get},
    Command{"memory list", "Lists memories, newest first.", "parlance memory list --category preference", memory_settings,
            declare_memory_list},
    Command{"memory delete", "Deletes memories by id.", "parlance memory delete mem_01ARZ3NDEKTSV4RRFFQ6", memory_settings,
            declare_memory_delete},
    Command{"memory forget", "Deletes all memories of a conversation or of a kind of source.",
            "parlance memory forget --conversation conv_01ARZ3NDEKTSV4RRFFQ6", memory_settings, declare_memory_forget},
    Command{"memory export", "Writes memories as JSON lines, with ids and times.", "parlance memory export memories.jsonl",
            memory_settings, declare_memory_export},
    Command{"memory import", "Reads an export. Existing memories stay as they are, so a repeated import is harmless.",
            "parlance memory import memories.jsonl\n"
            "parlance memory import --from-sqlite ~/.openclaw/memory.db",
            memory_settings, declare_memory_import},
    Command{"memory stats", "Prints the number of memories and the search method.", "", memory_settings, declare_memory_stats},
    Command{"memory serve",
            "Serves an MCP server on stdin and stdout with memory_search, memory_store and memory_forget, for agents of "
            "other vendors.",
            "claude mcp add memory -- parlance memory serve", memory_settings, declare_memory_serve},
    Command{"memory why", "Prints the origin of a memory: the conversation and the text in that conversation.",
            "parlance memory why mem_01ARZ3NDEKTSV4RRFFQ6", memory_settings, declare_memory_why},
    // ---- MCP servers
    Command{"mcp", "Lists MCP servers, adds and removes them, and logs in at them."},
    Command{"mcp list", "Prints all MCP servers with state and address.", "parlance mcp list --json", {}, declare_mcp_list},
    Command{"mcp login",
            "Logs in at an MCP server in the browser. The login is stored on this machine.",
            "parlance mcp login tickets",
            {},
            declare_mcp_login},
    Command{"mcp logout",
            "Deletes the login at an MCP server from this machine.",
            "parlance mcp logout tickets",
            {},
            declare_mcp_logout},
    Command{"mcp add",
            "Adds an MCP server at an address.",
            "parlance mcp add tickets https://tickets.example/mcp",
            {},
            declare_mcp_add},
    Command{"mcp remove",
            "Removes an MCP server that `parlance mcp add` or the page added, and its login.",
            "parlance mcp remove tickets",
            {},
            declare_mcp_remove},
    Command{"mcp pause",
            "Disconnects an MCP server until `parlance mcp resume`.",
            "parlance mcp pause tickets",
            {},
            declare_mcp_pause},
    Command{"mcp resume", "Connects a paused MCP server again.", "parlance mcp resume tickets", {}, declare_mcp_resume},
    Command{"mcp restart",
            "Restarts an MCP server of a gateway.",
            "parlance mcp restart tickets --to=wss://parlance.example.org",
            {},
            declare_mcp_restart},
    // ---- models
    Command{"model", "Manages connections to language models: address, model and key. Keys are never printed."},
    Command{"model add",
            "Stores a connection and uses it, also in a running agent from its next turn on. Flags, parlance.toml and the "
            "environment have precedence. An existing connection of the name is replaced.",
            "parlance model add anthropic\n"
            "parlance model add ollama --model qwen3\n"
            "pass show openrouter | parlance model add openrouter --model z-ai/glm-4.6 --key-stdin",
            {},
            declare_model_add},
    Command{"model list",
            "Prints the stored connections with a * at the used connection, and models found on this machine.",
            "parlance model list --json",
            {},
            declare_model_list},
    Command{"model ids",
            "Prints the ids of the models of a connection's server, one on each line.",
            "parlance model ids anthropic",
            {},
            declare_model_ids},
    Command{"model test",
            "Sends the smallest request to a connection, and prints the latency or the fault.",
            "parlance model test anthropic",
            {},
            declare_model_test},
    Command{"model use", "Uses another stored connection.", "parlance model use ollama", {}, declare_model_use},
    Command{"model remove", "Removes a connection with its key.", "parlance model remove ollama", {}, declare_model_remove},
    // ---- a team
    Command{"users", "Manages the users of gateways with a shared store."},
    Command{"users add", "Creates a user.", "parlance users add ann --role admin --store=postgresql://db.lan/parlance",
            store_settings, declare_users_add},
    Command{"users list", "Prints all users with role and number of tokens.", "parlance users list --json", store_settings,
            declare_users_list},
    Command{"users role", "Changes the role of a user: viewer, member or admin.", "parlance users role ann member",
            store_settings, declare_users_role},
    Command{"users disable", "Ends all access and all connections of a user. Started work of the user remains.",
            "parlance users disable ann", store_settings, declare_users_disable},
    Command{"users enable", "Restores the access of a disabled user.", "parlance users enable ann", store_settings,
            declare_users_enable},
    Command{"tokens", "Manages the tokens of users and runners."},
    Command{"tokens create", "Creates a token and prints it once.",
            "parlance tokens create ann --label laptop\n"
            "parlance tokens create ann --kind runner --days 90",
            store_settings, declare_tokens_create},
    Command{"tokens list", "Prints tokens without the secret part.", "parlance tokens list ann", store_settings,
            declare_tokens_list},
    Command{"tokens revoke", "Revokes a token at once and permanently.", "parlance tokens revoke token_01ARZ3NDEKTSV4RRFFQ6",
            store_settings, declare_tokens_revoke},
    Command{"log", "Prints events of conversations with their authors."},
    Command{"log export",
            "Prints the events of all conversations or of one as JSON lines, oldest first: prompts, actions, approvals and "
            "changes, each with its author. With a shared store also users, tokens, rules and deletions.",
            "parlance log export --store=postgresql://db.lan/parlance > log.jsonl\n"
            "parlance log export --conversation conv_01ARZ3NDEKTSV4RRFFQ6",
            store_settings, declare_log_export},
    // ---- a separate program, which reads the following words
    Command{"sqlite", "Opens SQLite databases for an editor (JSON lines) or for AI clients (--mcp), as sqlite-helper does.",
            "parlance sqlite --mcp --db notes.db"},
    // ---- the whole program
    Command{"config", "Prints every setting.", "parlance config --origin", config_settings, declare_config, true},
    Command{"config trust",
            "Accepts the parlance.toml of a folder in its present form, including programs that it starts and addresses "
            "that it names. Read the file first.",
            "parlance config trust ~/src/shop",
            {},
            declare_config_trust},
    Command{"config untrust", "Revokes the trust in a folder.", "parlance config untrust ~/src/shop", {}, declare_config_untrust},
    Command{"doctor", "Checks this machine for `parlance up` with the same flags, including the server of the model.",
            "parlance doctor --model openai --model-url http://127.0.0.1:11434/v1", up_settings, declare_doctor, true},
    Command{"usage",
            "Prints tokens and cost of models by day and by conversation, and the limits. Agents report the numbers. Each "
            "currency has its own total.",
            "parlance usage --since 2026-03-01\n"
            "parlance usage --json",
            store_settings, declare_usage},
    Command{"store", "Manages the PostgreSQL database of gateways with a shared store."},
    Command{"store adopt",
            "Releases all conversations of a restored database from their previous gateways. Run it once after a restore, "
            "before any gateway starts. It refuses while a gateway uses the database.",
            "PARLANCE_STORE=postgresql://parlance@db/restored parlance store adopt", store_settings, declare_store_adopt},
    Command{"describe",
            "Prints the messages of a protocol, the policy or the permissions.",
            "parlance describe page --form typescript",
            {},
            declare_describe},
    Command{"completion",
            "Prints a completion script for a shell.",
            "parlance completion bash > ~/.local/share/bash-completion/completions/parlance",
            {},
            declare_completion},
};

}  // namespace

std::span<const Command> all_commands() { return commands; }

}  // namespace parlance::app

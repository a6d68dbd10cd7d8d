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
                                 Names("model"),
                                 Names("model-url"),
                                 Names("model-name"),
                                 Names("model-key-file"),
                                 Names("scenario"),
                                 Names("rehearsal-pace-ms"),
                                 Names("recall"),
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

constexpr std::array gateway_settings{
    Names("listen"),         Names("agent-socket"),      Names("agent-user"),   Names("embed-listen"),   Names("token"),
    Names("open"),           Names("ready-file"),        Names("folder"),       Names("model"),          Names("model-name"),
    Names("claude-command"), Names("claude-hooks"),      Names("allow-host"),   Names("ask-wait"),       Names("databases"),
    Names("agent-timeout"),  Names("prompt-file-bytes"), Names("iflow-node"),   Names("iflow-base-url"), Names("iflow-key-file"),
    Names("iflow-port"),     Names("push-services"),     Names("push-contact"), Names("store"),          Names("lease"),
    Names("behind-proxy")};

constexpr std::array run_settings{Names("claude-command"), Names("claude-hooks"),     Names("model"),
                                  Names("model-url"),      Names("model-name"),       Names("model-key-file"),
                                  Names("scenario"),       Names("rehearsal-pace-ms")};
constexpr std::array serve_claude_settings{Names("serve-agent")};
constexpr std::array serve_acp_settings{Names("serve-agent"),    Names("claude-command"), Names("claude-hooks"),
                                        Names("model"),          Names("model-url"),      Names("model-name"),
                                        Names("model-key-file"), Names("scenario"),       Names("rehearsal-pace-ms")};
constexpr std::array runner_settings{Names("claude-command"), Names("claude-hooks"),     Names("model"),
                                     Names("model-url"),      Names("model-name"),       Names("model-key-file"),
                                     Names("scenario"),       Names("rehearsal-pace-ms")};
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
    Command{
        "up",
        "Starts gateway, agent and embedding service, keeps them running, and prints the address of the page. Ctrl-C stops all.",
        "parlance up --listen 127.0.0.1:0 --ready-file /tmp/ready.json", up_settings, only_settings<run_up>},
    Command{"gateway", "HTTP, the page and the conversations, in front of an agent's socket.", "", gateway_settings,
            only_settings<run_gateway>},
    Command{"agent", "Our agent behind Go net/rpc on a Unix socket.",
            "parlance agent --socket /tmp/ocg-agent.sock --model rehearsal", agent_flags, only_settings<run_agent>},
    Command{"embed", "The embedding service: texts to vectors over HTTP, for programs of this machine.",
            "parlance embed --backend http://127.0.0.1:8080\n"
            "curl -d '{\"text\":\"a cup of tea\"}' http://127.0.0.1:50001/embed",
            embed_settings, only_settings<run_embed>},
    // ---- agents in a terminal, and behind a host
    Command{"chat",
            "Talks with an agent here in the terminal: prompts with history and completion, answers as they come, approvals, "
            "questions and "
            "plans by key; /help lists its commands. Conversations are kept, and can be taken up again. Through a pipe each line "
            "is a prompt; "
            "started by an editor (VSCODE_INTEGRATION=true) it works with what is open there.",
            "parlance chat\n"
            "parlance chat claude --resume\n"
            "parlance chat --to=wss://parlance.example.org --token-file ~/.parlance-token\n"
            "echo 'what does this folder hold?' | parlance chat",
            run_settings, declare_chat},
    Command{"run", "One prompt to one agent, here in the terminal: its text on stdout, approvals and questions on stderr.",
            "parlance run claude 'what does this folder hold?'\n"
            "parlance run parlance 'what does this folder hold?' --to=wss://parlance.example.org --cwd /srv/shop",
            run_settings, declare_run},
    Command{"serve-claude",
            "Stands in for Claude Code where a host starts it (the Claude agent SDK): takes its flags and speaks its protocol on "
            "stdin "
            "and stdout. Flags that the agent behind it does not keep are named on stderr.",
            "pathToClaudeCodeExecutable: '/usr/bin/parlance'\n"
            "PARLANCE_TO=wss://parlance.example.org PARLANCE_TOKEN_FILE=/home/ann/.parlance-token    in the host's environment",
            serve_claude_settings, declare_serve_claude},
    Command{
        "serve-acp",
        "An agent for editors that speak the Agent Client Protocol (Zed and others), with any agent of ours behind: on stdin and "
        "stdout, or with --port over WebSocket and HTTP. Sessions are kept, and can be loaded again.",
        "parlance serve-acp --agent claude\n"
        "parlance serve-acp --to=wss://parlance.example.org --token-file ~/.parlance-token\n"
        "parlance serve-acp --iflow --port 8090",
        serve_acp_settings, declare_serve_acp},
    Command{
        "runner",
        "Offers the agents of this machine, and folders for them, to a gateway elsewhere: one outgoing connection, made again "
        "when "
        "it breaks. Whatever they want to do is decided at the gateway, by its rules and its people; here nothing is. The token "
        "comes from PARLANCE_TOKEN or a file.",
        "parlance runner --to=wss://parlance.example.org/runner --name box --folder ~/src/shop", runner_settings, declare_runner},
    // ---- an editor, for agents of others
    Command{"editor", "The window of the editor in whose terminal this is, for agents that are not ours."},
    Command{
        "editor serve",
        "Lets Claude Code's and Gemini's CLI in the terminals of this window see what is open and selected there and show their "
        "changes as diffs: servers of this machine, and files by which the CLIs find them. Prints what those terminals need in "
        "their environment.",
        "parlance editor serve",
        {},
        declare_editor_serve},
    Command{
        "editor tools",
        "An MCP server on stdin and stdout: what is selected, open and wrong in the editor, and changes that the person decides "
        "on there.",
        "claude mcp add editor -- parlance editor tools",
        {},
        declare_editor_tools},
    // ---- others, played by us
    Command{"rehearse", "Plays the other side of a protocol, so that a program can be tried without it."},
    Command{"rehearse editor",
            "An editor that is a folder: starts an agent as an editor does, answers what it asks over the editor bridge, passes "
            "on what is "
            "typed, and shows the messages on stderr. What the agent changes is changed on disk, inside of the folder alone.",
            "parlance rehearse editor --workspace ~/src/shop --active main.cpp -- node my_agent.js",
            {},
            declare_rehearse_editor},
    // ---- Go
    Command{"rpc", "Go net/rpc from a shell."},
    Command{"rpc call",
            "Calls a method and prints its reply as JSON.",
            "parlance rpc call /tmp/ocg-agent.sock RPCService.MemorySearch '{\"Query\":\"tea\"}'\n"
            "parlance rpc call 127.0.0.1:1234 Arith.Multiply '{\"A\":7,\"B:uint\":8}'\n"
            "parlance rpc call 127.0.0.1:1234 Shop.Price '{\"tea\":2}' --type 'map[string]int'",
            {},
            declare_rpc_call},
    Command{"rpc serve",
            "Serves methods, each by a command that reads the parameters from stdin and writes the reply.",
            "parlance rpc serve /tmp/x.sock 'RPCService.Stats=echo {\\\"Stats\\\":{\\\"messages\\\":1}}'",
            {},
            declare_rpc_serve},
    Command{"gob", "Go's gob encoding."},
    Command{
        "gob dump", "Shows a recorded stream, message by message.", "parlance gob dump --text stream.bin", {}, declare_gob_dump},
    Command{"gob encode",
            "Writes JSON values, one a line, as gob.",
            "echo '{\"Name\":\"a\",\"Size\":3}' | parlance gob encode 'struct File { Name string; Size int }' --hex",
            {},
            declare_gob_encode},
    // ---- memory
    Command{"memory", "What agents remember: store, search, list, forget, export and import, also while one runs."},
    Command{"memory store", "Stores a text, unless the same is there already.",
            "parlance memory store --category decision 'We deploy on Tuesdays.'", memory_settings, declare_memory_store},
    Command{"memory search", "Finds what a text means, best first.", "parlance memory search 'when do we deploy?'",
            memory_settings, declare_memory_search},
    Command{"memory get", "Shows one memory.", "parlance memory get mem_01ARZ3NDEKTSV4RRFFQ6", memory_settings,
            declare_memory_get},
    Command{"memory list", "Lists memories, the newest first.", "parlance memory list --category preference", memory_settings,
            declare_memory_list},
    Command{"memory delete", "Deletes memories by their ids.", "parlance memory delete mem_01ARZ3NDEKTSV4RRFFQ6", memory_settings,
            declare_memory_delete},
    Command{"memory forget", "Forgets all that a conversation or a kind of source made.",
            "parlance memory forget --conversation conv_01ARZ3NDEKTSV4RRFFQ6", memory_settings, declare_memory_forget},
    Command{"memory export", "Writes memories as JSON lines, with ids and times.", "parlance memory export memories.jsonl",
            memory_settings, declare_memory_export},
    Command{"memory import", "Reads what export wrote. What is there already is left alone, so it can be repeated.",
            "parlance memory import memories.jsonl\n"
            "parlance memory import --from-sqlite ~/.openclaw/memory.db",
            memory_settings, declare_memory_import},
    Command{"memory stats", "How many there are, and how they are searched.", "", memory_settings, declare_memory_stats},
    Command{
        "memory serve",
        "An MCP server on stdin and stdout with the tools memory_search, memory_store and memory_forget, for agents that are not "
        "ours.",
        "claude mcp add memory -- parlance memory serve", memory_settings, declare_memory_serve},
    Command{"memory why", "Says where a memory came from: the conversation and what was said there.",
            "parlance memory why mem_01ARZ3NDEKTSV4RRFFQ6", memory_settings, declare_memory_why},
    // ---- a team
    Command{"users", "Who works with the gateways that share a store, and what they may."},
    Command{"users add", "Makes a user.", "parlance users add ann --role admin --store=postgresql://db.lan/parlance",
            store_settings, declare_users_add},
    Command{"users list", "Prints all users, their roles and how many tokens they have.", "parlance users list --json",
            store_settings, declare_users_list},
    Command{"users role", "Gives a user another role: viewer, member or admin.", "parlance users role ann member", store_settings,
            declare_users_role},
    Command{"users disable", "Lets a user in no more, and ends their connections. What they began stays.",
            "parlance users disable ann", store_settings, declare_users_disable},
    Command{"users enable", "Takes that back.", "parlance users enable ann", store_settings, declare_users_enable},
    Command{"tokens", "By which users and their runners come in."},
    Command{"tokens create", "Makes a token and prints it, this once.",
            "parlance tokens create ann --label laptop\n"
            "parlance tokens create ann --kind runner --days 90",
            store_settings, declare_tokens_create},
    Command{"tokens list", "Prints tokens, without what opens anything.", "parlance tokens list ann", store_settings,
            declare_tokens_list},
    Command{"tokens revoke", "Takes a token back, at once and for ever.", "parlance tokens revoke token_01ARZ3NDEKTSV4RRFFQ6",
            store_settings, declare_tokens_revoke},
    Command{"log", "What happened in conversations, and who did it."},
    Command{"log export",
            "Prints the events of all conversations, or of one, as JSON lines, the oldest first: what was asked and by whom, "
            "what was "
            "done, who allowed it, who changed what. Of a team also what is in no conversation: users, tokens, rules, what was "
            "deleted.",
            "parlance log export --store=postgresql://db.lan/parlance > log.jsonl\n"
            "parlance log export --conversation conv_01ARZ3NDEKTSV4RRFFQ6",
            store_settings, declare_log_export},
    // ---- a program of its own: what follows the word is read there
    Command{"sqlite", "sqlite-helper: databases for an editor (JSON lines) and for AI clients (--mcp).",
            "parlance sqlite --mcp --db notes.db"},
    // ---- about all of it
    Command{"config", "Prints every setting.", "parlance config --origin", config_settings, declare_config, true},
    Command{"config trust",
            "Lets all of a folder's parlance.toml count, as it is now: programs that it starts and addresses that it names too. "
            "Read it "
            "first.",
            "parlance config trust ~/src/shop",
            {},
            declare_config_trust},
    Command{"config untrust", "Takes that back.", "parlance config untrust ~/src/shop", {}, declare_config_untrust},
    Command{
        "doctor",
        "Looks at everything that has to be right on this machine, with the flags that `parlance up` is to be started with; asks "
        "the model's server, too.",
        "parlance doctor --model openai --model-url http://127.0.0.1:11434/v1", up_settings, declare_doctor, true},
    Command{
        "usage",
        "Prints what models used and cost, as far as agents told it: today, by day and by conversation, and the limits on it. "
        "Currencies stand apart.",
        "parlance usage --since 2026-03-01\n"
        "parlance usage --json",
        store_settings, declare_usage},
    Command{"store", "The PostgreSQL in which gateways share their conversations."},
    Command{"store adopt",
            "To be run once after a backup was restored, before any gateway works with it: nobody of before owns a conversation "
            "there any more. Changes nothing else, and refuses while gateways work with that database.",
            "PARLANCE_STORE=postgresql://parlance@db/restored parlance store adopt", store_settings, declare_store_adopt},
    Command{"describe",
            "Prints the messages of a protocol, or the policy.",
            "parlance describe page --form typescript",
            {},
            declare_describe},
    Command{"completion",
            "Prints a completion script.",
            "parlance completion bash > ~/.local/share/bash-completion/completions/parlance",
            {},
            declare_completion},
};

}  // namespace

std::span<const Command> all_commands() { return commands; }

}  // namespace parlance::app

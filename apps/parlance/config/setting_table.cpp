// SPDX-License-Identifier: Apache-2.0
// All settings: names, defaults and help texts.
#include <algorithm>
#include <array>

#include "apps/parlance/config/deployed_settings.h"
#include "apps/parlance/config/settings.h"
#include "parlance/base/check.h"
#include "parlance/push/push_services.h"

namespace parlance::app {
namespace {

constexpr std::array<std::string_view, 1> socket_aliases{"OPENCLAW_AGENT_SOCK"};
constexpr std::array<std::string_view, 1> token_aliases{"OPENCLAW_UI_TOKEN"};
constexpr std::array<std::string_view, 2> url_aliases{"OPENCLAW_BASE_URL", "OPENAI_BASE_URL"};
constexpr std::array<std::string_view, 1> name_aliases{"OPENCLAW_MODEL"};
constexpr std::array<std::string_view, 1> embed_aliases{"EMBEDDING_SERVER_URL"};

constexpr std::array specs{
    SettingSpec{
        "listen", "PARLANCE_LISTEN", {}, "127.0.0.1:55003", "ADDR:PORT", "Address of the gateway. Port 0 selects a free port."},
    SettingSpec{
        "agent-socket", "PARLANCE_AGENT_SOCKET", socket_aliases, "", "PATH",
        "Unix socket of the agent. Default: $XDG_RUNTIME_DIR/parlance/agent.sock, or /tmp/ocg-agent.sock without this folder."},
    SettingSpec{"agent-socket-link",
                "PARLANCE_AGENT_SOCKET_LINK",
                {},
                seed_agent_socket,
                "PATH|none",
                "Link to the agent's usual socket, for programs with this fixed address."},
    SettingSpec{"agent-socket-group",
                "PARLANCE_AGENT_SOCKET_GROUP",
                {},
                "",
                "GROUP",
                "Members of this group may connect to the agent, such as a gateway of another user. Needs an "
                "--agent-socket in a folder that they can enter."},
    SettingSpec{"agent-user",
                "PARLANCE_AGENT_USER",
                {},
                "",
                "USER",
                "User whose agent may listen on agent-socket, in addition to yours and root's. No data is sent to "
                "agents of other users."},
    SettingSpec{"token", "PARLANCE_TOKEN", token_aliases, "auto", "TEXT|auto",
                "Token of the gateway. auto creates a token and stores it in the state folder.", FolderMay::say_once_trusted,
                true},
    SettingSpec{"embed-listen",
                "PARLANCE_EMBED_LISTEN",
                {},
                "127.0.0.1:50001",
                "ADDR:PORT",
                "Address of the embedding service on this machine. Port 0 selects a free port."},
    SettingSpec{"embed-url", "PARLANCE_EMBED_URL", embed_aliases, "", "URL",
                "Embedding service of the agent's memory. Default: the built-in embedder."},
    SettingSpec{"embed-backend",
                "PARLANCE_EMBED_BACKEND",
                {},
                "",
                "URL",
                "Back end of the embedding service: OpenAI's API, llama.cpp, another /embed. Default: the built-in embedder."},
    SettingSpec{"embed-model",
                "PARLANCE_EMBED_MODEL",
                {},
                "",
                "NAME",
                "Name of the model for embed-backend or embed-url. Default: the default of that service.",
                FolderMay::say},
    SettingSpec{"embed-key-file",
                "PARLANCE_EMBED_KEY_FILE",
                {},
                "",
                "FILE",
                "A file with the key for embed-backend or embed-url (mode 0600), or else PARLANCE_EMBED_API_KEY."},
    SettingSpec{"open", "PARLANCE_OPEN", {}, "false", "", "Open the page in a browser once everything is ready."},
    SettingSpec{"ready-file",
                "PARLANCE_READY_FILE",
                {},
                "",
                "FILE",
                "Write addresses, token and process ids to this file as JSON, once all services are ready."},
    SettingSpec{"state",
                "PARLANCE_STATE",
                {},
                "",
                "DIR",
                "The state folder; by default $XDG_STATE_HOME/parlance or ~/.local/state/parlance.",
                FolderMay::not_say},
    SettingSpec{"store",
                "PARLANCE_STORE",
                {},
                "",
                "URL",
                "Store of conversations and memories: postgresql://USER@HOST/DATABASE, which several gateways may "
                "share (docs/howto/team.md). Default: files in the state folder. Set a password in the variable, not "
                "on the command line.",
                FolderMay::say_once_trusted,
                true},
    SettingSpec{"lease",
                "PARLANCE_LEASE",
                {},
                "15",
                "SECONDS",
                "Silence of a gateway with a shared store before another gateway takes over. The silent gateway ends "
                "at two thirds of this time."},
    SettingSpec{"folder", "PARLANCE_FOLDER", {}, "", "DIR", "Folder of new conversations. Default: the working folder."},
    SettingSpec{"log-level",
                "PARLANCE_LOG_LEVEL",
                {},
                "warn",
                "error|warn|info|debug|trace",
                "Lowest level of the log lines on stderr.",
                FolderMay::say},
    SettingSpec{"log-json", "PARLANCE_LOG_JSON", {}, "false", "", "Log lines as JSON.", FolderMay::say},
    SettingSpec{"model",
                "PARLANCE_MODEL",
                {},
                "rehearsal",
                "rehearsal|openai|anthropic|none",
                "Kind of the model. rehearsal is scripted and needs no key; a model-url or a key selects openai (or "
                "anthropic, if the URL names Anthropic); none runs the agent as a memory only."},
    SettingSpec{"model-url", "PARLANCE_MODEL_URL", url_aliases, "", "URL", "The model's API; by default the vendor's own."},
    SettingSpec{"model-name", "PARLANCE_MODEL_NAME", name_aliases, "", "NAME",
                "Name of the model. Default: the vendor's usual model.", FolderMay::say},
    SettingSpec{"model-key-file",
                "PARLANCE_MODEL_KEY_FILE",
                {},
                "",
                "FILE",
                "A file with the API key (mode 0600), or else PARLANCE_API_KEY and the vendor's usual variable. Keys are never "
                "given as flags."},
    SettingSpec{"scenario", "PARLANCE_SCENARIO", {}, "", "FILE", "What rehearsal plays (docs/howto/rehearsal.md)."},
    SettingSpec{"rehearsal-pace-ms",
                "PARLANCE_REHEARSAL_PACE_MS",
                {},
                "12",
                "MS",
                "Milliseconds between two pieces of a rehearsal's answer.",
                FolderMay::say},
    SettingSpec{"recall",
                "PARLANCE_RECALL",
                {},
                "on",
                "on|off",
                "Whether the agent searches its memory before each answer. Tools can search it in both cases."},
    SettingSpec{"titles",
                "PARLANCE_TITLES",
                {},
                "on",
                "on|off",
                "Whether parlance's own agent asks its model for a title after the first turn of a conversation: one more call, "
                "with at most 2,000 bytes of the prompt and 100 tokens of answer. off: the title is the first words."},
    SettingSpec{
        "tool-rounds",
        "PARLANCE_TOOL_ROUNDS",
        {},
        "100",
        "NUMBER",
        "Rounds of tool calls in a turn of parlance's own agent, after each of which a person decides whether the turn continues."},
    SettingSpec{"claude-command",
                "PARLANCE_CLAUDE_COMMAND",
                {},
                "claude",
                "COMMAND",
                "Command of Claude Code; quotes keep words together. The page offers Claude Code if this program exists."},
    SettingSpec{"claude-hooks",
                "PARLANCE_CLAUDE_HOOKS",
                {},
                "",
                "FILE",
                "Hooks for Claude Code: a JSON list of events, each with a command or an address (docs/howto/claude.md)."},
    SettingSpec{"agent-timeout",
                "PARLANCE_AGENT_TIMEOUT",
                {},
                "60000",
                "MS",
                "How long an agent of ACP may take for an answer to anything but a prompt; its start counts, too.",
                FolderMay::say},
    SettingSpec{"prompt-file-bytes",
                "PARLANCE_PROMPT_FILE_BYTES",
                {},
                "200000",
                "BYTES",
                "Bytes of each file that a prompt includes as text, for agents without other ways. The prompt marks cut files.",
                FolderMay::say},
    SettingSpec{"iflow-node", "PARLANCE_IFLOW_NODE", {}, "", "FILE", "Node for iFlow. Default: the Node that its program finds."},
    SettingSpec{"iflow-base-url",
                "PARLANCE_IFLOW_BASE_URL",
                {},
                "",
                "URL",
                "Address of iFlow's models, written to its own settings before each prompt, because iFlow reads it "
                "only there. Default: unchanged."},
    SettingSpec{"iflow-key-file",
                "PARLANCE_IFLOW_KEY_FILE",
                {},
                "",
                "FILE",
                "File with the key for iFlow's models (mode 0600), written to its own settings too."},
    SettingSpec{"iflow-port",
                "PARLANCE_IFLOW_PORT",
                {},
                "0",
                "PORT",
                "Where an iFlow may be running already, on this machine: it is used if one answers there, else one is started."},
    SettingSpec{
        "default-agent",
        "PARLANCE_DEFAULT_AGENT",
        {},
        "",
        "ID",
        "Which agent answers new conversations that name none, those of webviews included: parlance, claude, iflow, another id of "
        "the list of agents. By default the first that is available."},
    SettingSpec{
        "serve-agent", "PARLANCE_SERVE_AGENT", {}, "parlance", "parlance|claude", "Which agent answers behind serve-claude."},
    SettingSpec{databases_setting,
                "PARLANCE_DATABASES",
                {},
                "",
                "PATH[:PATH]",
                "SQLite databases for conversations (docs/howto/sqlite_helper.md); a list in parlance.toml."},
    SettingSpec{
        "allow-host", "PARLANCE_ALLOW_HOST", {}, "", "NAME", "Further Host name of the gateway, behind a proxy of yours."},
    SettingSpec{"behind-proxy",
                "PARLANCE_BEHIND_PROXY",
                {},
                "false",
                "",
                "A TLS proxy of yours stands before the gateway, under the name of allow-host: the gateway may then "
                "listen beyond this machine."},
    SettingSpec{"ask-wait",
                "PARLANCE_ASK_WAIT",
                {},
                "0",
                "SECONDS",
                "How long an HTTP request without streaming waits for an approval while its user has no page open; 0: it fails "
                "at once. With an open page it waits for at least 300.",
                FolderMay::say},
    SettingSpec{"push-services",
                "PARLANCE_PUSH_SERVICES",
                {},
                push::known_services,
                "HOSTS",
                "Push services that may receive notices while no page is open: hosts, or origins such as "
                "https://push.example:8443 for a service of yours; separated by blanks. A browser first asks on the "
                "page."},
    SettingSpec{"push-contact",
                "PARLANCE_PUSH_CONTACT",
                {},
                "",
                "ADDRESS",
                "Contact for push services: mailto:… or https:…; Apple's service requires a contact. Default: no contact."},
};

}  // namespace

std::span<const SettingSpec> all_settings() { return specs; }

const SettingSpec& spec_of(std::string_view name) {
  const auto* found = std::find_if(specs.begin(), specs.end(), [&](const SettingSpec& spec) { return spec.name == name; });
  PARLANCE_CHECK(found != specs.end(), "a setting of the table");
  return *found;
}

}  // namespace parlance::app

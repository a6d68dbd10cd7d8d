// SPDX-License-Identifier: Apache-2.0
// Every setting: its names, what it is by default, and what a person is told of it.
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
        "listen", "PARLANCE_LISTEN", {}, "127.0.0.1:55003", "ADDR:PORT", "Where the gateway listens; port 0 picks a free one."},
    SettingSpec{
        "agent-socket", "PARLANCE_AGENT_SOCKET", socket_aliases, "", "PATH",
        "The agent's Unix socket; by default $XDG_RUNTIME_DIR/parlance/agent.sock, or /tmp/ocg-agent.sock where there is no "
        "such folder."},
    SettingSpec{"agent-socket-link",
                "PARLANCE_AGENT_SOCKET_LINK",
                {},
                seed_agent_socket,
                "PATH|none",
                "A link to the agent's usual socket, for programs that know this address only."},
    SettingSpec{"agent-socket-group",
                "PARLANCE_AGENT_SOCKET_GROUP",
                {},
                "",
                "GROUP",
                "Members of this group may connect to the agent, too: a gateway of another user. Needs an --agent-socket in a "
                "folder that they can enter."},
    SettingSpec{"agent-user",
                "PARLANCE_AGENT_USER",
                {},
                "",
                "USER",
                "Whose agent may listen on agent-socket, beside yours and root's; nothing is said to any other."},
    SettingSpec{"token", "PARLANCE_TOKEN", token_aliases, "auto", "TEXT|auto",
                "The token that the gateway asks for; auto makes one and keeps it in the state folder.",
                FolderMay::say_once_trusted, true},
    SettingSpec{"embed-listen",
                "PARLANCE_EMBED_LISTEN",
                {},
                "127.0.0.1:50001",
                "ADDR:PORT",
                "Where the embedding service listens, on this machine; port 0 picks a free one."},
    SettingSpec{"embed-url", "PARLANCE_EMBED_URL", embed_aliases, "", "URL",
                "The embedding service that the agent's memory uses; by default its own, which is built in."},
    SettingSpec{"embed-backend",
                "PARLANCE_EMBED_BACKEND",
                {},
                "",
                "URL",
                "What the embedding service passes texts on to: OpenAI's API, llama.cpp, another /embed; by default it embeds "
                "itself."},
    SettingSpec{"embed-model",
                "PARLANCE_EMBED_MODEL",
                {},
                "",
                "NAME",
                "Which model embed-backend or embed-url is asked for; by default its own.",
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
                "Write addresses, token and process ids there, as JSON, once everything is ready."},
    SettingSpec{"state",
                "PARLANCE_STATE",
                {},
                "",
                "DIR",
                "The state folder; by default $XDG_STATE_HOME/parlance or ~/.local/state/parlance.",
                FolderMay::not_say},
    SettingSpec{
        "store",
        "PARLANCE_STORE",
        {},
        "",
        "URL",
        "Where conversations and memories are kept: postgresql://USER@HOST/DATABASE, which several gateways may share (docs/howto/team.md); by "
        "default a file in the state folder. A password in it belongs into the variable, not on a command line.",
        FolderMay::say_once_trusted,
        true},
    SettingSpec{
        "lease",
        "PARLANCE_LEASE",
        {},
        "15",
        "SECONDS",
        "How long a gateway with a shared store may be silent before another takes over; at two thirds of it, it ends itself."},
    SettingSpec{
        "folder", "PARLANCE_FOLDER", {}, "", "DIR", "The folder that new conversations work in; by default the working folder."},
    SettingSpec{"log-level",
                "PARLANCE_LOG_LEVEL",
                {},
                "warn",
                "error|warn|info|debug|trace",
                "How much is logged to stderr.",
                FolderMay::say},
    SettingSpec{"log-json", "PARLANCE_LOG_JSON", {}, "false", "", "Log lines as JSON.", FolderMay::say},
    SettingSpec{"model",
                "PARLANCE_MODEL",
                {},
                "rehearsal",
                "rehearsal|openai|anthropic|none",
                "Which kind of model answers. rehearsal is scripted and needs no key; a model-url or a key chooses openai (or "
                "anthropic, if the URL says so); with none the agent is memory alone."},
    SettingSpec{"model-url", "PARLANCE_MODEL_URL", url_aliases, "", "URL", "The model's API; by default the vendor's own."},
    SettingSpec{"model-name", "PARLANCE_MODEL_NAME", name_aliases, "", "NAME",
                "The model's name; by default the vendor's usual one.", FolderMay::say},
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
                "Whether the agent looks into its memory before it answers; tools can search it either way."},
    SettingSpec{
        "claude-command",
        "PARLANCE_CLAUDE_COMMAND",
        {},
        "claude",
        "COMMAND",
        "How Claude Code is started; words in quotes stay together. It is offered as an agent where this program is found."},
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
    SettingSpec{
        "prompt-file-bytes",
        "PARLANCE_PROMPT_FILE_BYTES",
        {},
        "200000",
        "BYTES",
        "How much of each file goes along with a prompt as text, for agents that get files in that way; the prompt says where "
        "one was cut.",
        FolderMay::say},
    SettingSpec{"iflow-node",
                "PARLANCE_IFLOW_NODE",
                {},
                "",
                "FILE",
                "The Node that iFlow runs on; by default the one that its program finds."},
    SettingSpec{
        "iflow-base-url",
        "PARLANCE_IFLOW_BASE_URL",
        {},
        "",
        "URL",
        "Where the models of iFlow are; written into its own settings before each prompt, which is where it looks. By default they "
        "stay as they are."},
    SettingSpec{"iflow-key-file",
                "PARLANCE_IFLOW_KEY_FILE",
                {},
                "",
                "FILE",
                "A file with the key for iFlow's models (mode 0600), which is written into its own settings, too."},
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
                "SQLite databases that conversations may work with (docs/howto/sqlite_helper.md); a list in parlance.toml."},
    SettingSpec{"allow-host",
                "PARLANCE_ALLOW_HOST",
                {},
                "",
                "NAME",
                "A further Host name that the gateway answers to, behind a proxy of yours."},
    SettingSpec{
        "behind-proxy",
        "PARLANCE_BEHIND_PROXY",
        {},
        "false",
        "",
        "A proxy of yours that speaks TLS stands before the gateway, under the name of allow-host: then it may listen beyond this machine."},
    SettingSpec{"ask-wait",
                "PARLANCE_ASK_WAIT",
                {},
                "300",
                "SECONDS",
                "How long a request over HTTP that does not stream waits for a person to decide what the agent asks; 0: nobody "
                "is there.",
                FolderMay::say},
    SettingSpec{"push-services",
                "PARLANCE_PUSH_SERVICES",
                {},
                push::known_services,
                "HOSTS",
                "Push services that may be told when something waits and no page is open: hosts, or origins such as "
                "https://push.example:8443 of a service of yours; separated by blanks. A browser asks for it on the page first."},
    SettingSpec{
        "push-contact",
        "PARLANCE_PUSH_CONTACT",
        {},
        "",
        "ADDRESS",
        "Whom a push service may ask about what is sent: mailto:… or https:…; Apple's wants one. By default none is told."},
};

}  // namespace

std::span<const SettingSpec> all_settings() { return specs; }

const SettingSpec& spec_of(std::string_view name) {
  const auto* found = std::find_if(specs.begin(), specs.end(), [&](const SettingSpec& spec) { return spec.name == name; });
  PARLANCE_CHECK(found != specs.end(), "a setting of the table");
  return *found;
}

}  // namespace parlance::app

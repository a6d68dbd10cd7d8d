#include "settings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "deployed_settings.h"

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
                "The token that the gateway asks for; auto makes one and keeps it in the state folder."},
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
                "Which model embed-backend or embed-url is asked for; by default its own."},
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
                "The state folder; by default $XDG_STATE_HOME/parlance or ~/.local/state/parlance."},
    SettingSpec{
        "folder", "PARLANCE_FOLDER", {}, "", "DIR", "The folder that new conversations work in; by default the working folder."},
    SettingSpec{"log-level", "PARLANCE_LOG_LEVEL", {}, "warn", "error|warn|info|debug|trace", "How much is logged to stderr."},
    SettingSpec{"log-json", "PARLANCE_LOG_JSON", {}, "false", "", "Log lines as JSON."},
    SettingSpec{"model",
                "PARLANCE_MODEL",
                {},
                "rehearsal",
                "rehearsal|openai|anthropic|none",
                "Which kind of model answers. rehearsal is scripted and needs no key; a model-url or a key chooses openai (or "
                "anthropic, if the URL says so); with none the agent is memory alone."},
    SettingSpec{"model-url", "PARLANCE_MODEL_URL", url_aliases, "", "URL", "The model's API; by default the vendor's own."},
    SettingSpec{"model-name", "PARLANCE_MODEL_NAME", name_aliases, "", "NAME",
                "The model's name; by default the vendor's usual one."},
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
                "Milliseconds between two pieces of a rehearsal's answer."},
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
    SettingSpec{"ask-wait",
                "PARLANCE_ASK_WAIT",
                {},
                "300",
                "SECONDS",
                "How long a request over HTTP that does not stream waits for a person to decide what the agent asks; 0: nobody "
                "is there."},
};

std::string dashes(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::optional<std::string> variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace

// How many single-character changes lie between two words: to name what was meant.
static std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& words) {
  const auto nearest = std::ranges::min_element(words, {}, [&](const std::string& one) { return distance(word, one); });
  // Farther off than that, nobody meant it.
  return nearest == words.end() || distance(word, *nearest) > 1 + word.size() / 3 ? "" : *nearest;
}

namespace {

Result<std::map<std::string, Setting>> read_file_settings(const std::string& path) {
  PARLANCE_TRY(entries, read_config_file(path));
  std::map<std::string, Setting> found;
  for (ConfigEntry& entry : entries) {
    if (entry.key.starts_with(mcp_section)) continue;
    const std::string name = dashes(entry.key);
    if (std::none_of(specs.begin(), specs.end(), [&](const SettingSpec& spec) { return spec.name == name; })) {
      std::vector<std::string> names;
      for (const SettingSpec& spec : specs) names.emplace_back(spec.name);
      const std::string nearest = nearest_word(name, names);
      return fail(Errc::invalid_params,
                  path + ": \"" + entry.key + "\" is no setting" +
                      (nearest.empty() ? "; parlance config lists them" : "; did you mean \"" + nearest + "\"?"));
    }
    found[name] = {std::move(entry.value), path};
  }
  return found;
}

// "a|b|c" names all that a value may be; capitals stand for any text ("TEXT|auto").
Result<void> check_choice(const SettingSpec& spec, const Setting& setting) {
  if (!spec.value_name.contains('|') || std::ranges::any_of(spec.value_name, [](char c) { return c >= 'A' && c <= 'Z'; }))
    return {};
  for (const std::string_view choice : split(spec.value_name, '|'))
    if (choice == setting.value) return {};
  std::string alternatives(spec.value_name);
  for (std::size_t at = 0; (at = alternatives.find('|', at)) != std::string::npos; at += 2) alternatives.replace(at, 1, ", ");
  return fail(Errc::invalid_params,
              std::string(spec.name) + ": \"" + setting.value + "\" (" + setting.origin + ") is none of " + alternatives);
}

}  // namespace

std::span<const SettingSpec> all_settings() { return specs; }

const SettingSpec& spec_of(std::string_view name) {
  const auto* found = std::find_if(specs.begin(), specs.end(), [&](const SettingSpec& spec) { return spec.name == name; });
  PARLANCE_CHECK(found != specs.end(), "a setting of the table");
  return *found;
}

const Setting& Settings::operator[](std::string_view name) const {
  const auto found = values_.find(name);
  PARLANCE_CHECK(found != values_.end(), "a setting of the table");
  return found->second;
}
const std::string& Settings::text(std::string_view name) const { return (*this)[name].value; }
bool Settings::is_on(std::string_view name) const {
  const std::string& value = text(name);
  return value == "true" || value == "1" || value == "yes" || value == "on";
}
void Settings::set(std::string_view name, Setting setting) { values_[std::string(name)] = std::move(setting); }

std::string user_config_folder() {
  if (const auto folder = variable("XDG_CONFIG_HOME")) return *folder + "/parlance";
  return variable("HOME").value_or("") + "/.config/parlance";
}

Result<Settings> resolve_settings(const std::map<std::string, std::string>& flags, const std::string& file) {
  Settings settings;
  std::map<std::string, Setting> from_files;
  if (!file.empty()) {
    PARLANCE_TRY(found, read_file_settings(file));
    from_files = std::move(found);
    settings.add_file(file);
    settings.set_given_file(file);
  } else {
    // The working folder's file wins over the user's.
    for (const std::string& path : {user_config_folder() + "/parlance.toml", std::string("parlance.toml")}) {
      if (::access(path.c_str(), F_OK) != 0) continue;
      PARLANCE_TRY(found, read_file_settings(path));
      for (auto& [name, setting] : found) from_files[name] = std::move(setting);
      settings.add_file(path);
    }
  }
  for (const SettingSpec& spec : specs) {
    Setting setting{std::string(spec.fallback), std::string(default_origin)};
    if (const auto found = from_files.find(std::string(spec.name)); found != from_files.end()) setting = found->second;
    for (const std::string_view alias : spec.aliases)
      if (auto value = variable(alias)) setting = {*std::move(value), "environment " + std::string(alias)};
    if (auto value = variable(spec.environment)) setting = {*std::move(value), "environment " + std::string(spec.environment)};
    if (const auto found = flags.find(std::string(spec.name)); found != flags.end())
      setting = {found->second, "flag --" + std::string(spec.name)};
    PARLANCE_TRY_DO(check_choice(spec, setting));
    settings.set(spec.name, std::move(setting));
  }
  complete_settings(settings);
  return settings;
}

std::string own_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "parlance" : path.string();
}

std::string state_folder(const Settings& settings) {
  if (!settings.text("state").empty()) return settings.text("state");
  if (const auto folder = variable("XDG_STATE_HOME")) return *folder + "/parlance";
  return variable("HOME").value_or("/tmp") + "/.local/state/parlance";
}

}  // namespace parlance::app

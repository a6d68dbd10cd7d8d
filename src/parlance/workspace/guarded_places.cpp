// SPDX-License-Identifier: Apache-2.0
#include "parlance/workspace/guarded_places.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "parlance/base/text.h"
#include "parlance/workspace/fd.h"

namespace parlance::workspace {
namespace {

using enum hub::ReasonId;

constexpr std::array names{
    GuardedName{".git", "a repository's own files at any place: also those of a submodule, and the file that names them",
                git_runs},
    GuardedName{".gitconfig", "git's settings of a person", git_runs},
    GuardedName{".config/git", "git's settings of a person", git_runs},
    GuardedName{".githooks", "hooks of a repository", git_runs},
    GuardedName{".husky", "hooks of a repository", git_runs},
    GuardedName{".hg", "Mercurial's own files, its hooks included", tool_runs},
    GuardedName{".hgrc", "Mercurial's settings of a person", tool_runs},
    GuardedName{".jj", "Jujutsu's own files", tool_runs},
    GuardedName{".ssh", "keys, permitted logins, commands of connections", start_up},
    GuardedName{".gnupg", "keys, and programs that ask for keys", start_up},
    GuardedName{".bashrc", "run by every shell", start_up},
    GuardedName{".bash_aliases", "run by every shell", start_up},
    GuardedName{".bash_profile", "run at every login", start_up},
    GuardedName{".bash_login", "run at every login", start_up},
    GuardedName{".bash_logout", "run at every logout", start_up},
    GuardedName{".profile", "run at every login", start_up},
    GuardedName{".zshenv", "run by every shell", start_up},
    GuardedName{".zshrc", "run by every shell", start_up},
    GuardedName{".zprofile", "run at every login", start_up},
    GuardedName{".zlogin", "run at every login", start_up},
    GuardedName{".zlogout", "run at every logout", start_up},
    GuardedName{".kshrc", "run by every shell", start_up},
    GuardedName{".cshrc", "run by every shell", start_up},
    GuardedName{".tcshrc", "run by every shell", start_up},
    GuardedName{".login", "run at every login", start_up},
    GuardedName{".inputrc", "keys of shells, which may run commands", start_up},
    GuardedName{".xprofile", "run at every login", start_up},
    GuardedName{".xinitrc", "run at every login", start_up},
    GuardedName{".xsession", "run at every login", start_up},
    GuardedName{".xsessionrc", "run at every login", start_up},
    GuardedName{".config/fish", "run by every shell", start_up},
    GuardedName{".config/systemd", "services of a person", start_up},
    GuardedName{".config/autostart", "programs that a desktop starts", start_up},
    GuardedName{".config/environment.d", "variables of all programs", start_up},
    GuardedName{".local/bin", "programs in the path of shells", start_up},
    GuardedName{".local/share/applications", "programs that a desktop starts", start_up},
    GuardedName{".tmux.conf", "commands of tmux", start_up},
    GuardedName{".screenrc", "commands of screen", start_up},
    GuardedName{".gdbinit", "commands of debuggers", tool_runs},
    GuardedName{".lldbinit", "commands of debuggers", tool_runs},
    GuardedName{".claude", "settings, hooks, commands and sub-agents of Claude Code", agent_obeys, true},
    GuardedName{".claude.json", "settings and servers of Claude Code", agent_obeys},
    GuardedName{".mcp.json", "servers that agents start", agent_obeys},
    GuardedName{".gemini", "settings, servers and commands of Gemini CLI", agent_obeys, true},
    GuardedName{".qwen", "settings, servers and commands of Qwen Code", agent_obeys, true},
    GuardedName{".iflow", "settings, servers and commands of iFlow", agent_obeys, true},
    GuardedName{".codex", "settings and servers of Codex", agent_obeys, true},
    GuardedName{".copilot", "settings and servers of GitHub Copilot", agent_obeys, true},
    GuardedName{".github/copilot-instructions.md", "instructions to GitHub Copilot", agent_obeys},
    GuardedName{".github/hooks", "hooks of GitHub Copilot", agent_obeys},
    GuardedName{".opencode", "plugins, commands and servers of OpenCode", agent_obeys, true},
    GuardedName{".config/opencode", "the same of a person", agent_obeys},
    GuardedName{"opencode.json", "plugins, commands and servers of OpenCode", agent_obeys},
    GuardedName{"opencode.jsonc", "plugins, commands and servers of OpenCode", agent_obeys},
    GuardedName{".cursor", "rules, hooks and servers of Cursor", agent_obeys, true},
    GuardedName{".cursorrules", "rules of Cursor", agent_obeys},
    GuardedName{".windsurf", "rules and commands of Windsurf", agent_obeys, true},
    GuardedName{".windsurfrules", "rules of Windsurf", agent_obeys},
    GuardedName{".clinerules", "rules of Cline", agent_obeys},
    GuardedName{".roo", "rules and servers of Roo Code", agent_obeys, true},
    GuardedName{".kiro", "hooks and servers of Kiro", agent_obeys, true},
    GuardedName{".junie", "rules and servers of Junie", agent_obeys, true},
    GuardedName{".continue", "rules and servers of Continue", agent_obeys, true},
    GuardedName{".aider.conf.yml", "settings and commands of Aider", agent_obeys},
    GuardedName{".agents", "skills of agents", agent_obeys, true},
    GuardedName{"AGENTS.md", "instructions to agents", agent_obeys},
    GuardedName{"AGENTS.override.md", "instructions to agents", agent_obeys},
    GuardedName{"CLAUDE.md", "instructions to agents", agent_obeys},
    GuardedName{"CLAUDE.local.md", "instructions to agents", agent_obeys},
    GuardedName{"GEMINI.md", "instructions to agents", agent_obeys},
    GuardedName{"QWEN.md", "instructions to agents", agent_obeys},
    GuardedName{"IFLOW.md", "instructions to agents", agent_obeys},
    GuardedName{"parlance.toml", "settings of parlance", agent_obeys},
    GuardedName{".config/parlance", "settings of parlance", agent_obeys},
    GuardedName{".vscode/settings.json", "programs and shells of VS Code", editor_runs},
    GuardedName{".vscode/tasks.json", "commands of VS Code", editor_runs},
    GuardedName{".vscode/launch.json", "commands of VS Code", editor_runs},
    GuardedName{".vscode/extensions.json", "extensions that VS Code offers", editor_runs},
    GuardedName{".vscode/mcp.json", "servers that VS Code starts", editor_runs},
    GuardedName{".idea", "run configurations and programs of JetBrains' editors", editor_runs},
    GuardedName{".fleet", "run configurations of Fleet", editor_runs},
    GuardedName{".zed", "tasks and programs of Zed", editor_runs},
    GuardedName{".vim", "run by vim", editor_runs},
    GuardedName{".vimrc", "run by vim", editor_runs},
    GuardedName{".gvimrc", "run by vim", editor_runs},
    GuardedName{".exrc", "run by vim and vi in this folder", editor_runs},
    GuardedName{".nvimrc", "run by Neovim in this folder", editor_runs},
    GuardedName{".nvim.lua", "run by Neovim in this folder", editor_runs},
    GuardedName{".config/nvim", "run by Neovim", editor_runs},
    GuardedName{".emacs", "run by Emacs", editor_runs},
    GuardedName{".emacs.d", "run by Emacs", editor_runs},
    GuardedName{".config/emacs", "run by Emacs", editor_runs},
    GuardedName{".dir-locals.el", "run by Emacs in this folder", editor_runs},
    GuardedName{".devcontainer", "commands of containers that editors build", editor_runs},
    GuardedName{".devcontainer.json", "commands of containers that editors build", editor_runs},
    GuardedName{".envrc", "run by direnv in this folder", tool_runs},
    GuardedName{".direnv", "run by direnv in this folder", tool_runs},
    GuardedName{".mise.toml", "hooks and tasks of mise", tool_runs},
    GuardedName{"mise.toml", "hooks and tasks of mise", tool_runs},
    GuardedName{".mise", "hooks and tasks of mise", tool_runs},
    GuardedName{".pre-commit-config.yaml", "hooks of git, by pre-commit", tool_runs},
    GuardedName{"lefthook.yml", "hooks of git, by Lefthook", tool_runs},
    GuardedName{".lefthook.yml", "hooks of git, by Lefthook", tool_runs},
    GuardedName{".npmrc", "registries, keys and shells of npm", tool_runs},
    GuardedName{".yarnrc", "the program that yarn runs in its place", tool_runs},
    GuardedName{".yarnrc.yml", "the program and plugins that yarn runs", tool_runs},
    GuardedName{".yarn/releases", "the program that yarn runs in its place", tool_runs},
    GuardedName{".yarn/plugins", "plugins that yarn runs", tool_runs},
    GuardedName{".pnpmfile.cjs", "hooks of pnpm", tool_runs},
    GuardedName{".cargo/config", "linkers, runners and aliases of cargo", tool_runs},
    GuardedName{".cargo/config.toml", "linkers, runners and aliases of cargo", tool_runs},
    GuardedName{".docker", "programs with keys for docker", tool_runs},
    GuardedName{".kube", "programs with keys for kubectl", tool_runs},
};

// The characters that HFS+ leaves out when it compares names.
std::string without_ignorable(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = [&](std::size_t at) { return at < name.size() ? static_cast<unsigned char>(name[at]) : 0U; };
    if (byte(i) == 0xE2) {
      const unsigned second = byte(i + 1);
      const unsigned third = byte(i + 2);
      if ((second == 0x80 && ((third >= 0x8C && third <= 0x8F) || (third >= 0xAA && third <= 0xAE))) ||
          (second == 0x81 && third >= 0xAA && third <= 0xAF)) {
        i += 2;
        continue;
      }
    }
    if (byte(i) == 0xEF && byte(i + 1) == 0xBB && byte(i + 2) == 0xBF) {
      i += 2;
      continue;
    }
    out += name[i];
  }
  return out;
}

// As the most forgiving of file systems compares it.
std::string folded(std::string_view component) {
  component = component.substr(0, component.find(':'));  // a stream of NTFS
  std::string name = to_lower(without_ignorable(component));
  while (name.ends_with('.') || name.ends_with(' ')) name.pop_back();
  if (name.starts_with("git~") && name.size() == 5) return ".git";  // its short name
  return name;
}

bool exists(int folder, const char* name) {
  struct stat about{};
  return ::fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

// Would `folder` be a repository to git, once `entry` is there?
bool is_repository(int folder, std::string_view entry) {
  const std::string made = folded(entry);
  const auto has = [&](const char* name) { return made == to_lower(name) || exists(folder, name); };
  return has("HEAD") && ((has("objects") && has("refs")) || has("commondir"));
}

}  // namespace

std::span<const GuardedName> guarded_names() { return names; }

std::optional<GuardedPrefix> guarded_name(std::string_view path) {
  std::vector<std::string> components;
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  for (const std::string_view part : split(path, '/')) {
    at += part.size();
    if (!part.empty()) {
      components.push_back(folded(part));
      ends.push_back(at);
    }
    ++at;
  }
  for (std::size_t i = 0; i < components.size(); ++i)
    for (const GuardedName& guarded : names) {
      const std::string lower = to_lower(guarded.names);
      const auto wanted = split(lower, '/');
      const std::size_t next = i + wanted.size();
      if (next > components.size() ||
          !std::equal(wanted.begin(), wanted.end(), components.begin() + static_cast<std::ptrdiff_t>(i)))
        continue;
      const bool is_worktree = guarded.holds_worktrees && next + 1 < components.size() && components[next] == "worktrees";
      if (!is_worktree) return GuardedPrefix{.size = ends[i + wanted.size() - 1], .why = guarded.why};
    }
  return std::nullopt;
}

std::optional<GuardedPrefix> guarded_layout(int nearest, std::string_view path, std::size_t existing) {
  Fd folder(::openat(nearest, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  // `above` is the name of `folder` without a slash at its end: "" for "/".
  for (std::string_view above = path.substr(0, path[existing - 1] == '/' ? existing - 1 : existing); folder;) {
    const std::string_view below = path.substr(std::min(above.size() + 1, path.size()));
    const std::string_view entry = below.substr(0, below.find('/'));
    if (!entry.empty() && is_repository(folder.get(), entry))
      return GuardedPrefix{.size = above.size() + 1 + entry.size(), .why = git_runs};
    if (above.empty()) break;
    above = above.substr(0, above.rfind('/'));
    folder = Fd(::openat(folder.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  return std::nullopt;
}

}  // namespace parlance::workspace

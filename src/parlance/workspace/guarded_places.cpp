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

constexpr std::string_view git_runs = "git runs programs that its own files name";
constexpr std::string_view start_up = "programs run or trust what is written there, at their next start";

constexpr std::array names{
    GuardedName{".git", "a repository's own files, wherever it lies: also a submodule's, and the file that names them", git_runs},
    GuardedName{".gitconfig", "git's settings of a person", git_runs},
    GuardedName{".config/git", "git's settings of a person", git_runs},
    GuardedName{".ssh", "keys, who may log in, commands of connections", start_up},
    GuardedName{".bashrc", "run by every shell", start_up},
    GuardedName{".bash_profile", "run at every login", start_up},
    GuardedName{".bash_login", "run at every login", start_up},
    GuardedName{".bash_logout", "run at every logout", start_up},
    GuardedName{".profile", "run at every login", start_up},
    GuardedName{".zshenv", "run by every shell", start_up},
    GuardedName{".zshrc", "run by every shell", start_up},
    GuardedName{".zprofile", "run at every login", start_up},
    GuardedName{".zlogin", "run at every login", start_up},
    GuardedName{".config/fish", "run by every shell", start_up},
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
      const auto wanted = split(guarded.names, '/');
      if (i + wanted.size() <= components.size() &&
          std::equal(wanted.begin(), wanted.end(), components.begin() + static_cast<std::ptrdiff_t>(i)))
        return GuardedPrefix{.size = ends[i + wanted.size() - 1], .why = guarded.why};
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

// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/commands/free_commands.h"

#include <algorithm>
#include <array>
#include <optional>

#include "parlance/base/text.h"

namespace parlance::hub {
namespace {

// Shared options of git commands that show commits and differences. Missing on purpose, because they write, start a program, or
// read elsewhere: --output, --ext-diff, --textconv, --no-index, --show-signature, --remerge-diff, --submodule, --alternate-refs,
// -O.
#define PARLANCE_GIT_DIFF                                                                                                        \
  "-p -u -s -z -w -b -a -W -R -M? -C? -S: -G: -U? --patch --no-patch --raw --stat? --shortstat --numstat --summary --name-only " \
  "--name-status --compact-summary --dirstat? --minimal --histogram --patience --ignore-all-space --ignore-space-change "        \
  "--ignore-blank-lines --ignore-space-at-eol --word-diff? --word-diff-regex: --color? --no-color --color-words? "               \
  "--color-moved? "                                                                                                              \
  "--find-renames? --find-copies? --no-renames --diff-filter: --unified? --pickaxe-all --pickaxe-regex --full-index "            \
  "--no-prefix --function-context --no-ext-diff --no-textconv --abbrev? --relative --exit-code --check "
#define PARLANCE_GIT_LOG                                                                                                        \
  PARLANCE_GIT_DIFF                                                                                                             \
  "-n: -# -i -E -F -g -c -m -L: --oneline --graph --all --branches? --tags? --remotes? --decorate? --no-decorate --max-count: " \
  "--skip: --since: --after: --until: --before: --author: --committer: --grep: --all-match --invert-grep --regexp-ignore-case " \
  "--merges --no-merges --first-parent --reverse --topo-order --date-order --author-date-order --date: --pretty? --format? "    \
  "--abbrev-commit --no-abbrev-commit --follow --full-history --simplify-by-decoration --cherry --cherry-pick --cherry-mark "   \
  "--left-right --left-only --right-only --boundary --full-diff --relative-date --walk-reflogs --source --children --parents "  \
  "--no-walk? --not --exclude: --no-notes --no-mailmap"
constexpr std::string_view no_programs = "--no-ext-diff --no-textconv";

constexpr std::array commands{
    FreeCommand{
        "ls",
        "-l -a -A -1 -h -t -r -S -R -d -F -p -i -s -n -o -g -G -U -X -v -c -u -C -x -m -k -B -Q --all --almost-all "
        "--human-readable --recursive --reverse --size --inode --directory --classify? --color? --file-type "
        "--group-directories-first --sort: --time: --time-style: --full-time --no-group --numeric-uid-gid --ignore: --hide:",
        Operands::paths},
    FreeCommand{"pwd", "-L -P --logical --physical"},
    FreeCommand{"cat",
                "-A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-tabs "
                "--show-nonprinting --squeeze-blank",
                Operands::files},
    FreeCommand{"head", "-n: -c: -q -v -z -# --lines: --bytes: --quiet --silent --verbose --zero-terminated", Operands::files},
    FreeCommand{"tail", "-n: -c: -q -v -z -# --lines: --bytes: --quiet --silent --verbose --zero-terminated", Operands::files},
    FreeCommand{"wc", "-c -m -l -L -w --bytes --chars --lines --words --max-line-length", Operands::files},
    FreeCommand{"nl", "-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w:", Operands::files},
    FreeCommand{"cut",
                "-b: -c: -d: -f: -n -s -z --bytes: --characters: --delimiter: --fields: --only-delimited --complement "
                "--output-delimiter: --zero-terminated",
                Operands::files},
    FreeCommand{"sort",
                "-b -d -f -g -i -M -h -n -R -r -V -k: -t: -u -c -C -m -s -z --key: --field-separator: --unique --numeric-sort "
                "--reverse --check? --ignore-case --human-numeric-sort --version-sort --general-numeric-sort --stable",
                Operands::files},
    FreeCommand{"cmp", "-b -l -n: -s -i: --bytes: --verbose --quiet --silent --print-bytes --ignore-initial:", Operands::files},
    FreeCommand{
        "diff",
        "-u -U: -c -C: -q -s -y -i -w -b -B -a -N -t -T -p -W: -e -n -d -I: --brief --report-identical-files "
        "--side-by-side --unified? --context? --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines "
        "--text --new-file --color? --label: --width: --minimal --suppress-common-lines --strip-trailing-cr",
        Operands::files},
    FreeCommand{"md5sum", "-b -t -z --binary --text --tag --zero", Operands::files},
    FreeCommand{"sha256sum", "-b -t -z --binary --text --tag --zero", Operands::files},
    FreeCommand{
        "grep",
        "-E -F -G -P -i -v -w -x -c -l -L -n -H -h -o -q -s -r -a -I -b -Z -z -T -U -A: -B: -C: -e: -f@ -m: -# --include: "
        "--exclude: --exclude-dir: --exclude-from@ --color? --count --ignore-case --invert-match --word-regexp "
        "--line-regexp --line-number --with-filename --no-filename --only-matching --quiet --silent --no-messages "
        "--recursive --files-with-matches --files-without-match --extended-regexp --fixed-strings --perl-regexp "
        "--basic-regexp --max-count: --regexp: --file@ --context: --after-context: --before-context: --text "
        "--binary-files: --null",
        Operands::pattern_paths},
    FreeCommand{"rg",
                "-n -N -i -S -s -w -x -v -c -l -o -F -P -U -u -H -I -0 -e: -f@ -g: -t: -T: -A: -B: -C: -m: -d: -j: --hidden "
                "--no-ignore --files --files-with-matches --files-without-match --type: --type-not: --type-list --glob: --iglob: "
                "--line-number --no-line-number --ignore-case --smart-case --case-sensitive --word-regexp --line-regexp "
                "--invert-match --count --count-matches --only-matching --fixed-strings --regexp: --file@ --max-count: "
                "--context: --after-context: --before-context: --color: --heading --no-heading --json --stats --multiline "
                "--multiline-dotall --pcre2 --sort: --sortr: --column --vimgrep --max-depth: --with-filename --no-filename",
                Operands::words_or_paths, "--no-config"},
    FreeCommand{"find",
                "-name: -iname: -path: -ipath: -type: -maxdepth: -mindepth: -size: -mtime: -mmin: -newer@ -perm: -user: -empty "
                "-print -print0 -prune -not -and -or -a -o -true -false -ls -xdev ! ( )",
                Operands::find_expression},
    FreeCommand{"stat", "-c: -f -t --format: --printf: --terse --file-system", Operands::paths},
    FreeCommand{"du",
                "-a -b -c -d: -h -k -m -s -S -x -0 --all --apparent-size --bytes --total --max-depth: --human-readable "
                "--summarize --exclude: --separate-dirs --one-file-system",
                Operands::paths},
    FreeCommand{"df", "-a -h -H -i -k -l -P -T -t: -x: --all --human-readable --inodes --local --print-type --total",
                Operands::paths},
    FreeCommand{"realpath", "-e -m -s -z -q -L -P --no-symlinks --strip --zero --quiet", Operands::paths},
    FreeCommand{"readlink", "-f -e -m -n -z --canonicalize --no-newline --zero", Operands::paths},
    FreeCommand{"basename", "-a -s: -z --multiple --suffix: --zero", Operands::text},
    FreeCommand{"dirname", "-z --zero", Operands::text},
    FreeCommand{"which", "-a", Operands::text},
    FreeCommand{"echo", "", Operands::anything},
    FreeCommand{"true", "", Operands::none},
    FreeCommand{"whoami", "", Operands::none},
    FreeCommand{"id", "-u -g -G -n -r -z --user --group --groups --name --real --zero", Operands::text},
    FreeCommand{"uname", "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --machine", Operands::none},
    FreeCommand{"git status",
                "-s -b -z -u? --short --branch --porcelain? --long --show-stash --ahead-behind --no-ahead-behind "
                "--untracked-files? --ignored? --column? --no-column --renames --no-renames",
                Operands::words_or_paths, "--ignore-submodules=all"},
    FreeCommand{"git log", PARLANCE_GIT_LOG, Operands::words_or_paths, no_programs},
    FreeCommand{"git show", PARLANCE_GIT_LOG, Operands::words_or_paths, no_programs},
    FreeCommand{"git diff", PARLANCE_GIT_DIFF "--cached --staged --merge-base", Operands::words_or_paths,
                "--no-ext-diff --no-textconv --ignore-submodules=all"},
    FreeCommand{"git blame",
                "-L: -w -M? -C? -e -f -n -s -l -t -p -c --porcelain --line-porcelain --incremental --date: --since: --show-name "
                "--show-number --show-email --root --reverse --first-parent --abbrev? --color-lines",
                Operands::words_or_paths, "--no-textconv"},
    FreeCommand{"git ls-files",
                "-c -d -m -o -s -u -z -t -v -x: --cached --deleted --modified --others --stage --unmerged --exclude-standard "
                "--directory --error-unmatch --full-name --exclude: --abbrev?",
                Operands::words_or_paths},
    FreeCommand{"git ls-tree", "-r -t -d -l -z --name-only --name-status --long --full-tree --full-name --object-only --abbrev?",
                Operands::words_or_paths},
    FreeCommand{"git cat-file", "-t -s -p -e", Operands::words_or_paths},
    FreeCommand{"git rev-parse",
                "-q --short? --abbrev-ref? --verify --quiet --show-toplevel --git-dir --absolute-git-dir --show-prefix "
                "--show-cdup --is-inside-work-tree --is-bare-repository --symbolic --symbolic-full-name --all --branches? "
                "--tags? --remotes?",
                Operands::words_or_paths},
    FreeCommand{"git shortlog",
                "-n -s -e -c --numbered --summary --email --committer --no-merges --since: --until: --author: --all --group:",
                Operands::words_or_paths},
    FreeCommand{"git describe",
                "--tags --all --long --always --abbrev? --match: --exclude: --exact-match --contains --first-parent "
                "--candidates:",
                Operands::words_or_paths},
    FreeCommand{"git branch",
                "-a -r -v --all --remotes --verbose --list --show-current --merged? --no-merged? --contains? --sort: --format: "
                "--color? --no-color --column? --no-column",
                Operands::none},
    FreeCommand{"git tag", "-l -n? --list --sort: --format: --merged? --contains? --column? --no-column", Operands::none},
    FreeCommand{"git remote", "-v --verbose", Operands::none},
    FreeCommand{"git stash list", "-n: -# --oneline", Operands::none},
};
#undef PARLANCE_GIT_LOG
#undef PARLANCE_GIT_DIFF

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

// The form of an option in the table: 0 for an absent option, ' ' for a flag, else the character behind its name.
char option_form(std::string_view options, std::string_view name) {
  for (const std::string_view option : split(options, ' ')) {
    if (option == name) return ' ';
    if (option.size() == name.size() + 1 && option.starts_with(name) && std::string_view(":@?").contains(option.back()))
      return option.back();
  }
  return 0;
}

class FormReader {
 public:
  FormReader(const FreeCommand& command, const std::vector<std::string>& words) : command_(command), words_(words) {
    form_.command = &command;
    form_.words = words;
    at_ = split(command.words, ' ').size();
  }

  std::expected<FreeForm, std::string> read() {
    if (command_.operands == Operands::anything) return std::move(form_);
    if (command_.operands == Operands::find_expression) return read_find();
    for (bool options = true; at_ < words_.size();) {
      const std::string& word = words_[at_++];
      if (options && word == "--") {
        options = false;
      } else if (!options || word.empty() || word == "-" || word.front() != '-') {
        if (!operand(word)) return refuse(word);
      } else if (!(word.starts_with("--") ? long_option(word) : short_options(word))) {
        return refuse(word);
      }
    }
    // Without such an option, the first operand is the expression, and was read as the expression.
    if (pattern_given_ && held_) form_.paths.insert(form_.paths.begin(), PathWord{*held_});
    return std::move(form_);
  }

 private:
  std::unexpected<std::string> refuse(const std::string& word) const {
    return std::unexpected("`" + word + "` is not among what `" + std::string(command_.words) + "` may have unasked");
  }
  bool operand(const std::string& word) {
    switch (command_.operands) {
      case Operands::text: return true;
      case Operands::files: form_.paths.push_back({word, false}); return true;
      case Operands::paths:
      case Operands::words_or_paths: form_.paths.push_back({word}); return true;
      case Operands::pattern_paths:
        if (!held_) held_ = word;
        else form_.paths.push_back({word});
        return true;
      case Operands::none:
      case Operands::anything:
      case Operands::find_expression: break;
    }
    return false;
  }
  // `value`: the rest of the same word, if any; otherwise a form with a value consumes the next word.
  bool take(char form, std::string_view name, std::optional<std::string> value) {
    if (name == "-e" || name == "--regexp" || name == "-f" || name == "--file") pattern_given_ = true;
    if (form == ' ') return !value;
    if (form == '?') return true;
    if (!value) {
      // A newer git may take the value only from the same word, and would read this word as an option.
      if (at_ >= words_.size() || (of_git_ && words_[at_].starts_with('-'))) return false;
      value = words_[at_++];
    }
    if (form == '@') form_.paths.push_back({*value});
    return true;
  }
  bool long_option(const std::string& word) {
    const auto equals = word.find('=');
    const std::string_view name = std::string_view(word).substr(0, equals);
    const char form = option_form(command_.options, name);
    return form != 0 && take(form, name, equals == std::string::npos ? std::nullopt : std::optional(word.substr(equals + 1)));
  }
  bool short_options(const std::string& word) {
    if (is_number(std::string_view(word).substr(1))) return option_form(command_.options, "-#") != 0;
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name{'-', word[i]};
      const char form = option_form(command_.options, name);
      if (form == 0) return false;
      if (form == ' ') {
        if (!take(form, name, std::nullopt)) return false;
        continue;
      }
      return take(form, name, i + 1 < word.size() ? std::optional(word.substr(i + 1)) : std::nullopt);
    }
    return true;
  }
  // find: paths, and from the first test on only tests, each a separate word.
  std::expected<FreeForm, std::string> read_find() {
    const auto begins_tests = [](const std::string& word) {
      return !word.empty() && (word.front() == '-' || word == "!" || word == "(" || word == ")");
    };
    while (at_ < words_.size() && !begins_tests(words_[at_])) form_.paths.push_back({words_[at_++]});
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      const char form = option_form(command_.options, word);
      if (form == 0 || !take(form, word, std::nullopt)) return refuse(word);
    }
    return std::move(form_);
  }

  const FreeCommand& command_;
  const std::vector<std::string>& words_;
  const bool of_git_ = command_.words.starts_with("git ");
  std::size_t at_ = 0;
  FreeForm form_;
  std::optional<std::string> held_;  // the expression, if no option contains one
  bool pattern_given_ = false;
};

// Command-line settings override those of every file.
constexpr std::array<std::string_view, 27> settings{
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "core.askPass=false",
    "core.editor=false",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "protocol.allow=never",
    "diff.external=",
    "diff.submodule=short",
    "diff.ignoreSubmodules=all",
    "status.submoduleSummary=false",
    "submodule.recurse=false",
    "log.showSignature=false",
    "log.diffMerges=separate",
    "gpg.program=false",
    "gpg.openpgp.program=false",
    "gpg.x509.program=false",
    "gpg.ssh.program=false",
    "gpg.ssh.defaultKeyCommand=",
    "blame.ignoreRevsFile=",
    "safe.bareRepository=explicit",
    "gc.auto=0",
    "maintenance.auto=false",
    "core.untrackedCache=keep",
    "advice.detachedHead=false",
};
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> environment{{
    {"GIT_OPTIONAL_LOCKS", "0"},
    {"GIT_NO_LAZY_FETCH", "1"},
    {"GIT_ALLOW_PROTOCOL", "none"},
    {"GIT_TERMINAL_PROMPT", "0"},
    {"GIT_PAGER", "cat"},
    {"GIT_EDITOR", "false"},
}};
constexpr std::array<std::string_view, 11> keys_not_turned_off{
    "filter.*.clean",    "filter.*.smudge", "filter.*.process", "diff.*.command", "diff.*.textconv", "merge.*.driver",
    "trailer.*.command", "trailer.*.cmd",   "core.worktree",    "diff.orderfile", "mailmap.file",
};
constexpr std::array<std::string_view, 24> keys_turned_off{
    "core.fsmonitor",
    "core.hookspath",
    "core.pager",
    "core.sshcommand",
    "core.askpass",
    "core.editor",
    "core.gitproxy",
    "core.alternaterefscommand",
    "sequence.editor",
    "credential.*",
    "diff.external",
    "gpg.*",
    "pager.*",
    "difftool.*",
    "mergetool.*",
    "remote.*.vcs",
    "remote.*.uploadpack",
    "remote.*.receivepack",
    "protocol.*",
    "alias.*",
    "interactive.difffilter",
    "submodule.*.update",
    "user.signingkey",
    "uploadpack.*",
};

}  // namespace

std::span<const FreeCommand> free_commands() { return commands; }

std::expected<FreeForm, std::string> free_form(const std::vector<std::string>& words) {
  for (const FreeCommand& command : commands) {
    const auto first = split(command.words, ' ');
    if (words.size() >= first.size() && std::equal(first.begin(), first.end(), words.begin()))
      return FormReader(command, words).read();
  }
  return std::unexpected(std::string("it is not in the table of commands that only read"));
}

bool is_free_program(std::string_view program) {
  if (const auto slash = program.rfind('/'); slash != std::string_view::npos) program.remove_prefix(slash + 1);
  return std::ranges::any_of(
      commands, [&](const FreeCommand& command) { return command.words.substr(0, command.words.find(' ')) == program; });
}

std::span<const std::string_view> git_settings() { return settings; }
std::span<const std::pair<std::string_view, std::string_view>> git_environment() { return environment; }
std::span<const std::string_view> git_keys_not_turned_off() { return keys_not_turned_off; }
std::span<const std::string_view> git_keys_turned_off() { return keys_turned_off; }

bool fits_git_key(std::string_view key, std::string_view pattern) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return key == pattern;
  const std::string_view before = pattern.substr(0, star);
  const std::string_view behind = pattern.substr(star + 1);
  return key.size() >= before.size() + behind.size() && key.starts_with(before) && key.ends_with(behind);
}

}  // namespace parlance::hub

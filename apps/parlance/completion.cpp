// SPDX-License-Identifier: Apache-2.0
// parlance completion: scripts that ask the program itself for its flags, so that they are never out of date.
#include <cstdio>
#include <string>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"

namespace parlance::app {
namespace {

// An awk program: reads --help, and prints the values of the flag `previous` if it has a list of values; otherwise subcommands, flags
// and listed values of positional words. The examples of a command precede its usage line.
constexpr const char* candidates = R"awk(
    /^Usage:/ { behind_usage = 1; next }
    !behind_usage { next }
    /^[^ ]/ { positional = /^Positionals:/; next }
    /^  [^ ]/ {
      values = ""
      if ($2 ~ /\{.*\}/) { values = $2; sub(/^[^{]*\{/, "", values); sub(/\}.*$/, "", values) }
      else if ($2 ~ /^[a-z]+(\|[a-z]+)+$/) values = $2
      count = split($1, names, ",")
      for (i = 1; i <= count; ++i) if (values != "" && names[i] == previous) of_flag = values
      words = words "," (positional ? values : $1)
    }
    END {
      count = split(of_flag != "" ? of_flag : words, all, /[,|]/)
      for (i = 1; i <= count; ++i) if (all[i] != "") print all[i]
    })awk";

constexpr const char* bash_script = R"sh(# bash completion for parlance
_parlance() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=() word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || words+=("$word")
  done
  case $previous in
    --config|--ready-file|--scenario|--*-file|--agent-socket|--socket|--from-sqlite) COMPREPLY=($(compgen -f -- "$current")); return ;;
    --state|--folder|--cwd|--add-dir) COMPREPLY=($(compgen -d -- "$current")); return ;;
  esac
  COMPREPLY=($(compgen -W "$(parlance "${words[@]}" --help 2>/dev/null | awk -v previous="$previous" 'CANDIDATES')" -- "$current"))
  [[ ${#COMPREPLY[@]} -gt 0 || $current == -* ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _parlance parlance
)sh";

constexpr const char* zsh_script = R"sh(#compdef parlance
_parlance() {
  local -a words_so_far candidates
  words_so_far=(${words[2,CURRENT-1]:#-*})
  candidates=(${(f)"$(parlance $words_so_far --help 2>/dev/null | awk -v previous="${words[CURRENT-1]}" 'CANDIDATES')"})
  compadd -a candidates
  _files
}
compdef _parlance parlance
)sh";

constexpr const char* fish_script = R"sh(# fish completion for parlance
function __parlance_candidates
  set -l words (commandline -opc)[2..-1]
  parlance (string match -v -- '-*' $words) --help 2>/dev/null | awk -v previous="$words[-1]" 'CANDIDATES'
end
complete -c parlance -a '(__parlance_candidates)'
)sh";

std::string with_candidates(std::string script) {
  constexpr std::string_view mark = "CANDIDATES";
  return script.replace(script.find(mark), mark.size(), candidates);
}

}  // namespace

Action declare_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "Which shell.")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return [shell](const Settings&, const Words&) {
    std::fputs(with_candidates(*shell == "bash" ? bash_script : *shell == "zsh" ? zsh_script : fish_script).c_str(), stdout);
    return int{ExitCode::done};
  };
}

}  // namespace parlance::app

// SPDX-License-Identifier: Apache-2.0
// parlance completion: scripts that ask the program itself for its flags, so that they are never out of date.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"

namespace parlance::app {
namespace {

// Words of the first column of --help behind its usage line: subcommands and flags of the command so far. The examples precede the usage line.
constexpr const char* bash_script = R"sh(# bash completion for parlance
_parlance() {
  local current=${COMP_WORDS[COMP_CWORD]} words=() word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || words+=("$word")
  done
  case ${COMP_WORDS[COMP_CWORD-1]} in
    --config|--ready-file|--scenario|--model-key-file|--embed-key-file|--iflow-key-file|--agent-socket|--socket|--from-sqlite) COMPREPLY=($(compgen -f -- "$current")); return ;;
    --state|--folder) COMPREPLY=($(compgen -d -- "$current")); return ;;
    --model) COMPREPLY=($(compgen -W "rehearsal openai anthropic none" -- "$current")); return ;;
    --category) COMPREPLY=($(compgen -W "preference decision fact entity other" -- "$current")); return ;;
    --log-level) COMPREPLY=($(compgen -W "error warn info debug trace" -- "$current")); return ;;
  esac
  COMPREPLY=($(compgen -W "$(parlance "${words[@]}" --help 2>/dev/null | sed '1,/^Usage:/d' | grep -oE '^  (-{1,2}[a-zA-Z-]+,?)*[a-z-]+' | tr ', ' '\n\n')" -- "$current"))
  [[ ${#COMPREPLY[@]} -gt 0 || $current == -* ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _parlance parlance
)sh";

constexpr const char* zsh_script = R"sh(#compdef parlance
_parlance() {
  local -a words_so_far candidates
  words_so_far=(${words[2,CURRENT-1]:#-*})
  candidates=(${(f)"$(parlance $words_so_far --help 2>/dev/null | sed '1,/^Usage:/d' | grep -oE '^  (-{1,2}[a-zA-Z-]+,?)*[a-z-]+' | tr ', ' '\n\n' | grep .)"})
  compadd -a candidates
  _files
}
compdef _parlance parlance
)sh";

constexpr const char* fish_script = R"sh(# fish completion for parlance
function __parlance_candidates
  set -l words (commandline -opc)[2..-1]
  parlance (string match -v -- '-*' $words) --help 2>/dev/null | sed '1,/^Usage:/d' | string match -r '^  (?:-{1,2}[a-zA-Z-]+,?)*[a-z-]+' | string split -n ' ' | string split -n ','
end
complete -c parlance -a '(__parlance_candidates)'
)sh";

}  // namespace

Action declare_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "Which shell.")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return [shell](const Settings&, const Words&) {
    std::fputs(*shell == "bash" ? bash_script : *shell == "zsh" ? zsh_script : fish_script, stdout);
    return int{ExitCode::done};
  };
}

}  // namespace parlance::app

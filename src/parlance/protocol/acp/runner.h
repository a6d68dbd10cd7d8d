// SPDX-License-Identifier: Apache-2.0
// What a runner and its gateway say beside ACP: a machine that offers its agents over one connection, where the gateway is the client as
// usual. Values; any thread.
#pragma once

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

struct OfferedAgent {
  std::string id{};
  std::string name{};
  static constexpr auto wire =
      fields(field<&OfferedAgent::id>("id", "For `_meta` of session/new: {\"parlance\":{\"agent\":ID}}."),
             field<&OfferedAgent::name>("name", "For people."));
};

struct Offer {
  std::string name{};
  std::string account{};
  std::string host{};
  std::vector<OfferedAgent> agents{};
  std::vector<std::string> folders{};
  std::optional<std::string> version{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Offer::name>("name", "Of the runner: letters, digits, `.`, `_` and `-`, at most 64."),
             field<&Offer::account>("account", "The user that everything there is done as."),
             field<&Offer::host>("host", "The machine."), field<&Offer::agents>("agents", "What it has."),
             field<&Offer::folders>("folders", "Real paths; sessions work there and below, and nowhere else."),
             field<&Offer::version>("version", "Of its parlance."), meta_field<&Offer::meta>());
};

struct LetGo {
  std::string why{};
  Raw meta{};
  static constexpr auto wire = fields(field<&LetGo::why>("why", "For people."), meta_field<&LetGo::meta>());
};

struct WantedSessions {
  std::vector<std::string> sessions{};
  bool all = true;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&WantedSessions::sessions>("sessions", "That conversations of the gateway go on with."),
             field<&WantedSessions::all>("all", "False: there are more, and of the others nothing follows."),
             meta_field<&WantedSessions::meta>());
};

// ---- files of its machine, for who writes a message ------------------------------------------------------------------------------

struct FindFiles {
  std::vector<std::string> folders{};
  std::string typed{};
  std::optional<std::vector<std::string>> excluded{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&FindFiles::folders>(
                 "folders", "Where to look: offered ones, or below. Of the first paths are relative to it, of others whole."),
             field<&FindFiles::typed>("typed", "Its characters in their order, anywhere in the path; empty: any file."),
             field<&FindFiles::excluded>("excluded", "Patterns of what is left out, beside what a .gitignore names."),
             meta_field<&FindFiles::meta>());
};
struct FoundFiles {
  std::vector<std::string> paths{};
  bool all = true;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&FoundFiles::paths>("paths", "The best first."),
             field<&FoundFiles::all>("all", "False: there are more files than were looked at."), meta_field<&FoundFiles::meta>());
};

// ---- `_meta` of session/request_permission: {"parlance":{"intent":…}} -----------------------------------------------------------

struct IntendedPlace {
  std::string path{};
  std::string why{};
  static constexpr auto wire =
      fields(field<&IntendedPlace::path>("path", "Its real path."), field<&IntendedPlace::why>("why", "For people."));
};

struct IntendedLook {
  std::string problem{};
  std::vector<std::string> paths{};
  static constexpr auto wire =
      fields(field<&IntendedLook::problem>("problem", "Why it may do more than its words say; empty: it only reads."),
             field<&IntendedLook::paths>("paths", "Real paths of what it reads."));
};

enum class IntentKind : std::uint8_t { read, edit, execute, memory, ask, other };
constexpr auto wire_names(IntentKind) { return wire::names("read", "edit", "execute", "memory", "ask", "other"); }
enum class IntendedMemory : std::uint8_t { look, keep, forget };
constexpr auto wire_names(IntendedMemory) { return wire::names("look", "keep", "forget"); }

// Of the machine of the runner: only there it can be seen where a path leads.
struct Intent {
  IntentKind kind = IntentKind::other;
  std::string title{};
  std::optional<std::string> path{};
  std::optional<std::string> real_path{};
  std::optional<std::string> canonical_path{};
  bool path_inside = false;
  std::optional<std::string> other_folder{};
  std::optional<IntendedPlace> guarded{};
  std::optional<std::string> command{};
  std::optional<IntendedLook> look{};
  std::optional<std::string> detail{};
  IntendedMemory memory = IntendedMemory::look;
  bool asked_for = false;
  static constexpr auto wire = fields(
      field<&Intent::kind>("kind", "What it would do."), field<&Intent::title>("title", "One line for people."),
      field<&Intent::path>("path", "Absolute, as it was named."),
      field<&Intent::real_path>("realPath", "Where that leads; absent: to no one place."),
      field<&Intent::canonical_path>("canonicalPath", "The same, where links in the folder's own name make another name of it."),
      field<&Intent::path_inside>("pathInside", "It lies in a folder of the session."),
      field<&Intent::other_folder>("otherFolder", "In which, when that is not its own."),
      field<&Intent::guarded>("guarded", "It lies where programs look for what they obey."),
      field<&Intent::command>("command", "The whole command line."),
      field<&Intent::look>("look", "What a look at the command found; absent: nobody looked."),
      field<&Intent::detail>("detail", "More of it, for people."),
      field<&Intent::memory>("memory", "Of kind memory: what with it."),
      field<&Intent::asked_for>("askedFor", "The person's own words ask for exactly this."));
};

struct RunnerMeta {
  std::optional<Intent> intent{};
  static constexpr auto wire = fields(field<&RunnerMeta::intent>("intent", "What the call would do."));
};
struct PermissionMeta {
  std::optional<RunnerMeta> parlance{};
  static constexpr auto wire = fields(field<&PermissionMeta::parlance>("parlance", "Of a runner."));
};

}  // namespace parlance::acp

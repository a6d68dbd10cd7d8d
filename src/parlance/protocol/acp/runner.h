// SPDX-License-Identifier: Apache-2.0
// Extensions between a runner and its gateway: a machine offers its agents over one connection, with the gateway as the client.
// Values; any thread.
#pragma once

#include "parlance/protocol/acp/content.h"

namespace parlance::acp {

struct OfferedAgent {
  std::string id{};
  std::string name{};
  static constexpr auto wire =
      fields(field<&OfferedAgent::id>("id", "Id of the agent, for `_meta` of session/new: {\"parlance\":{\"agent\":ID}}."),
             field<&OfferedAgent::name>("name", "Name of the agent for people."));
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
      fields(field<&Offer::name>("name", "Name of the runner: letters, digits, `.`, `_` and `-`, at most 64 characters."),
             field<&Offer::account>("account", "Name of the account that runs the agents."),
             field<&Offer::host>("host", "Host name of the runner's machine."),
             field<&Offer::agents>("agents", "Agents that the runner offers."),
             field<&Offer::folders>(
                 "folders", "Real paths of the offered folders. Sessions work in these folders and below, and in no others."),
             field<&Offer::version>("version", "Version of parlance on the runner."), meta_field<&Offer::meta>());
};

struct LetGo {
  std::string why{};
  Raw meta{};
  static constexpr auto wire = fields(field<&LetGo::why>("why", "Reason for people."), meta_field<&LetGo::meta>());
};

struct WantedSessions {
  std::vector<std::string> sessions{};
  bool all = true;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&WantedSessions::sessions>("sessions", "Ids of sessions that conversations of the gateway continue."),
             field<&WantedSessions::all>("all", "False: the list is incomplete, and an absent session may still be in use."),
             meta_field<&WantedSessions::meta>());
};

// ---- files of the runner's machine, for the author of a message -------------------------------------------------------------

struct FindFiles {
  std::vector<std::string> folders{};
  std::string typed{};
  std::optional<std::vector<std::string>> excluded{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&FindFiles::folders>(
          "folders",
          "Folders to search: offered folders or folders below. Paths in the first folder are relative, paths "
          "in other folders absolute."),
      field<&FindFiles::typed>("typed", "Characters to find, in this order, anywhere in the path. Empty: every file matches."),
      field<&FindFiles::excluded>("excluded", "Patterns of excluded files, in addition to .gitignore files."),
      meta_field<&FindFiles::meta>());
};
struct FoundFiles {
  std::vector<std::string> paths{};
  bool all = true;
  Raw meta{};
  static constexpr auto wire = fields(field<&FoundFiles::paths>("paths", "Paths of the files found, best match first."),
                                      field<&FoundFiles::all>("all", "False: the folder has more files than the search read."),
                                      meta_field<&FoundFiles::meta>());
};

// ---- `_meta` of session/request_permission: {"parlance":{"intent":…}} -----------------------------------------------------------

struct IntendedReason {
  std::string id{};
  std::vector<std::string> values{};
  static constexpr auto wire =
      fields(field<&IntendedReason::id>("id", "Id of the reason, for translation."),
             field<&IntendedReason::values>("values", "Values for the sentence of the reason.").or_default());
};

struct IntendedPlace {
  std::string path{};
  std::string why{};
  std::optional<IntendedReason> reason{};
  static constexpr auto wire = fields(field<&IntendedPlace::path>("path", "Real path of the place."),
                                      field<&IntendedPlace::why>("why", "Reason for people."),
                                      field<&IntendedPlace::reason>("reason", "The reason as an id. Absent: only `why`."));
};

struct IntendedLook {
  std::string problem{};
  std::vector<std::string> paths{};
  std::optional<IntendedReason> reason{};
  static constexpr auto wire = fields(
      field<&IntendedLook::problem>("problem", "Reason why the command may do more than read. Empty: the command only reads."),
      field<&IntendedLook::paths>("paths", "Real paths of the files that the command would read."),
      field<&IntendedLook::reason>("reason", "The problem as an id. Absent: only `problem`."));
};

enum class IntentKind : std::uint8_t { read, edit, execute, memory, ask, other };
constexpr auto wire_names(IntentKind) { return wire::names("read", "edit", "execute", "memory", "ask", "other"); }
enum class IntendedMemory : std::uint8_t { look, keep, forget };
constexpr auto wire_names(IntendedMemory) { return wire::names("look", "keep", "forget"); }

// Paths of the runner's machine, which alone can resolve them.
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
      field<&Intent::kind>("kind", "Kind of the call, such as read or execute."),
      field<&Intent::title>("title", "One line for people."), field<&Intent::path>("path", "Absolute path as named by the call."),
      field<&Intent::real_path>("realPath", "Real path. Absent: the path leads to no single place."),
      field<&Intent::canonical_path>("canonicalPath",
                                     "Another real name of the same path, through links in the name of the folder."),
      field<&Intent::path_inside>("pathInside", "True: the path is in a folder of the session."),
      field<&Intent::other_folder>("otherFolder", "The folder that contains the path, if different from the working folder."),
      field<&Intent::guarded>("guarded", "The guarded place that contains the path. Absent: the path is not guarded."),
      field<&Intent::command>("command", "The whole command line."),
      field<&Intent::look>("look", "Result of the check of the command. Absent: no check took place."),
      field<&Intent::detail>("detail", "Further information for people."),
      field<&Intent::memory>("memory", "With kind memory: look, keep or forget."),
      field<&Intent::asked_for>("askedFor", "True: the person's message asks for exactly this call."));
};

struct RunnerMeta {
  std::optional<Intent> intent{};
  static constexpr auto wire = fields(field<&RunnerMeta::intent>("intent", "Effects of the call."));
};
struct PermissionMeta {
  std::optional<RunnerMeta> parlance{};
  static constexpr auto wire = fields(field<&PermissionMeta::parlance>("parlance", "Extensions of a runner."));
};

}  // namespace parlance::acp

// What a call of somebody else's tool would do, as far as the agent says it: its kind, its command, the files that it names.
#include <set>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/permission_asks.h"
#include "parlance/toolbox/judged_files.h"

namespace parlance::driver {
namespace {

// One line for execution: agents put it in the input, or have nothing but the title.
std::string command_of(const AcpUpdates::Call& call, const json::Value& input) {
  for (const char* name : {"command", "cmd", "script"}) {
    const json::Value* found = input.find(name);
    if (found == nullptr) continue;
    if (const std::string* text = found->text()) return *text;
    if (const json::Array* words = found->array()) {
      std::string line;
      for (const json::Value& word : *words)
        if (const std::string* text = word.text()) line += (line.empty() ? "" : " ") + *text;
      if (!line.empty()) return line;
    }
  }
  return call.title;
}

std::optional<hub::Diff> diff_of(const AcpUpdates::Call& call) {
  for (const acp::ToolContent& one : call.content)
    if (const auto* diff = std::get_if<acp::ToolDiff>(&one.value))
      return hub::Diff{.path = diff->path, .before = diff->old_text, .after = diff->new_text};
  return std::nullopt;
}

// All files that the call names, wherever it does.
std::set<std::string> paths_of(const AcpUpdates::Call& call, const json::Value& input) {
  std::set<std::string> paths;
  for (const acp::ToolLocation& one : call.locations) paths.insert(one.path);
  for (const acp::ToolContent& one : call.content)
    if (const auto* diff = std::get_if<acp::ToolDiff>(&one.value)) paths.insert(diff->path);
  for (const char* name : {"file_path", "filePath", "filepath", "absolute_path", "abs_path", "path", "notebook_path"})
    if (const std::string_view path = input.text_or(name, ""); !path.empty()) paths.insert(std::string(path));
  paths.erase("");
  return paths;
}

// The one place that all of them lead to; nothing where they lead to several: then no rule and no mode allows it unasked.
std::optional<toolbox::FoundFile> one_place(const std::set<std::string>& paths, const toolbox::Folders& folders) {
  std::optional<toolbox::FoundFile> place;
  for (const std::string& path : paths) {
    auto found = toolbox::find_file(folders, path);
    if (!found || found->path.nowhere || (place && place->path.absolute != found->path.absolute)) return std::nullopt;
    place = *std::move(found);
  }
  return place;
}

hub::ToolKind kind_of(hub::CallKind kind) {
  switch (kind) {
    case hub::CallKind::read:
    case hub::CallKind::search: return hub::ToolKind::read;
    case hub::CallKind::edit:
    case hub::CallKind::delete_:
    case hub::CallKind::move: return hub::ToolKind::edit;
    case hub::CallKind::execute: return hub::ToolKind::execute;
    default: return hub::ToolKind::other;
  }
}

hub::ToolKind kind_of(acp::IntentKind kind) {
  switch (kind) {
    case acp::IntentKind::read: return hub::ToolKind::read;
    case acp::IntentKind::edit: return hub::ToolKind::edit;
    case acp::IntentKind::execute: return hub::ToolKind::execute;
    case acp::IntentKind::memory: return hub::ToolKind::memory;
    case acp::IntentKind::ask: return hub::ToolKind::ask;
    case acp::IntentKind::other: break;
  }
  return hub::ToolKind::other;
}

hub::MemoryUse memory_of(acp::IntendedMemory use) {
  if (use == acp::IntendedMemory::keep) return hub::MemoryUse::keep;
  return use == acp::IntendedMemory::forget ? hub::MemoryUse::forget : hub::MemoryUse::look;
}

}  // namespace

hub::ToolIntent told_intent(const AcpUpdates::Call& call, std::string_view meta_json) {
  const auto meta = json::from_text<acp::PermissionMeta>(meta_json.empty() ? "{}" : meta_json);
  if (!meta || !meta->parlance || !meta->parlance->intent)
    return {.title = call.title.empty() ? call.tool : call.title, .diff = diff_of(call), .detail = call.input_json};
  const acp::Intent& told = *meta->parlance->intent;
  hub::ToolIntent intent{.kind = kind_of(told.kind),
                         .title = told.title,
                         .path = told.path,
                         .real_path = told.real_path,
                         .canonical_path = told.canonical_path,
                         .path_inside = told.path_inside,
                         .other_folder = told.other_folder,
                         .command = told.command,
                         .diff = diff_of(call),
                         .detail = told.detail,
                         .memory = memory_of(told.memory),
                         .asked_for = told.asked_for};
  if (told.guarded) intent.guarded = hub::GuardedPlace{.path = told.guarded->path, .why = told.guarded->why};
  if (told.look) intent.look = hub::CommandLook{.problem = told.look->problem, .paths = told.look->paths};
  return intent;
}

hub::ToolIntent acp_intent(const AcpUpdates::Call& call, const hub::Conversation& conversation) {
  const json::Value input = json::parse_or_null(call.input_json);
  const hub::ToolKind kind = kind_of(call.kind);
  const std::string title = call.title.empty() ? call.tool : call.title;
  if (kind == hub::ToolKind::execute) return {.kind = kind, .title = title, .command = command_of(call, input)};
  std::optional<hub::Diff> diff = diff_of(call);
  hub::ToolIntent intent{.kind = kind, .title = title};
  if (kind == hub::ToolKind::read || kind == hub::ToolKind::edit) {
    const std::set<std::string> paths = paths_of(call, input);
    const toolbox::Folders folders = toolbox::folders_of(conversation);
    if (const auto place = one_place(paths, folders)) {
      intent = toolbox::file_intent(kind, folders, place->path, title);
      if (kind == hub::ToolKind::edit) intent.guarded = place->files.guard().guarded(place->path);
    } else if (!paths.empty()) {
      intent.path = *paths.begin();
    }
  }
  intent.diff = std::move(diff);
  if (kind == hub::ToolKind::other && input.object() != nullptr && !input.object()->members.empty())
    intent.detail = call.input_json;
  return intent;
}

}  // namespace parlance::driver

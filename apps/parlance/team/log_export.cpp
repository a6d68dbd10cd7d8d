// SPDX-License-Identifier: Apache-2.0
// parlance log export: the events of conversations and their authors, as JSON lines. Reads the stores of hubs, also while the
// hubs run. Blocks; main thread.
#include <algorithm>
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "apps/parlance/chat/chat_folders.h"
#include "apps/parlance/commands.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/packed.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/store/hub/hub_log_export.h"
#include "parlance/store/hub_pg/audit_rows.h"
#include "parlance/store/hub_pg/reader.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::app {
namespace {

constexpr std::size_t part_bytes = 1 << 20;  // of events in memory at once

// A line. Attachments are named in their events; their bytes are excluded.
struct LogLine {
  std::string conversation{};
  std::string title{};
  std::string agent{};
  std::string folder{};
  std::optional<std::string> user{};
  wire::Raw event{};
  static constexpr auto wire =
      wire::fields(wire::field<&LogLine::conversation>("conversation", "Id of the conversation."),
                   wire::field<&LogLine::title>("title", "Present title of the conversation."),
                   wire::field<&LogLine::agent>("agent", "Id of the agent."),
                   wire::field<&LogLine::folder>("folder", "Absolute path of the working folder."),
                   wire::field<&LogLine::user>("user", "Name of the conversation's user. Absent: the person of the machine."),
                   wire::field<&LogLine::event>("event", "The event as stored. Its member `by` names the actor."));
};

// A line for an action outside any conversation's log, or for a deleted conversation.
struct AuditLine {
  struct Entry {
    std::int64_t number = 0;
    std::string time{};
    std::string what{};
    std::string by{};
    std::string about{};
    std::string conversation{};
    std::string detail{};
    static constexpr auto wire = wire::fields(
        wire::field<&Entry::number>("number", "Number of the row. Numbers grow and may have gaps."),
        wire::field<&Entry::time>("time", "Time by the clock of the database, RFC 3339 in UTC."),
        wire::field<&Entry::what>("what", "Kind of the change."),
        wire::field<&Entry::by>("by", "Name of the user, or account and machine of a command. Empty: the person of the machine."),
        wire::field<&Entry::about>("about", "Id of the changed object."),
        wire::field<&Entry::conversation>("conversation",
                                          "Id of the conversation. Empty: the change belongs to no conversation."),
        wire::field<&Entry::detail>("detail", "Further information for people."));
  };
  Entry audit{};
  static constexpr auto wire =
      wire::fields(wire::field<&AuditLine::audit>("audit", "A row of the table `audit`: the change and its actor."));
};

bool print(std::string_view json) {
  const std::string line = visible_json(json) + '\n';
  return std::fwrite(line.data(), 1, line.size(), stdout) == line.size();
}

bool print_entry(const store::AuditRow& row) {
  const hub::AuditEntry& entry = row.entry;
  return print(json::to_text(AuditLine{.audit = {.number = row.number,
                                                 .time = row.time,
                                                 .what = entry.what,
                                                 .by = entry.by,
                                                 .about = entry.about,
                                                 .conversation = entry.conversation,
                                                 .detail = entry.detail}}));
}

// Fails after the reader has closed the pipe.
bool print_line(const hub::Conversation& of, std::optional<std::string> user, std::string_view event) {
  const LogLine line{.conversation = of.id,
                     .title = of.title,
                     .agent = of.agent,
                     .folder = of.folder,
                     .user = std::move(user),
                     .event = {.json = std::string(event)}};
  return print(json::to_text(line));
}

Result<bool> print_events(store::Reader& reader, const hub::Conversation& of, const std::optional<std::string>& user) {
  for (std::uint64_t after = 0; after < of.last_seq;) {
    PARLANCE_TRY(events, reader.events_after(of.id, after, of.last_seq, part_bytes));
    if (events.empty()) break;  // deleted meanwhile
    for (const hub::Event& event : events)
      if (!print_line(of, user, wire_form::event_json(event))) return false;
    after = events.back().seq;
  }
  return true;
}

Result<void> print_shared(const std::string& address, const std::string& wanted) {
  const pg::Interrupt never_raised;
  store::Reader reader({.address = address, .name = "parlance log"}, never_raised);
  PARLANCE_TRY(loaded, reader.load());
  PARLANCE_TRY(snapshot, reader.settings_snapshot());
  std::vector<hub::Conversation> all;
  for (const hub::PackedConversation& conversation : loaded.stored.conversations)
    if (wanted.empty() || conversation.id() == wanted) all.push_back(conversation.unpack());
  bool found = wanted.empty() || !all.empty();
  std::ranges::sort(all, {}, &hub::Conversation::id);  // ids sort by creation time
  for (const hub::Conversation& conversation : all) {
    std::optional<std::string> user = conversation.user;
    if (const hub::User* const known = user ? snapshot.team->user(*user) : nullptr) user = known->name;
    PARLANCE_TRY(more, print_events(reader, conversation, user));
    if (!more) return {};
  }
  PARLANCE_TRY_DO(
      store::visit_audit({.address = address, .name = "parlance log"}, never_raised, wanted, [&](const store::AuditRow& row) {
        found = true;
        return print_entry(row);
      }));
  if (!found) return fail(Errc::not_found, "no such conversation: " + wanted);
  return {};
}

// A folder that cannot be read is reported, and the others are printed.
Result<void> print_own(const std::string& state, const std::string& wanted) {
  bool found = wanted.empty();
  std::string problems;
  for (const std::string& folder : hub_folders(state)) {
    const auto done = store::visit_log(
        folder, wanted, [](const hub::Conversation& of, std::string_view event) { return print_line(of, of.user, event); });
    found = found || done;
    if (!done && done.error().code != Errc::not_found) problems += (problems.empty() ? "" : "; ") + done.error().message;
  }
  if (!problems.empty()) return fail(Errc::failed, std::move(problems));
  if (!found) return fail(Errc::not_found, "no such conversation: " + wanted);
  return {};
}

}  // namespace

Action declare_log_export(CLI::App& app) {
  auto wanted = std::make_shared<std::string>();
  app.add_option("--conversation", *wanted, "Only this one; all if not given.")->type_name("ID");
  return [wanted](const Settings& settings, const Words&) {
    const std::string& address = settings.text("store");
    const Result<void> done = address.empty() ? print_own(state_folder(settings), *wanted) : print_shared(address, *wanted);
    if (!done) return complain_of_use(done.error(), ExitCode::failed);
    return static_cast<int>(ExitCode::done);
  };
}

}  // namespace parlance::app

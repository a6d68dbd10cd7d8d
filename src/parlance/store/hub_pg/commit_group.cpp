// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/commit_group.h"

#include <algorithm>
#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/store/hub/stored_forms.h"
#include "parlance/store/hub_pg/audit_rows.h"
#include "parlance/wire_form/command_forms.h"
#include "parlance/wire_form/conversation_tables.h"
#include "parlance/wire_form/event_tables.h"
#include "parlance/wire_form/spending_tables.h"

namespace parlance::store {
namespace {

using pg::Array;
using pg::Parameter;

// PostgreSQL's text type has no NUL character. Only an agent's session name could contain a NUL.
std::string without_nul(std::string text) {
  std::erase(text, '\0');
  return text;
}

std::string updated_at(const hub::Commit& change) {
  const std::string& row = change.conversation->updated_at;
  return change.events.empty() ? row : std::max(row, change.events.back().time);
}

// Conversation rows as column arrays.
struct ConversationColumns {
  Array ids, turns, sessions, hows, times, bodies, users, accesses;
  void add(const hub::Commit& change) {
    const hub::Conversation& conversation = *change.conversation;
    ids.add(conversation.id);
    turns.add(conversation.turn);
    sessions.add(without_nul(conversation.agent_session.id));
    hows.add(text_of(conversation.agent_session.how));
    times.add(updated_at(change));
    bodies.add(json::to_text(conversation));
    users.add(conversation.user.value_or(""));
    accesses.add(to_string(conversation.access.value_or(hub::Access::private_)));
  }
  std::vector<Parameter> parameters() const {
    return {ids.text(), turns.text(), sessions.text(), hows.text(), times.text(), bodies.text(), users.text(), accesses.text()};
  }
};

class Builder {
 public:
  Builder(const HeldConversations& held, const std::string& hub, const EndedParts& ended)
      : held_(held), hub_(hub), ended_(ended) {}

  GroupStatements build(std::span<const hub::CommitPtr> group) {
    add("BEGIN");
    fences(group);
    new_conversations(group);
    changed_conversations(group);
    events(group);
    for (const hub::CommitPtr& change : group) {
      add_search_statements(*change, ended_, made_.statements);
      rest(*change);
    }
    add("COMMIT");
    return std::move(made_);
  }

 private:
  void add(std::string sql, std::vector<Parameter> parameters = {}) {
    made_.statements.push_back({.sql = std::move(sql), .parameters = std::move(parameters)});
  }
  const Held* held(const hub::Commit& change) const {
    const auto found = held_.find(conversation_of(change));
    return found == held_.end() ? nullptr : &found->second;
  }

  // In the order of their numbers, so that two groups never wait for each other.
  void fences(std::span<const hub::CommitPtr> group) {
    std::vector<std::pair<const Held*, const hub::Commit*>> rows;
    for (const hub::CommitPtr& change : group)
      if (const Held* row = held(*change)) rows.emplace_back(row, change.get());
    if (rows.empty()) return;
    std::ranges::sort(rows, {}, [](const auto& row) { return row.first->number; });
    Array numbers, epochs, revisions, counts, times;
    for (const auto& [row, change] : rows) {
      numbers.add(row->number);
      epochs.add(row->epoch);
      revisions.add(row->revision);
      counts.add(change->events.size());
      times.add(change->events.empty() ? std::string_view() : change->events.back().time);
    }
    add("SELECT fence(c, $1, e, r, n, 0, 0, at) FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], "
        "$6::text[]) AS f(c, e, r, n, at)",
        {hub_, numbers.text(), epochs.text(), revisions.text(), counts.text(), times.text()});
  }

  void new_conversations(std::span<const hub::CommitPtr> group) {
    ConversationColumns columns;
    Array lasts, runners;
    for (const hub::CommitPtr& change : group) {
      if (!change->conversation || held(*change) != nullptr) continue;
      columns.add(*change);
      runners.add(change->conversation->runner.value_or(""));
      lasts.add(change->events.size());
    }
    if (columns.ids.empty()) return;
    std::vector<Parameter> parameters = columns.parameters();
    for (const std::string& more : {lasts.text(), runners.text(), hub_}) parameters.emplace_back(more);
    made_.created = made_.statements.size();
    add("INSERT INTO conversations(id, turn, native_session, native_how, updated_at, body, user_id, access, last_seq, owner, "
        "epoch, revision, place) SELECT id, turn, session, how, at, body, whose, access, seq, $11, 1, 1, place "
        "FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], "
        "$9::bigint[], $10::text[]) AS c(id, turn, session, how, at, body, whose, access, seq, place) "
        "RETURNING id, number",
        std::move(parameters));
  }

  void changed_conversations(std::span<const hub::CommitPtr> group) {
    ConversationColumns columns;
    for (const hub::CommitPtr& change : group)
      if (change->conversation && held(*change) != nullptr) columns.add(*change);
    if (columns.ids.empty()) return;
    add("UPDATE conversations AS c SET turn = n.turn, native_session = n.session, native_how = n.how, updated_at = n.at, "
        "body = n.body, user_id = n.whose, access = n.access FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], "
        "$5::text[], $6::text[], $7::text[], $8::text[]) AS n(id, turn, session, how, at, body, whose, access) WHERE c.id = n.id",
        columns.parameters());
  }

  void events(std::span<const hub::CommitPtr> group) {
    Array ids, seqs, bodies;
    for (const hub::CommitPtr& change : group) {
      for (const hub::Event& event : change->events) {
        ids.add(conversation_of(*change));
        seqs.add(event.seq);
        bodies.add(wire_form::event_json(event));
      }
    }
    if (ids.empty()) return;
    add("INSERT INTO events(conversation, seq, body) SELECT c.number, e.seq, e.body "
        "FROM unnest($1::text[], $2::bigint[], $3::text[]) AS e(id, seq, body) JOIN conversations AS c ON c.id = e.id",
        {ids.text(), seqs.text(), bodies.text()});
  }

  void rest(const hub::Commit& change) {
    for (const hub::Attachment& attachment : change.attachments)
      add("INSERT INTO attachments(id, conversation, body, data) VALUES($1, $2, $3, $4)",
          {attachment.about.id, conversation_of(change), json::to_text(attachment.about), Parameter::bytes(attachment.data)});
    for (const hub::Ask& ask : change.asks)
      add("INSERT INTO asks(id, conversation, state, expires_at, answers, body) VALUES($1, $2, $3, $4, $5, $6) "
          "ON CONFLICT(id) DO UPDATE SET state = $3, expires_at = $4, answers = $5, body = $6",
          {ask.id, ask.conversation, to_string(ask.state), ask.expires_at, answers_text(ask), json::to_text(ask)});
    for (const hub::Rule& rule : change.rules)
      add("INSERT INTO rules(id, conversation, body, scope, user_id) VALUES($1, $2, $3, $4, $5)",
          {rule.id, rule.conversation, json::to_text(rule), scope_text(rule), rule.user.value_or("")});
    for (const hub::Rule& rule : change.used_rules)
      add("UPDATE rules SET body = $2 WHERE id = $1", {rule.id, json::to_text(rule)});
    // Inserts use as separate rows; readers add them up, so a commit needs no read.
    for (const hub::SpentOn& row : change.spent)
      add("INSERT INTO spent(day, conversation, body) VALUES($1, $2, $3)", {row.day, row.conversation, json::to_text(row.spent)});
    if (change.limits)
      add("INSERT INTO settings(name, body) VALUES('spending_limits', $1) ON CONFLICT(name) DO UPDATE SET body = $1",
          {json::to_text(*change.limits)});
    for (const hub::AuditEntry& entry : change.audit) made_.statements.push_back(audit_statement(entry));
    for (const hub::CommandDone& done : change.done)
      add("SELECT end_command($1, $2)", {done.id, wire_form::outcome_text(done.outcome)});
    remove("DELETE FROM rules WHERE id = ANY($1::text[])", change.removed_rules);
    remove("DELETE FROM attachments WHERE id = ANY($1::text[])", change.removed_attachments);
    if (changes_settings(change)) add("UPDATE rules_version SET version = version + 1");
  }
  void remove(const char* sql, const std::vector<std::string>& ids) {
    Array array;
    for (const std::string& id : ids) array.add(id);
    if (!array.empty()) add(sql, {array.text()});
  }

  const HeldConversations& held_;
  const std::string& hub_;
  const EndedParts& ended_;
  GroupStatements made_;
};

}  // namespace

bool changes_settings(const hub::Commit& change) {
  return !change.rules.empty() || !change.removed_rules.empty() || change.limits.has_value();
}

const std::string& conversation_of(const hub::Commit& change) {
  return change.conversation ? change.conversation->id : change.events_of;
}

Result<void> check_commit(const hub::Commit& change, const HeldConversations& held) {
  const std::string& id = conversation_of(change);
  if (id.empty()) return {};
  if (!change.events_of.empty() && change.events_of != id)
    return fail(Errc::internal, "a commit of two conversations: " + id + " and " + change.events_of);
  const auto found = held.find(id);
  if (found == held.end() && !change.conversation) return fail(Errc::not_found, "no such conversation: " + id);
  std::uint64_t last = found == held.end() ? 0 : found->second.last_seq;
  for (const hub::Event& event : change.events)
    if (event.seq != ++last)
      return fail(Errc::internal, "the log of " + id + " goes on with " + std::to_string(last) + ", event " +
                                      std::to_string(event.seq) + " does not follow");
  return {};
}

GroupStatements statements_of(std::span<const hub::CommitPtr> group, const HeldConversations& held, const std::string& hub,
                              const EndedParts& ended) {
  return Builder(held, hub, ended).build(group);
}

void note_committed(const hub::Commit& change, std::int64_t number, HeldConversations& held) {
  const std::string& id = conversation_of(change);
  if (id.empty()) return;
  Held& row = held[id];
  if (row.epoch == 0) row = {.number = number, .epoch = 1};
  ++row.revision;
  row.last_seq += change.events.size();
}

}  // namespace parlance::store

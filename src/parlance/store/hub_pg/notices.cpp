// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/notices.h"

#include <algorithm>
#include <utility>

#include "parlance/base/text.h"

namespace parlance::store {
namespace {

constexpr std::size_t payload_bytes = 7800;  // The server's limit is below 8,000.

bool is_word(std::string_view name) {
  return !name.empty() && name.size() < 200 && name.find_first_of(" \n") == std::string_view::npos;
}

class Payloads {
 public:
  explicit Payloads(std::string hub) : head_(std::move(hub)) {}
  void line(const std::string& text) {
    if (all_.empty() || all_.back().size() + text.size() + 1 > payload_bytes) all_.push_back(head_);
    all_.back() += "\n" + text;
  }
  void names(const char* kind, const std::set<std::string, std::less<>>& names) {
    for (const std::string& name : names)
      if (is_word(name)) line(kind + name);
  }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::string head_;
  std::vector<std::string> all_;
};

void read_line(std::string_view line, Notice& notice) {
  const std::vector<std::string_view> words = split(line, ' ');
  const std::string_view kind = words.front();
  const std::string name(words.size() > 1 ? words[1] : "");
  if (kind == "standing") notice.settings_changed = true;
  if (kind == "look") notice.hub_ended = true;
  if (kind == "places") notice.runners = true;
  if (kind == "removed") notice.removed.insert(name);
  if (kind == "command") notice.commands.insert(name);
  if (kind == "outcome") notice.outcomes.insert(name);
  if (kind != "commits" || words.size() != 6) return;
  const auto first = parse_number<std::int64_t>(words[2]);
  const auto last = parse_number<std::int64_t>(words[3]);
  const auto seq = parse_number<std::uint64_t>(words[4]);
  if (first && last && seq) notice.add(name, {.first = *first, .last = *last, .last_seq = *seq, .rows = words[5] != "events"});
}

}  // namespace

void Notice::add(const std::string& conversation, const Commits& more) {
  const auto [known, is_new] = commits.try_emplace(conversation, more);
  if (is_new) return;
  Commits& commits = known->second;
  // No notice covers the revisions in between: the receiver reads the rows.
  commits.rows = commits.rows || more.rows || more.first != commits.last + 1;
  commits.first = std::min(commits.first, more.first);
  commits.last = std::max(commits.last, more.last);
  commits.last_seq = std::max(commits.last_seq, more.last_seq);
}

void Notice::add(Notice more) {
  for (const auto& [id, commits] : more.commits) add(id, commits);
  removed.merge(more.removed);
  commands.merge(more.commands);
  outcomes.merge(more.outcomes);
  settings_changed = settings_changed || more.settings_changed;
  runners = runners || more.runners;
  hub_ended = hub_ended || more.hub_ended;
}

std::vector<std::string> payloads_of(const Notice& notice, const std::string& hub) {
  Payloads payloads(hub);
  for (const auto& [id, commits] : notice.commits)
    if (is_word(id))
      payloads.line("commits " + id + " " + std::to_string(commits.first) + " " + std::to_string(commits.last) + " " +
                    std::to_string(commits.last_seq) + (commits.rows ? " rows" : " events"));
  payloads.names("removed ", notice.removed);
  payloads.names("command ", notice.commands);
  payloads.names("outcome ", notice.outcomes);
  if (notice.settings_changed) payloads.line("standing");
  if (notice.runners) payloads.line("places");
  if (notice.hub_ended) payloads.line("look");
  return payloads.take();
}

std::optional<Notice> notice_from(std::string_view payload, std::string_view own_hub) {
  const std::vector<std::string_view> lines = split(payload, '\n');
  if (lines.empty() || lines.front() == own_hub) return std::nullopt;
  Notice notice;
  for (std::size_t i = 1; i < lines.size(); ++i) read_line(lines[i], notice);
  return notice;
}

}  // namespace parlance::store

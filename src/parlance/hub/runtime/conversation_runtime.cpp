// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/conversation_runtime.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "parlance/base/check.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/limits.h"

namespace parlance::hub {
namespace {

// ConversationRuntimes end in groups: a page opens a few conversations again and again. A runtime needs about 5 KiB.
constexpr std::size_t most_idle_runtimes = 256;
// Callers of Hub::find keep the pointer for a short time only.
constexpr auto idle_runtime_time = std::chrono::minutes(1);
constexpr auto look_for_idle_runtimes = std::chrono::seconds(10);

PackedStart start_of(const Conversation& conversation) {
  return {.id = conversation.id,
          .updated_at = conversation.updated_at,
          .agent = conversation.agent,
          .agent_session = conversation.agent_session.id,
          .how = conversation.agent_session.how,
          .user = conversation.user,
          .via = conversation.via,
          .runner = conversation.runner,
          .access = conversation.access,
          .state = conversation.state,
          .open_asks = conversation.open_asks,
          .turn = conversation.turn,
          .queued = conversation.queued.size()};
}

}  // namespace

std::string title_of(std::string_view text) {
  text = trim(text);
  std::string_view line = trim(text.substr(0, text.find_first_of("\r\n")));
  const std::string_view cut = utf8_prefix(line, limits::conversation_title_bytes);
  if (cut.size() == line.size()) return std::string(line);
  const auto blank = cut.rfind(' ');
  return std::string(trim(blank != std::string_view::npos && blank > cut.size() / 2 ? cut.substr(0, blank) : cut)) + "…";
}

ConversationRuntime::ConversationRuntime(Core& core, WriteObserver& observer, Conversation conversation, bool is_known)
    : current(std::move(conversation)),
      committed(current),
      known(is_known),
      listed(!current.via),
      idle(core.loop),
      followed(std::make_shared<ReplicatedLog>(core.loop, core.store, current.id, current.last_seq)),
      log(core.loop, core.store, current.id, current.last_seq,
          {.time_text = [&core] { return core.time_text(); },
           .written = [this, &observer](const CommitPtr& commit) { observer.written(*this, commit); },
           .health = [this, &observer](const Error* error) { observer.store_health(*this, error); },
           .row = [this] { return current; }}),
      core_(core) {}

ConversationRuntime::~ConversationRuntime() { followed->end(); }

bool ConversationRuntime::is_at_rest() const {
  return !turn && !replaying && !removing && !ownership.is_changing() && doing.empty() && log.idle() && known;
}

bool ConversationRuntime::has_open_request() const {
  return std::ranges::any_of(asks, [](const auto& entry) { return entry.second.state == AskState::open; });
}

void ConversationRuntime::touch() {
  current.updated_at = core_.time_text();
  log.put(current);
}

void ConversationRuntime::note_done(const Submission& from, const Prompted& prompted) {
  PARLANCE_CHECK(!rules_of_command(from.command).is_repeatable, "a command that is not repeatable");
  if (!from.id.empty()) log.put(CommandDone{.id = from.id, .outcome = {.prompted = prompted}});
}

// ---- all conversations -------------------------------------------------------------------------------------------------------

std::shared_ptr<ConversationRuntime> ConversationRuntimes::find(std::string_view id) {
  if (runtimes_.size() >= most_idle_runtimes && core_.loop.now() >= next_look_) core_.loop.at_turn_end(*this);
  const auto found = runtimes_.find(id);
  if (found != runtimes_.end()) {
    found->second->last_lookup = core_.loop.now();
    return found->second;
  }
  const std::optional<PackedConversation> packed = idle_.take(id);
  return packed ? add(packed->unpack(), true) : nullptr;
}

std::optional<Conversation> ConversationRuntimes::committed(std::string_view id) const {
  if (const auto found = runtimes_.find(id); found != runtimes_.end())
    return found->second->listed ? std::optional(found->second->committed) : std::nullopt;
  const PackedConversation* const packed = idle_.find(id);
  return packed == nullptr || packed->start().via ? std::nullopt : std::optional(packed->unpack());
}

void ConversationRuntimes::visit(const std::function<void(const PackedStart& start)>& visitor) const {
  for (const auto& [id, runtime] : runtimes_) visitor(start_of(runtime->current));
  idle_.visit([&](const PackedConversation& conversation) {
    visitor(conversation.start());
    return true;
  });
}

std::shared_ptr<ConversationRuntime> ConversationRuntimes::add(Conversation conversation, bool known) {
  auto runtime = std::make_shared<ConversationRuntime>(core_, observer_, std::move(conversation), known);
  if (core_.shared != nullptr && known)
    runtime->ownership = Ownership(Ownership::State::orphaned);  // until the store reports an owner
  runtime->last_action = runtime->last_lookup = core_.loop.now();
  return runtimes_.emplace(runtime->current.id, runtime).first->second;
}

std::vector<std::shared_ptr<ConversationRuntime>> ConversationRuntimes::add_stored(std::vector<PackedConversation> all,
                                                                                   const std::vector<Ask>& asks) {
  std::set<std::string_view> asked;
  for (const Ask& ask : asks) asked.insert(ask.conversation);
  std::vector<std::shared_ptr<ConversationRuntime>> active;
  std::erase_if(all, [&](const PackedConversation& conversation) {
    const PackedStart start = conversation.start();
    const bool is_active = start.is_active() || asked.contains(start.id);
    if (is_active) active.push_back(add(conversation.unpack(), true));
    return is_active;
  });
  idle_.add_all(std::move(all));
  return active;
}

bool ConversationRuntimes::erase(std::string_view id) {
  const auto found = runtimes_.find(id);
  if (found == runtimes_.end()) return false;
  runtimes_.erase(found);
  return true;
}

std::shared_ptr<ConversationRuntime> ConversationRuntimes::with_ask(std::string_view ask) const {
  for (const auto& [id, runtime] : runtimes_)
    if (runtime->asks.contains(ask)) return runtime;
  return nullptr;
}

// At the end of a turn of the loop, because callers visit the runtimes.
void ConversationRuntimes::on_turn_end() {
  const TimePoint now = core_.loop.now();
  next_look_ = now + look_for_idle_runtimes;
  std::erase_if(runtimes_, [&](const auto& entry) {
    const std::shared_ptr<ConversationRuntime>& runtime = entry.second;
    if (now - runtime->last_lookup < idle_runtime_time || !is_idle(runtime)) return false;
    idle_.add(runtime->current);
    return true;
  });
}

// The packed conversation is the whole state: a later runtime is equal.
bool ConversationRuntimes::is_idle(const std::shared_ptr<ConversationRuntime>& shared) const {
  const ConversationRuntime& runtime = *shared;
  const bool rests = runtime.is_at_rest() && !runtime.agent && !runtime.renewal.closing && runtime.queue.unwritten.empty();
  const bool is_unused = shared.use_count() == 1 && runtime.followed.use_count() == 1 && !runtime.followed->has_listeners();
  const bool is_as_stored = runtime.ownership.may_write() == (core_.shared == nullptr) &&
                            runtime.listed == !runtime.current.via && runtime.current == runtime.committed;
  return rests && is_unused && is_as_stored && runtime.asks.empty() && !runtime.current.is_active();
}

}  // namespace parlance::hub

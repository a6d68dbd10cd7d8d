// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/runners.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "parlance/async/run_in.h"
#include "parlance/base/log.h"
#include "parlance/codec/json/typed.h"
#include "parlance/driver/acp/limits.h"
#include "parlance/driver/acp/offer.h"
#include "parlance/driver/acp/runner_agent.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/user_hub.h"
#include "parlance/peer/peer.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/acp/shared_connection.h"

namespace parlance::driver {

// Never defined: a call in a constant expression stops the compiler.
void this_message_needs_a_row_in_runner_permissions();

namespace {

consteval hub::Permission runner_permission(std::string_view method) {
  for (const RunnerPermission& runner_permission : runner_permissions)
    if (runner_permission.method == method) return runner_permission.permission;
  this_message_needs_a_row_in_runner_permissions();
  return hub::Permission::administer;
}

std::size_t most_names(const std::string& user) { return user.empty() ? limits::runners_of_machine : limits::runners_of_user; }

}  // namespace

// The connection of a runner, shared by its conversations; the first client is the gateway's own.
struct Runners::Link : std::enable_shared_from_this<Link> {
  Link(Loop& loop, std::unique_ptr<Frames> frames, hub::CallerPtr who)
      : caller(std::move(who)),
        shared(loop, std::move(frames)),
        control(loop, shared.first(), acp::dialect(acp::Side::client), router),
        scope(loop) {}
  ~Link() { scope.cancel(); }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  hub::CallerPtr caller;
  acp::SharedConnection shared;
  Router router;
  Peer control;
  bool was_offered = false;
  acp::Offer offer;
  std::uint64_t connection = 0;  // the store's connection number of the runner
  bool deleting = false;
  bool more_unused = false;  // … and more sessions arrived since
  Scope scope;               // destroyed first
};

struct Runners::Runner final : KnownRunner {
  std::weak_ptr<Link> link;
  std::uint64_t connection = 0;  // the newest known connection
  std::vector<std::pair<std::string, const hub::AgentProvider*>> agents;
  std::size_t looking = 0;  // number of running file searches

  Result<std::unique_ptr<Frames>> connect() override {
    const auto now = link.lock();
    if (!now) return fail(Errc::disconnected, why_not());
    return now->shared.another();
  }
  Task<Result<acp::FoundFiles>> find_files(acp::FindFiles wanted) override;
};

// The end of the connection ends the call; the function must not use the link afterwards.
Task<Result<acp::FoundFiles>> Runners::Runner::find_files(acp::FindFiles wanted) {
  struct Looking {
    std::size_t& count;
    explicit Looking(std::size_t& of) : count(of) { ++count; }
    ~Looking() { --count; }
    Looking(const Looking&) = delete;
    Looking& operator=(const Looking&) = delete;
  };
  if (state == State::connected_elsewhere)
    co_return fail(Errc::disconnected, "the runner " + offer.name +
                                           " is connected to another gateway: open the page of that gateway to find its files");
  Link* const now = link.lock().get();  // outlives this turn of the loop
  if (now == nullptr) co_return fail(Errc::disconnected, why_not());
  if (looking >= limits::runner_files_asked)
    co_return fail(Errc::overloaded,
                   "the runner " + offer.name + " answers many requests for its files already: try again in a moment");
  const Looking search(looking);
  auto found = co_await now->control.call(acp::method::find_files, std::move(wanted), within(limits::runner_files_patience));
  if (!found && found.error().code == Errc::unknown_method)
    co_return fail(Errc::unknown_method, "the runner " + offer.name + " cannot list its files: its parlance (" +
                                             offer.version.value_or("of before") +
                                             ") is older than the gateway's; update parlance on its machine");
  if (!found && found.error().code == Errc::deadline_exceeded)
    co_return fail(Errc::deadline_exceeded,
                   "the runner " + offer.name + " did not list its files in time: try again in a moment");
  co_return found;
}

Runners::Runners(Loop& loop, hub::Hub& hub, std::string version)
    : loop_(loop), hub_(hub), version_(std::move(version)), scope_(loop) {}

Runners::~Runners() { scope_.cancel(); }

std::size_t Runners::connected() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(runners_, [](const auto& runner) { return !runner.second->link.expired(); }));
}

std::vector<const KnownRunner*> Runners::all() const {
  std::vector<const KnownRunner*> runners;
  for (const auto& [name, runner] : runners_) runners.push_back(runner.get());
  return runners;
}

void Runners::serve(std::unique_ptr<Frames> frames, hub::CallerPtr caller) {
  scope_.start(live(std::move(frames), std::move(caller)));
}

// ---- a connection ------------------------------------------------------------------------------------------------------------------

Task<void> Runners::live(std::unique_ptr<Frames> frames, hub::CallerPtr caller) {
  const auto link = std::make_shared<Link>(loop_, std::move(frames), std::move(caller));
  link->router.on_unknown([](std::string_view method) { return acp::unknown_method(method); });
  link->router.on(acp::method::offer, [this, &link = *link](acp::Offer& offer, Context&) -> Task<Result<acp::EmptyReply>> {
    PARLANCE_CO_TRY_DO(hub::UserHub(hub_, link.caller).check(runner_permission(acp::method::offer.method)));
    if (std::exchange(link.was_offered, true))
      co_return fail(Errc::invalid_request, "a runner sends one offer for each connection");
    link.offer = std::move(offer);
    PARLANCE_CO_TRY_DO(co_await accept(link));
    co_return acp::EmptyReply{};
  });
  link->scope.start([](Link& of) -> Task<void> { static_cast<void>(co_await of.control.run()); }(*link));
  link->scope.start(wait_for_offer(*link));
  const Error end = co_await link->shared.run();
  const auto known = runners_.find(link->offer.name);
  if (known == runners_.end() || known->second->link.lock() != link) co_return;
  log(LogLevel::info, "a runner has disconnected", {{"runner", link->offer.name}, {"why", end.message}});
  known->second->link.reset();
  known->second->state = KnownRunner::State::disconnected;
  known->second->since = to_rfc3339(wall_now());
  hub_.runners().disconnected(link->offer.name);
  show(known->second);
}

Task<void> Runners::wait_for_offer(Link& link) {
  co_await sleep_for(loop_, limits::runner_offer_patience);
  if (!link.was_offered) link.shared.close("the runner sent no offer");
}

// Continues after the end of the link: otherwise, a runner that disconnects during a slow write stays connected in the store.
Task<Result<hub::RunnerConnection>> Runners::store_connection(std::weak_ptr<Link> link, std::string name, std::string body,
                                                              std::string user) {
  auto at = co_await hub_.runners().connected(name, std::move(body), std::move(user));
  if (at && link.expired()) hub_.runners().disconnected(name);
  co_return at;
}

// Errors are permanent: temporary failures close the connection, and the runner reconnects.
Task<Result<void>> Runners::accept(Link& link) {
  PARLANCE_CO_TRY_DO(check_offer(link.offer));
  const std::string body = json::to_text(link.offer);
  if (body.size() > limits::runner_offer_bytes)
    co_return fail(Errc::invalid_params, "the offer has " + std::to_string(body.size()) + " bytes; at most " +
                                             std::to_string(limits::runner_offer_bytes));
  auto begun = co_await link.control.call(acp::method::initialize, runner_client(version_));
  if (!begun) co_return fail(std::move(begun).error().in("initialize"));
  if (const auto held = runners_.find(link.offer.name); held != runners_.end() && held->second->user != link.caller->user)
    co_return fail(Errc::denied,
                   "another user has a runner with the name " + link.offer.name + ": give this runner another --name");
  const auto at = co_await run_in(scope_, store_connection(link.weak_from_this(), link.offer.name, body, link.caller->user));
  if (!at && at.error().code == Errc::denied) co_return std::unexpected(at.error());
  if (!at) {
    log(LogLevel::warn, "a runner cannot be registered", {{"runner", link.offer.name}, {"error", at.error().message}});
    link.shared.close("the gateway cannot store the runner's registration");
    co_return fail(at.error());
  }
  const auto known = runner(link.offer.name, at->user);
  if (!known) {
    hub_.runners().disconnected(link.offer.name);
    co_return std::unexpected(known.error());
  }
  Runner& it = **known;
  if (const auto before = it.link.lock(); before && before.get() != &link)
    scope_.start(dismiss(before, "another runner with the name " + it.offer.name + " has connected, as " +
                                     account_of(link.offer) +
                                     ": the newer runner stays connected; give this runner another --name to use both"));
  it.link = link.weak_from_this();
  it.offer = link.offer;
  it.user = at->user;
  it.state = KnownRunner::State::connected;
  it.since = at->since;
  it.connection = link.connection = at->connection;
  log(LogLevel::info, "a runner has connected", {{"runner", it.offer.name}, {"account", account_of(it.offer)}});
  show(*known);
  link.scope.start(tend(link));
  co_return Result<void>{};
}

// The runner reads the reason and disconnects; its conversations end at once.
Task<void> Runners::dismiss(std::weak_ptr<Link> link, std::string why) {
  if (const auto now = link.lock()) {
    now->shared.leave(why);
    static_cast<void>(now->control.notify(acp::method::let_go, {.why = why}));
  }
  co_await sleep_for(loop_, limits::runner_goodbye);
  if (const auto now = link.lock()) now->shared.close(why);
}

// ---- sessions on runners ------------------------------------------------------------------------------------------------------

// An older runner does not support this message: its sessions stay.
Task<void> Runners::tend(Link& link) {
  for (;;) {
    acp::WantedSessions wanted{.sessions = hub_.runners().sessions(link.offer.name)};
    wanted.all = wanted.sessions.size() <= limits::runner_sessions_sent;
    if (!wanted.all) wanted.sessions.resize(limits::runner_sessions_sent);
    const auto reply = co_await link.control.call(acp::method::wanted_sessions, std::move(wanted));
    if (!reply && reply.error().code != Errc::unknown_method)
      log(LogLevel::info, "a runner did not receive the list of its wanted sessions",
          {{"runner", link.offer.name}, {"why", reply.error().message}});
    co_await delete_unused(link);
    co_await sleep_for(loop_, limits::runner_tended);
  }
}

void Runners::delete_unused(const std::string& runner) {
  const auto known = runners_.find(runner);
  const auto link = known == runners_.end() ? nullptr : known->second->link.lock();
  if (link) link->scope.start(delete_unused(*link));
}

// A failed deletion is repeated later: the store keeps the record.
Task<void> Runners::delete_unused(Link& link) {
  link.more_unused = true;
  if (std::exchange(link.deleting, true)) co_return;
  while (std::exchange(link.more_unused, false)) {
    const auto unused = co_await hub_.runners().unused_sessions(link.offer.name);
    if (!unused) break;
    for (const std::string& id : *unused) {
      const auto gone = co_await link.control.call(acp::method::delete_session, {.session_id = id});
      const bool is_known = gone || gone.error().code == Errc::not_found;
      if (!is_known)
        log(LogLevel::warn, "a runner did not delete a session",
            {{"runner", link.offer.name}, {"session", id}, {"why", gone.error().message}});
      if (is_known) static_cast<void>(co_await hub_.runners().forget_unused_session(link.offer.name, id));
      link.more_unused = link.more_unused || (is_known && unused->size() == limits::unused_sessions);
    }
  }
  link.deleting = false;
}

// ---- known runners ------------------------------------------------------------------------------------------------------------

Result<std::shared_ptr<Runners::Runner>> Runners::runner(const std::string& name, const std::string& user) {
  const auto known = runners_.find(name);
  if (known != runners_.end()) return known->second;
  if (names_of(user) >= most_names(user) && !forget_oldest_gone(&user))
    return fail(Errc::overloaded, "$.name: " + std::to_string(most_names(user)) +
                                      " of your runners are connected, the limit for a user: stop a runner, or use its name");
  if (runners_.size() >= limits::runners && !forget_oldest_gone(&user) && !forget_oldest_gone(nullptr))
    return fail(Errc::overloaded,
                "$.name: " + std::to_string(limits::runners) +
                    " runners are connected to this gateway, the limit: try again after another runner has disconnected");
  auto made = runners_.emplace(name, std::make_shared<Runner>()).first->second;
  made->user = user;
  return made;
}

std::size_t Runners::names_of(const std::string& user) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(runners_, [&](const auto& runner) { return runner.second->user == user; }));
}

// Conversations reserve the runner's name for its user: the store refuses the name to other users while conversations exist.
bool Runners::forget_oldest_gone(const std::string* user) {
  auto oldest = runners_.end();
  for (auto entry = runners_.begin(); entry != runners_.end(); ++entry) {
    const Runner& runner = *entry->second;
    if (runner.state != KnownRunner::State::disconnected || (user != nullptr && runner.user != *user)) continue;
    if (oldest == runners_.end() || runner.since < oldest->second->since) oldest = entry;
  }
  if (oldest == runners_.end()) return false;
  log(LogLevel::info, "a disconnected runner makes room for a new runner", {{"runner", oldest->first}});
  for (const auto& [id, agent] : oldest->second->agents) hub_.remove_agent(oldest->first + "/" + id);
  hub_.runners().forget(oldest->first);
  runners_.erase(oldest);
  return true;
}

void Runners::show(const std::shared_ptr<Runner>& runner) {
  for (const acp::OfferedAgent& offered_agent : runner->offer.agents) {
    if (std::ranges::find(runner->agents, offered_agent.id, [](const auto& known) { return known.first; }) !=
        runner->agents.end())
      continue;
    auto made = runner_agent(loop_, hub_, runner, offered_agent, version_);
    runner->agents.emplace_back(offered_agent.id, made.get());
    hub_.add_agent(std::move(made));
  }
  for (const auto& [id, agent] : runner->agents) hub_.agent_changed(agent->info());
}

void Runners::take(const std::vector<hub::RunnerConnection>& runners) {
  for (const hub::RunnerConnection& at : runners) {
    if (at.here) continue;  // own connections are known first-hand
    auto offer = json::from_text<acp::Offer>(at.body);
    if (!offer || !check_offer(*offer)) continue;
    if (!at.connected && !runners_.contains(at.runner) && names_of(at.user) >= most_names(at.user)) continue;
    const auto known = runner(at.runner, at.user);
    if (!known) continue;
    Runner& it = **known;
    if (at.connection < it.connection || (at.connection == it.connection && it.state == KnownRunner::State::connected)) continue;
    it.connection = at.connection;
    if (it.link.lock())
      scope_.start(dismiss(it.link, "the runner " + at.runner + " has connected to another gateway: the newer connection stays"));
    it.link.reset();
    it.offer = *std::move(offer);
    it.user = at.user;
    it.state = at.connected ? KnownRunner::State::connected_elsewhere : KnownRunner::State::disconnected;
    it.since = at.since;
    show(*known);
  }
}

}  // namespace parlance::driver

// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <poll.h>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/pg/address.h"
#include "parlance/pg/pq_library.h"

namespace parlance::pg {
namespace {

int milliseconds_until(TimePoint when) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
}

std::string one_line(const char* text) {
  std::string line(trim(text));
  std::ranges::replace(line, '\n', ' ');
  return line;
}

// An ending server process may have committed before its end.
bool ends_the_connection(const PqLibrary& pq, const PGresult* result) {
  const char* severity = pq.resultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  return severity == nullptr || std::string_view(severity) == "FATAL" || std::string_view(severity) == "PANIC";
}

Failure failure_of(const PqLibrary& pq, const PGresult* result) {
  const char* state = pq.resultErrorField(result, PG_DIAG_SQLSTATE);
  const char* message = pq.resultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  return {.sqlstate = state != nullptr && !ends_the_connection(pq, result) ? state : "",
          .message = one_line(message != nullptr ? message : pq.resultErrorMessage(result))};
}

std::shared_ptr<void> owned(const PqLibrary& pq, PGresult* result) {
  return {result, [&pq](void* one) { pq.clear(static_cast<PGresult*>(one)); }};
}

// Waits for a descriptor or the interrupt, or for one of two descriptors; false: timeout. `interrupted` names other causes.
bool wait_for(int fd, short events, TimePoint until, const Interrupt& interrupt, int also, bool& interrupted) {
  for (;;) {
    std::array<pollfd, 3> watched{{{.fd = fd, .events = events, .revents = 0},
                                   {.fd = interrupt.descriptor(), .events = POLLIN, .revents = 0},
                                   {.fd = also, .events = POLLIN, .revents = 0}}};
    const int ready = ::poll(watched.data(), watched.size(), milliseconds_until(until));
    if (ready < 0 && errno == EINTR) continue;
    interrupted = watched[1].revents != 0;
    return ready > 0;
  }
}

// The server of an address with the last successful connection: an index into its servers.
class LastTaken {
 public:
  std::size_t of(const std::string& address) {
    const std::scoped_lock lock(mutex_);
    const auto known = taken_.find(address);
    return known == taken_.end() ? 0 : known->second;
  }
  void remember(const std::string& address, std::size_t server) {
    const std::scoped_lock lock(mutex_);
    taken_[address] = server;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> taken_;
};
LastTaken& last_taken() {
  static LastTaken last_taken;
  return last_taken;
}

}  // namespace

struct Connection::Raw {
  const PqLibrary& pq;
  PGconn* connection;
  ~Raw() { pq.finish(connection); }
  std::string error() const { return one_line(pq.errorMessage(connection)); }
};

// Defaults come first: the address may override them.
static PGconn* start_connecting(const PqLibrary& pq, const ConnectSettings& settings, const Server& server) {
  const std::string silence = std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(settings.silence).count());
  std::vector<const char*> names{"fallback_application_name", "tcp_user_timeout", "client_encoding", "keepalives_idle",
                                 "target_session_attrs"};
  std::vector<const char*> values{settings.name.c_str(), silence.c_str(), "UTF8", "5", "read-write"};
  for (const auto& [name, value] : server.parameters) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  PGconn* const made = pq.connectStartParams(names.data(), values.data(), 0);
  pq.setErrorVerbosity(made, PQERRORS_VERBOSE);
  return made;
}

// The reason of a failed connection. libpq gives the SQLSTATE only within the text, in its verbose form. The SQLSTATE is kept for
// a reachable server without free connections, or without writes.
static Failure failure_to_connect(std::string text) {
  if (const auto place = text.find(" LOCATION: "); place != std::string::npos) text.erase(place);
  Failure failure;
  constexpr std::string_view before = "FATAL:  ";
  constexpr std::size_t length = 5;
  const auto at = text.find(before);
  if (at != std::string::npos && text.find(": ", at + before.size()) == at + before.size() + length) {
    failure.sqlstate = text.substr(at + before.size(), length);
    text.erase(at + before.size(), length + 2);
  }
  if (text.contains("session is read-only")) failure.sqlstate = "25006";
  if (!failure.sqlstate.starts_with("53") && failure.sqlstate != "25006") failure.sqlstate.clear();
  failure.message = std::move(text);
  return failure;
}

Outcome<std::unique_ptr<Connection::Raw>> Connection::reach(const ConnectSettings& settings, const Server& server,
                                                            TimePoint until, const Interrupt& interrupt) {
  const PqLibrary& pq = *pq_library();
  auto raw = std::unique_ptr<Raw>(new Raw{pq, start_connecting(pq, settings, server)});
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  while (pq.status(raw->connection) != CONNECTION_BAD && state != PGRES_POLLING_OK && state != PGRES_POLLING_FAILED) {
    bool interrupted = false;
    const short events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    if (!wait_for(pq.socket(raw->connection), events, until, interrupt, -1, interrupted))
      return std::unexpected(Failure{.message = "no server answered at " + server.name});
    if (interrupted) return std::unexpected(Failure{.message = "interrupted"});
    state = pq.connectPoll(raw->connection);
  }
  if (state != PGRES_POLLING_OK) return std::unexpected(failure_to_connect(raw->error()));
  pq.setErrorVerbosity(raw->connection, PQERRORS_DEFAULT);
  return raw;
}

// Tries the servers one by one, like libpq for several servers. Unlike libpq, a dead machine does not use up the timeout of the
// next. The server of the last connection comes first: the others may be down for days.
Outcome<std::unique_ptr<Connection>> Connection::open(const ConnectSettings& settings, const Interrupt& interrupt) {
  const auto& library = pq_library();
  if (!library) return std::unexpected(Failure{.message = library.error().message});
  const std::vector<Server> servers = servers_of(settings.address);
  if (servers.empty())
    return std::unexpected(Failure{.message = without_password(settings.address) + " is no address that libpq understands"});
  const std::size_t first = last_taken().of(settings.address) % servers.size();
  Failure all;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const std::size_t at = (first + i) % servers.size();
    const TimePoint until = Clock::now() + settings.patience / static_cast<int>(servers.size());
    auto raw = reach(settings, servers[at], until, interrupt);
    if (raw) {
      last_taken().remember(settings.address, at);
      library->setnonblocking((*raw)->connection, 1);
      auto made = std::unique_ptr<Connection>(new Connection(*std::move(raw), settings, interrupt));
      if (auto ready = made->prepare_session(); !ready) return std::unexpected(std::move(ready).error());
      return made;
    }
    if (interrupt.raised()) return std::unexpected(std::move(raw).error());
    const Failure& failure = raw.error();
    all.sqlstate = i == 0 || all.sqlstate == failure.sqlstate ? failure.sqlstate : "";
    all.message += (all.message.empty() ? "" : "; ") + failure.message;
  }
  return std::unexpected(std::move(all));
}

Connection::Connection(std::unique_ptr<Raw> raw, const ConnectSettings& settings, const Interrupt& interrupt)
    : raw_(std::move(raw)), interrupt_(interrupt), silence_(settings.silence) {
  raw_->pq.setNoticeReceiver(
      raw_->connection,
      [](void* self, const PGresult* notice) {
        auto& connection = *static_cast<Connection*>(self);
        Failure warning = failure_of(connection.raw_->pq, notice);
        if (!warning.sqlstate.starts_with("00")) connection.warnings_.push_back(std::move(warning));
      },
      this);
}

Connection::~Connection() = default;

int Connection::server_version() const { return raw_->pq.serverVersion(raw_->connection); }

// The server releases the locks of a frozen client.
Outcome<void> Connection::prepare_session() {
  const auto idle = std::chrono::duration_cast<std::chrono::milliseconds>(limits::pg_idle_in_transaction).count();
  return run_script("SET idle_in_transaction_session_timeout=" + std::to_string(idle) + "; SET bytea_output='hex'");
}

Failure Connection::lose(std::string why) {
  lost_ = true;
  return {.message = std::move(why)};
}

Outcome<void> Connection::wait(short events, TimePoint until, int also) {
  bool interrupted = false;
  if (!wait_for(raw_->pq.socket(raw_->connection), events, until, interrupt_, also, interrupted))
    return std::unexpected(lose("the server was silent for too long"));
  if (interrupted) return std::unexpected(lose("interrupted"));
  return {};
}

// Sends all output; reads input meanwhile, or both sides would wait for each other.
Outcome<void> Connection::flush(TimePoint& patience) {
  const PqLibrary& pq = raw_->pq;
  for (;;) {
    const int left = pq.flush(raw_->connection);
    if (left < 0) return std::unexpected(lose(raw_->error()));
    if (left == 0) return {};
    if (auto waited = wait(POLLIN | POLLOUT, patience); !waited) return waited;
    patience = silent_until();
    if (pq.consumeInput(raw_->connection) == 0) return std::unexpected(lose(raw_->error()));
  }
}

Outcome<void> Connection::wait_for_result(TimePoint& patience) {
  const PqLibrary& pq = raw_->pq;
  if (auto sent = flush(patience); !sent) return sent;
  while (pq.isBusy(raw_->connection) != 0) {
    if (auto waited = wait(POLLIN, patience); !waited) return waited;
    patience = silent_until();
    if (pq.consumeInput(raw_->connection) == 0) return std::unexpected(lose(raw_->error()));
  }
  return {};
}

Outcome<void> Connection::send(std::span<const Statement> statements) {
  const PqLibrary& pq = raw_->pq;
  if (lost_ || pq.enterPipelineMode(raw_->connection) == 0) return std::unexpected(lose("the connection was lost"));
  for (const Statement& statement : statements) {
    std::vector<const char*> values;
    std::vector<int> lengths;
    std::vector<int> formats;
    for (const Parameter& parameter : statement.parameters) {
      values.push_back(parameter.value ? parameter.value->c_str() : nullptr);
      lengths.push_back(parameter.value ? static_cast<int>(parameter.value->size()) : 0);
      formats.push_back(parameter.binary ? 1 : 0);
    }
    if (pq.sendQueryParams(raw_->connection, statement.sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(),
                           lengths.data(), formats.data(), 0) == 0)
      return std::unexpected(lose(raw_->error()));
  }
  if (pq.pipelineSync(raw_->connection) == 0) return std::unexpected(lose(raw_->error()));
  return {};
}

// Results arrive as: one or more for a statement, then null; at the end the pipeline's result.
Outcome<void> Connection::receive(std::size_t statements, const OnRows& on_rows) {
  const PqLibrary& pq = raw_->pq;
  std::size_t received = 0;
  std::optional<Failure> failure;
  TimePoint patience = silent_until();
  for (std::size_t nulls = 0;;) {
    if (auto there = wait_for_result(patience); !there) return std::unexpected(std::move(there).error());
    PGresult* const result = pq.getResult(raw_->connection);
    if (result == nullptr) {
      // A null follows each statement's results; more nulls mean a broken connection.
      if (++nulls > statements + 1) return std::unexpected(lose(raw_->error()));
      continue;
    }
    const auto held = owned(pq, result);
    const ExecStatusType status = pq.resultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) break;
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) on_rows(received++, Rows(held));
    else if (status == PGRES_FATAL_ERROR && !failure) failure = failure_of(pq, result);
    if (failure && failure->unknown()) return std::unexpected(lose(failure->message));
  }
  pq.exitPipelineMode(raw_->connection);
  if (!failure) return {};
  roll_back();
  return std::unexpected(*std::move(failure));
}

Outcome<void> Connection::run(std::span<const Statement> statements, const OnRows& on_rows) {
  if (auto sent = send(statements); !sent) return sent;
  return receive(statements.size(), on_rows);
}

Outcome<std::vector<Rows>> Connection::run(std::span<const Statement> statements) {
  std::vector<Rows> all;
  auto done = run(statements, [&](std::size_t, Rows rows) { all.push_back(std::move(rows)); });
  if (!done) return std::unexpected(std::move(done).error());
  return all;
}

Outcome<Rows> Connection::run(Statement statement) {
  auto rows = run(std::span(&statement, 1));
  if (!rows) return std::unexpected(std::move(rows).error());
  return std::move(rows->front());
}

void Connection::roll_back() {
  if (raw_->pq.transactionStatus(raw_->connection) == PQTRANS_INERROR) static_cast<void>(run_script("ROLLBACK"));
}

Outcome<void> Connection::run_script(const std::string& sql) {
  const PqLibrary& pq = raw_->pq;
  if (lost_ || pq.sendQuery(raw_->connection, sql.c_str()) == 0) return std::unexpected(lose("the connection was lost"));
  return read_to_end();
}

Outcome<void> Connection::read_to_end() {
  const PqLibrary& pq = raw_->pq;
  std::optional<Failure> failure;
  for (TimePoint patience = silent_until();;) {
    if (auto there = wait_for_result(patience); !there) return there;
    PGresult* const result = pq.getResult(raw_->connection);
    if (result == nullptr) break;
    const auto held = owned(pq, result);
    if (pq.resultStatus(result) == PGRES_FATAL_ERROR && !failure) failure = failure_of(pq, result);
    if (failure && failure->unknown()) return std::unexpected(lose(failure->message));
  }
  if (!failure) return {};
  roll_back();
  return std::unexpected(*std::move(failure));
}

Outcome<std::vector<Notification>> Connection::notifications(TimePoint until, int also) {
  const PqLibrary& pq = raw_->pq;
  std::vector<Notification> all;
  const auto take = [&] {
    while (PGnotify* const notice = pq.notifies(raw_->connection)) {
      all.push_back({.channel = notice->relname, .payload = notice->extra});
      pq.freemem(notice);
    }
  };
  take();
  bool interrupted = false;
  if (!all.empty() || !wait_for(pq.socket(raw_->connection), POLLIN, until, interrupt_, also, interrupted) || interrupted)
    return all;
  if (pq.consumeInput(raw_->connection) == 0) return std::unexpected(lose(raw_->error()));
  take();
  return all;
}

}  // namespace parlance::pg

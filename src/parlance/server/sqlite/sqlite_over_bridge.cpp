// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/sqlite_over_bridge.h"

#include <sys/stat.h>

#include "parlance/base/log.h"
#include "parlance/codec/json/writer.h"
#include "parlance/server/sqlite/convert.h"
#include "parlance/server/sqlite/limits.h"
#include "parlance/server/sqlite/request_log.h"
#include "parlance/server/sqlite/rows.h"

namespace parlance::server {
namespace {

namespace bridge = sqlite_bridge;

constexpr std::string_view mode = "ndjson";  // in the log

}  // namespace

// A connect that is not done yet; commands without a path wait for it.
class SqliteBridge::Connecting {
 public:
  explicit Connecting(Loop& loop) : changed_(loop) {}
  Task<void> over() {
    while (!done_) co_await changed_.wait();
  }
  void finish() {
    done_ = true;
    changed_.notify_all();
  }

 private:
  bool done_ = false;
  Signal changed_;
};

struct SqliteBridge::Call {
  bridge::Request request;
  std::string key{};
  sqlite::Ticket ticket{};
  std::shared_ptr<Connecting> after{};  // came before it
  std::shared_ptr<Connecting> mine{};
  TimePoint began = Clock::now();
  std::string database{};
  std::string_view status = "ok";  // for the log
  const std::string& id() const { return request.id; }
};

SqliteBridge::SqliteBridge(sqlite::Engine& engine, std::unique_ptr<Frames> frames, BridgeSettings settings)
    : engine_(engine),
      frames_(std::move(frames)),
      settings_(std::move(settings)),
      call_done_(engine.loop()),
      scope_(engine.loop()) {}

Task<void> SqliteBridge::run() {
  for (;;) {
    const auto batch = co_await read_frames(*frames_);
    if (!batch && !batch.error().broken) {  // the answers have no reader
      engine_.cancel_all();
      co_return;
    }
    if (const Error* bad = batch ? batch->dropped : &batch.error(); bad != nullptr) {
      bridge::Failure failure{.code = bridge::Code::invalid_request, .error = bad->message};
      failure.details.max_line = limits::sqlite_line_bytes;
      refuse("null", failure);
      log_outcome("null", "", failure.code);
    }
    if (!batch || batch->empty()) break;
    for (const BytesView line : *batch) {
      while (running_ >= limits::sqlite_requests) co_await call_done_.wait();
      while (frames_->congested()) co_await frames_->drained().wait();
      handle(line);
    }
  }
  while (running_ != 0) co_await call_done_.wait();
  frames_->finish();
  while (frames_->queued_bytes() != 0) co_await frames_->drained().wait();
}

void SqliteBridge::handle(BytesView line) {
  if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.find_first_not_of(" \t\r\v\f") == BytesView::npos) return;
  auto request = bridge::decode(line);
  if (!request) {
    refuse(request.error().id, request.error().failure);
    return log_outcome(request.error().id, "", request.error().failure.code);
  }
  const std::string key = request->key();
  if (!key.empty() && calls_.contains(key)) {
    refuse(request->id, "the id is in use by a command that is not answered yet");
    return log_outcome(request->id, request->command, bridge::Code::invalid_request);
  }
  if (answer_at_once(*request)) return;

  auto call = std::make_shared<Call>(Call{.request = *std::move(request), .key = key});
  call->ticket = engine_.ticket();
  call->after = connecting_;
  if (call->request.command == bridge::connect.method) call->mine = connecting_ = std::make_shared<Connecting>(engine_.loop());
  if (!key.empty()) calls_.emplace(key, call);
  ++running_;
  scope_.start(serve(std::move(call)));
}

// These wait for nothing, even while a statement runs.
bool SqliteBridge::answer_at_once(const bridge::Request& request) {
  const std::string& command = request.command;
  std::optional<bridge::Code> failed;
  if (command == bridge::ping.method) answer(request.id, wire::Nothing{});
  else if (command == bridge::cancel.method) failed = cancel(request);
  else if (command == bridge::get_version.method)
    answer(request.id,
           bridge::Version{
               .name = "sqlite-helper", .version = settings_.version, .protocol = {1}, .sqlite = sqlite::library_version()});
  else return false;
  log_outcome(request.id, command, failed);
  return true;
}

void SqliteBridge::log_outcome(std::string_view id, std::string_view command, std::optional<bridge::Code> failed) {
  log_request({.mode = mode, .id = id, .command = command, .status = failed ? wire::name_of(*failed) : "ok"});
}

Task<void> SqliteBridge::serve(std::shared_ptr<Call> call) {
  co_await dispatch(*call);
  if (call->mine) {
    call->mine->finish();
    if (connecting_ == call->mine) connecting_.reset();
  }
  log_request({.mode = mode,
               .id = call->id(),
               .command = call->request.command,
               .database = call->database,
               .status = call->status,
               .took = Clock::now() - call->began});
  if (!call->key.empty()) calls_.erase(call->key);
  --running_;
  call_done_.notify_all();
}

Task<void> SqliteBridge::dispatch(Call& call) {
  const std::string& command = call.request.command;
  if (command == bridge::connect.method) return connect(call);
  if (command == bridge::query.method) return on_database(call, &SqliteBridge::query);
  if (command == bridge::execute.method) return on_database(call, &SqliteBridge::execute);
  if (command == bridge::apply.method) return on_database(call, &SqliteBridge::apply);
  if (command == bridge::undo.method) return on_database(call, &SqliteBridge::undo);
  if (command == bridge::snapshot.method) return on_database(call, &SqliteBridge::snapshot);
  if (command == bridge::tables.method) return on_database(call, &SqliteBridge::tables);
  if (command == bridge::columns.method) return on_database(call, &SqliteBridge::columns);
  if (command == bridge::schema.method) return on_database(call, &SqliteBridge::schema);
  if (command == bridge::close.method) return close(call);
  refuse(call, "unknown command: " + command.substr(0, 64));
  return []() -> Task<void> { co_return; }();
}

// ---- commands ------------------------------------------------------------------------------------------------------------

Task<void> SqliteBridge::connect(Call& call) {
  bridge::Connect payload;
  if (!read(call, payload)) co_return;
  call.database = payload.path;
  if (call.after) co_await call.after->over();
  const auto done = co_await engine_.open(payload.path, {.create = payload.create, .repair = payload.repair}, call.ticket);
  if (!done) co_return refuse(call, to_wire(done.error()));
  if (auto resolved = engine_.resolve(payload.path)) active_ = *std::move(resolved);
  answer(call.id(), true);
}

Task<void> SqliteBridge::query(Call& call, bridge::Query payload) {
  auto limits = page_of(call, payload.limit, payload.offset);
  if (!limits) co_return;
  limits->infinities = payload.nonfinite == bridge::Infinities::tag;
  sqlite::ReadRequest request{.sql = std::move(payload.sql), .limits = *limits};
  if (!read_parameters(call, payload.params, request.parameters)) co_return;
  if (log_enabled(LogLevel::debug)) log(LogLevel::debug, "query", {{"id", call.id()}, {"sql", shown_sql(request.sql)}});
  const auto rows = std::make_shared<RowWriter>(
      RowFormat{.tag_integers = payload.int64 == bridge::Integers::tag, .tag_infinities = limits->infinities});
  const auto page = co_await engine_.query(call.database, std::move(request), rows, call.ticket);
  if (!page) co_return refuse(call, to_wire(page.error()));
  answer_with(call.id(), [&](std::string& out) { rows->write_result(out, *page); });
}

Task<void> SqliteBridge::execute(Call& call, bridge::Execute payload) {
  sqlite::WriteRequest request{.sql = payload.sql, .limits = {.limit = settings_.max_rows, .bytes = settings_.max_bytes}};
  if (!read_parameters(call, payload.params, request.parameters)) co_return;
  if (log_enabled(LogLevel::debug)) log(LogLevel::debug, "execute", {{"id", call.id()}, {"sql", shown_sql(request.sql)}});
  const auto rows = std::make_shared<RowWriter>();
  if (payload.preview) {
    const auto shown = co_await engine_.preview(call.database, std::move(request), rows, call.ticket);
    if (!shown) co_return refuse(call, to_wire(shown.error()));
    bridge::ExecuteResult result{.preview = to_wire(*shown)};
    if (shown->would.result) rows->write_result(result.result.emplace().json, *shown->would.result);
    co_return answer(call.id(), result);
  }
  const auto done = co_await engine_.execute(call.database, std::move(request), rows, call.ticket);
  if (settings_.audit != nullptr) settings_.audit->wrote(call.database, payload.sql, done);
  if (!done) co_return refuse(call, to_wire(done.error()));
  bridge::ExecuteResult result{.changes = done->changes, .last_insert_rowid = done->last_insert_rowid};
  if (done->result) rows->write_result(result.result.emplace().json, *done->result);
  answer(call.id(), result);
}

void SqliteBridge::answer_write(Call& call, std::string_view what, const sqlite::Outcome<sqlite::WriteResult>& done) {
  if (settings_.audit != nullptr) settings_.audit->wrote(call.database, what, done);
  if (!done) return refuse(call, to_wire(done.error()));
  answer(call.id(), bridge::ExecuteResult{.changes = done->changes});
}

Task<void> SqliteBridge::apply(Call& call, bridge::Apply payload) {
  const auto done = co_await engine_.apply(call.database, payload.preview_id, call.ticket);
  answer_write(call, "apply " + payload.preview_id, done);
}

Task<void> SqliteBridge::undo(Call& call, bridge::Undo payload) {
  if (payload.count < 1) co_return refuse(call, "count must be 1 or more");
  const auto done = co_await engine_.undo(call.database, static_cast<std::size_t>(payload.count), call.ticket);
  answer_write(call, "undo " + std::to_string(payload.count), done);
}

Task<void> SqliteBridge::snapshot(Call& call, bridge::Snapshot payload) {
  answer_done(call, co_await engine_.snapshot(call.database, payload.to, call.ticket));
}

Task<void> SqliteBridge::tables(Call& call, bridge::Tables payload) {
  const auto names = co_await engine_.tables(call.database, payload.views, call.ticket);
  if (!names) co_return refuse(call, to_wire(names.error()));
  answer(call.id(), *names);
}

Task<void> SqliteBridge::columns(Call& call, bridge::Columns payload) {
  const auto found = co_await engine_.columns(call.database, payload.table, call.ticket);
  if (!found) co_return refuse(call, to_wire(found.error()));
  answer(call.id(), to_wire(*found));
}

Task<void> SqliteBridge::schema(Call& call, bridge::OfDatabase) {
  const auto found = co_await engine_.schema(call.database, call.ticket);
  if (!found) co_return refuse(call, to_wire(found.error()));
  const auto resolved = engine_.resolve(call.database);
  answer(call.id(), to_wire(resolved ? *resolved : call.database, *found));
}

Task<void> SqliteBridge::close(Call& call) {
  bridge::OfDatabase payload;
  if (!read(call, payload)) co_return;
  if (!payload.path && call.after) co_await call.after->over();
  const std::string database = call.database = payload.path ? *payload.path : active_;
  if (database.empty()) co_return answer(call.id(), true);  // nothing is open
  const auto resolved = engine_.resolve(database);
  if (resolved && *resolved == active_) active_.clear();
  answer_done(call, co_await engine_.close(database, call.ticket));
}

std::optional<bridge::Code> SqliteBridge::cancel(const bridge::Request& request) {
  const auto payload = json::from_text<bridge::Cancel>(request.payload, {.known_utf8 = true});
  if (!payload) {
    refuse(request.id, payload.error().message);
    return bridge::Code::invalid_request;
  }
  const auto found = calls_.find(bridge::key_of(payload->id.json));
  answer(request.id, bridge::Cancelled{.cancelled = found != calls_.end() && engine_.cancel(found->second->ticket)});
  return std::nullopt;
}

// ---- pieces of commands ----------------------------------------------------------------------------------------------------

template <class P>
bool SqliteBridge::read(Call& call, P& payload) {
  if (auto done = json::read(call.request.payload, wire::type_of<P>(), &payload, {.known_utf8 = true}); !done) {
    refuse(call, done.error().message);
    return false;
  }
  if constexpr (requires { payload.timeout_ms; }) return use_timeout(call, payload.timeout_ms);
  return true;
}

template <class P>
Task<void> SqliteBridge::on_database(Call& call, Task<void> (SqliteBridge::*command)(Call&, P)) {
  P payload;
  if (!read(call, payload)) co_return;
  if (!payload.path && call.after) co_await call.after->over();
  call.database = payload.path.value_or(active_);
  if (call.database.empty() && !payload.path) co_return refuse(call, "no database is connected, and \"path\" is missing");
  co_await (this->*command)(call, std::move(payload));
}

bool SqliteBridge::read_parameters(Call& call, const std::optional<wire::Raw>& text, sqlite::Parameters& parameters) {
  if (!text) return true;
  auto read = to_parameters(text->json);
  if (!read) return refuse(call, read.error().message), false;
  parameters = *std::move(read);
  return true;
}

bool SqliteBridge::use_timeout(Call& call, std::optional<std::int64_t> timeout_ms) {
  if (!timeout_ms) return true;
  const auto timeout = to_timeout(*timeout_ms);
  if (!timeout) return refuse(call, timeout.error().message), false;
  call.ticket = engine_.ticket(*timeout);
  return true;
}

std::optional<sqlite::PageLimits> SqliteBridge::page_of(Call& call, std::optional<std::int64_t> limit,
                                                        std::optional<std::int64_t> offset) {
  auto limits = to_page_limits(limit, offset, settings_.max_rows, settings_.max_bytes);
  if (limits) return *std::move(limits);
  refuse(call, limits.error().message);
  return std::nullopt;
}

// ---- answers -----------------------------------------------------------------------------------------------------------------

template <class F>
void SqliteBridge::answer_with(std::string_view id, F write) {
  const Result<void> sent = frames_->compose([&](std::string& out) -> Result<void> {
    bridge::begin_answer(out, id);
    write(out);
    bridge::end_answer(out);
    return {};
  });
  if (!sent) refuse(id, {.code = bridge::Code::internal, .error = sent.error().message});
}

template <class T>
void SqliteBridge::answer(std::string_view id, const T& data) {
  answer_with(id, [&](std::string& out) { json::write(out, wire::type_of<T>(), &data); });
}

void SqliteBridge::answer_done(Call& call, const sqlite::Outcome<>& done) {
  if (!done) return refuse(call, to_wire(done.error()));
  answer(call.id(), true);
}

void SqliteBridge::refuse(std::string_view id, const bridge::Failure& failure) {
  const Result<void> sent = frames_->compose([&](std::string& out) -> Result<void> {
    bridge::encode_error(out, id, failure);
    return {};
  });
  if (!sent) log(LogLevel::error, "an error could not be sent", {{"reason", sent.error().message}});
}

void SqliteBridge::refuse(Call& call, const bridge::Failure& failure) {
  call.status = wire::name_of(failure.code);
  refuse(call.id(), failure);
}

void SqliteBridge::refuse(Call& call, std::string what) {
  refuse(call, bridge::Failure{.code = bridge::Code::invalid_request, .error = std::move(what)});
}

void SqliteBridge::refuse(std::string_view id, std::string what) {
  refuse(id, bridge::Failure{.code = bridge::Code::invalid_request, .error = std::move(what)});
}

}  // namespace parlance::server

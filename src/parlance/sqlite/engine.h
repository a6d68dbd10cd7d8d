// SPDX-License-Identifier: Apache-2.0
// Many databases of a person at once: a worker thread for each, with requests to one database in order. Every request has a
// deadline and can be stopped.
//
// Neither a lock of another program nor a slow SQL function exceeds the deadline. A statement inside a single function call
// cannot be ended. It is abandoned with its worker, its commit will be refused (run.h), and a new worker takes over.
//
// Loop thread only. Sinks are called on the worker's thread and belong to the request until its answer; an abandoned request
// keeps its own reference. The engine must outlive its tasks.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/sqlite/job.h"
#include "parlance/sqlite/limits.h"
#include "parlance/sqlite/schema.h"
#include "parlance/sqlite/session.h"
#include "parlance/sqlite/undo.h"

namespace parlance::sqlite {

struct EngineSettings {
  PathRules paths{};
  ConnectionSettings connections{};
  std::chrono::milliseconds timeout = limits::sqlite_request_time;  // For a request without a deadline; zero: none.
  std::chrono::milliseconds idle = limits::sqlite_idle;
  bool read_only = false;
};

struct OpenRequest {
  bool create = false;  // Creates an empty file if missing.
  bool repair = false;  // Permits a single write, to undo the unfinished write of a dead program.
};

class Engine final : private Timer {
 public:
  static Result<std::unique_ptr<Engine>> make(Loop& loop, EngineSettings settings);
  // Stops everything and waits for the slowest running SQL function.
  ~Engine();

  // Every request needs a ticket. The timeout starts here and includes the time in the queue. The request fails at the deadline,
  // and writes nothing afterwards.
  Ticket ticket(std::optional<std::chrono::milliseconds> timeout = {});
  bool cancel(const Ticket& ticket);  // False: the request is answered, or its commit has begun.

  // Without symbolic links. `path` of the other calls may be either form.
  Outcome<std::string> resolve(std::string_view path) const { return guard_.resolve(path); }

  Task<Outcome<>> open(std::string path, OpenRequest request, Ticket ticket);
  Task<Outcome<Page>> query(std::string path, ReadRequest request, std::shared_ptr<RowSink> sink, Ticket ticket);
  Task<Outcome<WriteResult>> execute(std::string path, WriteRequest request, std::shared_ptr<RowSink> sink, Ticket ticket);
  Task<Outcome<Preview>> preview(std::string path, WriteRequest request, std::shared_ptr<RowSink> sink, Ticket ticket);
  Task<Outcome<WriteResult>> apply(std::string path, std::string preview_id, Ticket ticket);
  Task<Outcome<WriteResult>> undo(std::string path, std::size_t count, Ticket ticket);
  Task<Outcome<>> snapshot(std::string path, std::string to, Ticket ticket);
  Task<Outcome<std::vector<std::string>>> tables(std::string path, bool views, Ticket ticket);
  Task<Outcome<std::vector<TableColumn>>> columns(std::string path, std::string table, Ticket ticket);
  Task<Outcome<Schema>> schema(std::string path, Ticket ticket);
  // After earlier requests. A database that is not open is closed too.
  Task<Outcome<>> close(std::string path, Ticket ticket);

  // Runs any other work on a worker.
  template <class T>
  Task<Outcome<T>> on_worker(std::string path, Ticket ticket, std::move_only_function<Outcome<T>(Session&, Run&)> work);

  std::vector<std::string> open_databases() const;
  bool has_stuck_statements() const { return stuck_ != 0; }
  bool busy() const;  // A request runs or waits, also without its caller.
  bool read_only() const { return settings_.read_only; }
  Loop& loop() const { return loop_; }
  void cancel_all();

 private:
  friend class Job;
  friend class DatabaseWorker;
  Engine(Loop& loop, EngineSettings settings, PathGuard guard);
  // A write of any kind, with the database's history.
  template <class T>
  Task<Outcome<T>> on_writer(std::string path, Ticket ticket,
                             std::move_only_function<Outcome<T>(UndoHistory&, Connection&, Run&)> work);
  Outcome<> enqueue(const std::string& path, const Ticket& job);
  Task<Outcome<>> perform(std::string path, Ticket job);  // Common part of all kinds of results.
  Task<Outcome<>> finished(Ticket job);                   // A failure: the request was abandoned.
  void leave_behind(Job& job);
  void job_ended(Job& job);
  void end_worker(const std::string& path);
  void reap(DatabaseWorker* worker);
  void on_timer() override;  // Closes idle databases.
  Failure stopped(const Job& job) const;

  Loop& loop_;
  EngineSettings settings_;
  PathGuard guard_;
  std::map<std::string, std::shared_ptr<DatabaseWorker>> workers_;
  std::list<std::shared_ptr<DatabaseWorker>> ending_;  // Closing, or inside a function that cannot be ended.
  std::size_t stuck_ = 0;                              // Number of the latter.
  std::list<std::weak_ptr<Job>> jobs_;
  std::map<std::string, std::shared_ptr<UndoHistory>> histories_;
  std::shared_ptr<int> alive_ = std::make_shared<int>();  // Posts of workers may arrive after the engine's end.
};

template <class T>
Task<Outcome<T>> Engine::on_worker(std::string path, Ticket ticket, std::move_only_function<Outcome<T>(Session&, Run&)> work) {
  auto slot = std::make_shared<std::optional<Outcome<T>>>();
  ticket->work_ = [slot, work = std::move(work), &run = ticket->run](Session& session) mutable {
    slot->emplace(work(session, run));
    if (auto confirmed = session.confirm(); **slot && !confirmed) slot->emplace(std::unexpected(std::move(confirmed).error()));
  };
  if (auto done = co_await perform(std::move(path), ticket); !done) co_return std::unexpected(std::move(done).error());
  if (!*slot) co_return std::unexpected(stopped(*ticket));
  if (!**slot && (*slot)->error().fault == Fault::timeout) co_return std::unexpected(stopped(*ticket));
  co_return **std::move(slot);
}

}  // namespace parlance::sqlite

// SPDX-License-Identifier: Apache-2.0
// Databases of a person, many at once: one worker thread for each, requests to one database in the order they came, every request with
// a deadline and a way to stop it.
//
// Neither a lock that another program holds nor a slow SQL function outlasts the deadline. A statement that is inside one function
// call cannot be ended; it is left behind with its worker, its commit will be refused (run.h), and a new worker takes over.
//
// Loop thread only. Sinks are asked on the worker's thread and belong to the request until it is answered; a request that was left
// behind keeps its own reference. The engine outlives the tasks it hands out.
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
  std::chrono::milliseconds timeout = limits::sqlite_request_time;  // of a request that names none; zero: none
  std::chrono::milliseconds idle = limits::sqlite_idle;
  bool read_only = false;
};

struct OpenRequest {
  bool create = false;  // an empty file, if there is none
  bool repair = false;  // may be written to once, to undo what a program left half-done
};

class Engine final : private Timer {
 public:
  static Result<std::unique_ptr<Engine>> make(Loop& loop, EngineSettings settings);
  // Stops everything and waits for it: as long as the slowest SQL function that is at work.
  ~Engine();

  // Every request needs one. Its time counts from here, waiting for its turn included: who asked has given up by then, and a write
  // must not happen behind his back.
  Ticket ticket(std::optional<std::chrono::milliseconds> timeout = {});
  bool cancel(const Ticket& ticket);  // false: it has been answered, or its commit has begun

  // Without symlinks; what the other calls take as `path` may be either.
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
  // After what was asked before. A database that is not open is closed, too.
  Task<Outcome<>> close(std::string path, Ticket ticket);

  // Anything else on a worker.
  template <class T>
  Task<Outcome<T>> on_worker(std::string path, Ticket ticket, std::move_only_function<Outcome<T>(Session&, Run&)> work);

  std::vector<std::string> open_databases() const;
  bool has_stuck_statements() const { return stuck_ != 0; }
  bool busy() const;  // a request is at work or waits for its turn, also one whose caller is gone
  bool read_only() const { return settings_.read_only; }
  Loop& loop() const { return loop_; }
  void cancel_all();

 private:
  friend class Job;
  friend class DatabaseWorker;
  Engine(Loop& loop, EngineSettings settings, PathGuard guard);
  // A write of some kind, with the database's history.
  template <class T>
  Task<Outcome<T>> on_writer(std::string path, Ticket ticket,
                             std::move_only_function<Outcome<T>(UndoHistory&, Connection&, Run&)> work);
  Outcome<> enqueue(const std::string& path, const Ticket& job);
  Task<Outcome<>> perform(std::string path, Ticket job);  // what is the same for all kinds of results
  Task<Outcome<>> finished(Ticket job);                   // a failure: it was left behind
  void leave_behind(Job& job);
  void job_ended(Job& job);
  void end_worker(const std::string& path);
  void reap(DatabaseWorker* worker);
  void on_timer() override;  // closes what is idle
  Failure stopped(const Job& job) const;

  Loop& loop_;
  EngineSettings settings_;
  PathGuard guard_;
  std::map<std::string, std::shared_ptr<DatabaseWorker>> workers_;
  std::list<std::shared_ptr<DatabaseWorker>> ending_;  // closing, or inside a function that cannot be ended
  std::size_t stuck_ = 0;                              // of these, the latter
  std::list<std::weak_ptr<Job>> jobs_;
  std::map<std::string, std::shared_ptr<UndoHistory>> histories_;
  std::shared_ptr<int> alive_ = std::make_shared<int>();  // posts of workers may arrive after the engine's end
};

template <class T>
Task<Outcome<T>> Engine::on_worker(std::string path, Ticket ticket, std::move_only_function<Outcome<T>(Session&, Run&)> work) {
  auto slot = std::make_shared<std::optional<Outcome<T>>>();
  ticket->work = [slot, work = std::move(work), &run = ticket->run](Session& session) mutable {
    slot->emplace(work(session, run));
    if (auto confirmed = session.confirm(); **slot && !confirmed) slot->emplace(std::unexpected(std::move(confirmed).error()));
  };
  if (auto done = co_await perform(std::move(path), ticket); !done) co_return std::unexpected(std::move(done).error());
  if (!*slot) co_return std::unexpected(stopped(*ticket));
  if (!**slot && (*slot)->error().fault == Fault::timeout) co_return std::unexpected(stopped(*ticket));
  co_return **std::move(slot);
}

}  // namespace parlance::sqlite

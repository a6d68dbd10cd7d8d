// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/engine.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <thread>

#include "parlance/base/log.h"
#include "parlance/sqlite/limits.h"

namespace parlance::sqlite {

// The thread of one database. The engine's thread calls; `serve` runs on its own.
class DatabaseWorker : public std::enable_shared_from_this<DatabaseWorker> {
 public:
  DatabaseWorker(Engine& engine, std::string path)
      : engine_(engine), alive_(engine.alive_), loop_(engine.loop_), path_(std::move(path)) {}

  void start() {
    thread_ = std::thread([self = shared_from_this()] { self->serve(); });
    ::pthread_setname_np(thread_.native_handle(), "sqlite");
  }
  void push(std::shared_ptr<Job> job) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(job));
    }
    wake_.notify_one();
  }
  // What waits behind a statement that cannot be ended goes to another worker.
  std::deque<std::shared_ptr<Job>> take_queue() {
    const std::lock_guard lock(mutex_);
    return std::exchange(queue_, {});
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_one();
  }
  void join() { thread_.join(); }

  const std::string& name() const { return path_; }
  std::size_t jobs = 0;  // loop thread: given and not answered
  TimePoint last_used{};
  bool stuck = false;

 private:
  void serve() {
    {
      Session session(engine_.guard_, engine_.settings_.connections, path_);
      while (const auto job = next()) {
        job->started_ = true;
        if (job->run.may_go_on()) {
          try {
            job->work_(session);
          } catch (const std::exception& bug) {
            log(LogLevel::error, "a request ended with an exception", {{"reason", bug.what()}});
            session.close();
          }
          session.request_ended();
        }
        job->work_ = {};
        loop_.post([job] { job->finish(); });
      }
    }
    loop_.post([alive = std::weak_ptr(alive_), engine = &engine_, self = this] {
      if (alive.lock()) engine->reap(self);
    });
  }

  std::shared_ptr<Job> next() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return nullptr;
    auto job = std::move(queue_.front());
    queue_.pop_front();
    return job;
  }

  Engine& engine_;
  std::weak_ptr<int> alive_;
  Loop& loop_;
  const std::string path_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Job>> queue_;  // guarded by mutex_
  bool ending_ = false;                     // guarded by mutex_
  std::thread thread_;
};

// ---- Job -------------------------------------------------------------------------------------------------------------------

void Job::watch() {
  if (waiting_for_grace_ || ended_) return;
  if (run.stopped()) give_grace();
  else if (run.deadline() != never) start(loop_, run.deadline());
}

void Job::give_grace() {
  waiting_for_grace_ = true;
  start(loop_, loop_.now() + limits::sqlite_stuck_grace);
}

bool Job::cancel() {
  if (ended_ || !run.cancel()) return false;
  give_grace();
  return true;
}

void Job::on_timer() {
  if (waiting_for_grace_) return engine_.leave_behind(*this);
  if (run.time_out() || run.stopped()) give_grace();  // else its commit has begun: it will be answered with what it did
}

void Job::finish() {
  stop();
  if (ended_) return;
  ended_ = true;
  engine_.job_ended(*this);
  ended_signal_.notify_all();
}

// ---- Engine ----------------------------------------------------------------------------------------------------------------

Result<std::unique_ptr<Engine>> Engine::make(Loop& loop, EngineSettings settings) {
  PARLANCE_TRY(guard, PathGuard::make(settings.paths));
  return std::unique_ptr<Engine>(new Engine(loop, std::move(settings), std::move(guard)));
}

Engine::Engine(Loop& loop, EngineSettings settings, PathGuard guard)
    : loop_(loop), settings_(std::move(settings)), guard_(std::move(guard)) {
  settings_.connections.leaves_no_files = settings_.read_only;
}

Engine::~Engine() {
  cancel_all();
  while (!workers_.empty()) end_worker(workers_.begin()->first);
  for (const auto& worker : ending_) worker->join();
  // What the workers posted finds its job answered.
  for (const auto& weak : jobs_)
    if (const auto job = weak.lock()) {
      job->stop();
      job->ended_ = true;
    }
}

Ticket Engine::ticket(std::optional<std::chrono::milliseconds> timeout) {
  const auto time = timeout.value_or(settings_.timeout);
  auto made = std::make_shared<Job>(*this, loop_, time, time.count() == 0 ? never : Clock::now() + time);
  std::erase_if(jobs_, [](const auto& job) { return job.expired(); });
  jobs_.push_back(made);
  return made;
}

bool Engine::cancel(const Ticket& ticket) { return ticket->cancel(); }

void Engine::cancel_all() {
  for (const auto& weak : jobs_)
    if (const auto job = weak.lock()) job->cancel();
}

Outcome<> Engine::enqueue(const std::string& path, const Ticket& job) {
  if (stuck_ >= limits::sqlite_stuck_workers)
    return fail(Fault::internal, "too many statements that could not be stopped are still running");
  auto& worker = workers_[path];
  if (!worker) {
    worker = std::make_shared<DatabaseWorker>(*this, path);
    worker->start();
  }
  ++worker->jobs;
  worker->last_used = loop_.now();
  job->worker_ = worker;
  worker->push(job);
  job->watch();
  return {};
}

Task<Outcome<>> Engine::finished(Ticket job) {
  // Whoever waits may be destroyed; nobody then wants the result.
  struct Abandoned {
    Job* job;
    ~Abandoned() {
      if (!job->ended_ && !job->left_behind_) static_cast<void>(job->run.cancel());
    }
  } abandoned{job.get()};
  while (!job->ended_ && !job->left_behind_) co_await job->ended_signal_.wait();
  if (job->left_behind_) co_return std::unexpected(stopped(*job));
  co_return Outcome<>{};
}

Task<Outcome<>> Engine::perform(std::string path, Ticket job) {
  const auto resolved = guard_.resolve(path);
  if (!resolved) co_return std::unexpected(resolved.error());
  if (auto queued = enqueue(*resolved, job); !queued) co_return std::unexpected(std::move(queued).error());
  co_return co_await finished(std::move(job));
}

Failure Engine::stopped(const Job& job) const {
  if (job.run.state() == Run::State::timed_out)
    return {
        .fault = Fault::timeout, .message = "timed out after " + std::to_string(job.timeout.count()) + " ms", .sqlite_code = 9};
  if (job.run.state() == Run::State::cancelled) return {.fault = Fault::cancelled, .message = "cancelled", .sqlite_code = 9};
  return {.fault = Fault::internal, .message = "the request ended without a result"};
}

void Engine::job_ended(Job& job) {
  if (const auto worker = std::exchange(job.worker_, nullptr)) {
    --worker->jobs;
    worker->last_used = loop_.now();
    if (!running()) start(loop_, loop_.now() + settings_.idle);
  }
}

// Its time is over and it still runs, or waits behind one that runs.
void Engine::leave_behind(Job& job) {
  const auto self = job.shared_from_this();
  const auto worker = std::exchange(job.worker_, nullptr);
  if (!worker) return;
  --worker->jobs;
  job.left_behind_ = true;
  if (job.started_) {
    log(LogLevel::warn, "a statement cannot be stopped and is left behind", {{"database", worker->name()}});
    if (const auto found = workers_.find(worker->name()); found != workers_.end() && found->second == worker) {
      workers_.erase(found);
      for (auto& waiting : worker->take_queue()) {
        if (waiting->left_behind_) continue;
        --worker->jobs;
        waiting->worker_ = nullptr;
        if (!enqueue(worker->name(), waiting)) waiting->left_behind_ = true;
      }
      worker->end();
      worker->stuck = true;
      ++stuck_;
      ending_.push_back(worker);
    }
  }
  job.ended_signal_.notify_all();
}

void Engine::end_worker(const std::string& path) {
  const auto found = workers_.find(path);
  if (found == workers_.end()) return;
  found->second->end();
  ending_.push_back(found->second);
  workers_.erase(found);
}

void Engine::reap(DatabaseWorker* ended) {
  const auto found = std::ranges::find_if(ending_, [&](const auto& worker) { return worker.get() == ended; });
  if (found == ending_.end()) return;
  (*found)->join();
  if ((*found)->stuck) --stuck_;
  ending_.erase(found);
}

void Engine::on_timer() {
  std::vector<std::string> idle;
  TimePoint next = never;
  for (const auto& [path, worker] : workers_) {
    if (worker->jobs != 0) continue;  // its end starts the timer again
    if (worker->last_used + settings_.idle <= loop_.now()) idle.push_back(path);
    else next = std::min(next, worker->last_used + settings_.idle);
  }
  for (const std::string& path : idle) end_worker(path);
  if (next != never) start(loop_, next);
}

bool Engine::busy() const {
  return std::ranges::any_of(workers_, [](const auto& entry) { return entry.second->jobs != 0; });
}

std::vector<std::string> Engine::open_databases() const {
  std::vector<std::string> paths;
  for (const auto& [path, worker] : workers_) paths.push_back(path);
  return paths;
}

// ---- requests ----------------------------------------------------------------------------------------------------------------

Task<Outcome<>> Engine::open(std::string path, OpenRequest request, Ticket ticket) {
  if (settings_.read_only && (request.create || request.repair))
    co_return fail(Fault::not_readonly, "databases are opened for reading only");
  co_return co_await on_worker<void>(std::move(path), std::move(ticket), [request](Session& session, Run& run) -> Outcome<> {
    if (request.create) PARLANCE_TRY_DO(session.create(run));
    if (request.repair) PARLANCE_TRY_DO(session.repair(run));
    PARLANCE_TRY_DO(session.reader(run));
    return {};
  });
}

Task<Outcome<Page>> Engine::query(std::string path, ReadRequest request, std::shared_ptr<RowSink> sink, Ticket ticket) {
  return on_worker<Page>(std::move(path), std::move(ticket),
                         [request = std::move(request), sink = std::move(sink)](Session& session, Run& run) -> Outcome<Page> {
                           PARLANCE_TRY(connection, session.reader(run));
                           return read(*connection, run, request, *sink);
                         });
}

template <class T>
Task<Outcome<T>> Engine::on_writer(std::string path, Ticket ticket,
                                   std::move_only_function<Outcome<T>(UndoHistory&, Connection&, Run&)> work) {
  if (settings_.read_only) co_return fail(Fault::not_readonly, "databases are opened for reading only");
  const auto resolved = guard_.resolve(path);
  if (!resolved) co_return std::unexpected(resolved.error());
  auto& history = histories_[*resolved];
  if (!history) history = std::make_shared<UndoHistory>();
  co_return co_await on_worker<T>(*resolved, std::move(ticket),
                                  [history, work = std::move(work)](Session& session, Run& run) mutable -> Outcome<T> {
                                    PARLANCE_TRY(connection, session.writer(run));
                                    return work(*history, *connection, run);
                                  });
}

Task<Outcome<WriteResult>> Engine::execute(std::string path, WriteRequest request, std::shared_ptr<RowSink> sink, Ticket ticket) {
  return on_writer<WriteResult>(
      std::move(path), std::move(ticket),
      [request = std::move(request), sink = std::move(sink)](UndoHistory& history, Connection& connection, Run& run) {
        return history.write(connection, run, request, *sink);
      });
}

Task<Outcome<Preview>> Engine::preview(std::string path, WriteRequest request, std::shared_ptr<RowSink> sink, Ticket ticket) {
  return on_writer<Preview>(
      std::move(path), std::move(ticket),
      [request = std::move(request), sink = std::move(sink)](UndoHistory& history, Connection& connection, Run& run) {
        return history.preview(connection, run, request, *sink);
      });
}

Task<Outcome<WriteResult>> Engine::apply(std::string path, std::string preview_id, Ticket ticket) {
  return on_writer<WriteResult>(std::move(path), std::move(ticket),
                                [id = std::move(preview_id)](UndoHistory& history, Connection& connection, Run& run) {
                                  return history.apply(connection, run, id);
                                });
}

Task<Outcome<WriteResult>> Engine::undo(std::string path, std::size_t count, Ticket ticket) {
  return on_writer<WriteResult>(
      std::move(path), std::move(ticket),
      [count](UndoHistory& history, Connection& connection, Run& run) { return history.undo(connection, run, count); });
}

Task<Outcome<>> Engine::snapshot(std::string path, std::string to, Ticket ticket) {
  if (settings_.read_only) co_return fail(Fault::not_readonly, "databases are opened for reading only");
  co_return co_await on_worker<void>(
      std::move(path), std::move(ticket),
      [this, to = std::move(to)](Session& session, Run& run) -> Outcome<> { return sqlite::snapshot(session, run, guard_, to); });
}

Task<Outcome<std::vector<std::string>>> Engine::tables(std::string path, bool views, Ticket ticket) {
  return on_worker<std::vector<std::string>>(std::move(path), std::move(ticket),
                                             [views](Session& session, Run& run) -> Outcome<std::vector<std::string>> {
                                               PARLANCE_TRY(connection, session.reader(run));
                                               return sqlite::tables(*connection, run, views);
                                             });
}

Task<Outcome<std::vector<TableColumn>>> Engine::columns(std::string path, std::string table, Ticket ticket) {
  return on_worker<std::vector<TableColumn>>(
      std::move(path), std::move(ticket),
      [table = std::move(table)](Session& session, Run& run) -> Outcome<std::vector<TableColumn>> {
        PARLANCE_TRY(connection, session.reader(run));
        return sqlite::columns(*connection, run, table);
      });
}

Task<Outcome<Schema>> Engine::schema(std::string path, Ticket ticket) {
  return on_worker<Schema>(std::move(path), std::move(ticket), [](Session& session, Run& run) -> Outcome<Schema> {
    PARLANCE_TRY(connection, session.reader(run));
    return sqlite::schema(*connection, run);
  });
}

Task<Outcome<>> Engine::close(std::string path, Ticket ticket) {
  const auto resolved = guard_.resolve(path);
  if (!resolved || !workers_.contains(*resolved)) co_return Outcome<>{};
  const Outcome<> done = co_await on_worker<void>(*resolved, std::move(ticket), [](Session& session, Run&) -> Outcome<> {
    session.close();
    return {};
  });
  if (const auto found = workers_.find(*resolved); found != workers_.end() && found->second->jobs == 0) end_worker(*resolved);
  co_return done;
}

}  // namespace parlance::sqlite

// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/loop_asio.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include "parlance/async/loop.h"

namespace parlance {

// ---- Timer -----------------------------------------------------------------------------------------------------------

void Timer::start(Loop& loop, TimePoint when) {
  stop();
  if (when == never) return;
  loop_ = &loop;
  when_ = when;
  loop.add_timer(*this);
}

void Timer::stop() {
  if (loop_ == nullptr) return;
  loop_->remove_timer(*this);
  loop_ = nullptr;
}

// ---- Turn ------------------------------------------------------------------------------------------------------------

Loop::Turn::Turn(Loop& loop) : loop_(loop) {
  if (loop_.turns_++ == 0) loop_.refresh_now();
}

Loop::Turn::Turn(Loop& loop, TimePoint now) : loop_(loop) {
  if (loop_.turns_++ == 0 && loop_.time_ == Time::real) loop_.now_ = now;
}

Loop::Turn::~Turn() {
  if (loop_.turns_ == 1) loop_.drain();
  --loop_.turns_;
}

// ---- Loop ------------------------------------------------------------------------------------------------------------

Loop::Loop(Time time) : implementation_(std::make_unique<Implementation>()), now_(Clock::now()), time_(time) {}

Loop::~Loop() {
  for (Timer* timer : timers_) timer->loop_ = nullptr;
}

void Loop::refresh_now() {
  if (time_ == Time::real) now_ = Clock::now();
}

void Loop::drain() {
  for (;;) {
    while (Ready* ready = ready_.pop_front()) {
      if (step_watch_ != nullptr) step_watch_->on_step();
      ready->on_ready();
    }
    TurnEnd* hook = turn_ends_.pop_front();
    if (hook == nullptr) break;
    if (step_watch_ != nullptr) step_watch_->on_step();
    hook->on_turn_end();
  }
  arm();
}

// While a loop waits for an event, its streams may poll once more.
class Loop::Waiting {
 public:
  explicit Waiting(Loop& loop) : loop_(loop), guard_(boost::asio::make_work_guard(loop.implementation_->io)) {
    loop_.implementation_->io.restart();
    loop_.running_ = loop_.time_ == Time::real;
    if (loop_.busy_poll_ && loop_.running_) loop_.busy_poll_->enable();
    Turn turn(loop_);
  }
  ~Waiting() {
    loop_.running_ = false;
    if (loop_.busy_poll_) loop_.busy_poll_->disable();
  }

 private:
  Loop& loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
};

// Runs a turn, or several.
void Loop::wait_for_something() {
  boost::asio::io_context& io = implementation_->io;
  if (!busy_poll_ || !busy_poll_->has_input()) io.run_one();
  else busy_poll_->turn(now_, implementation_->posted, [&io] { return io.poll_one() != 0; });
}

BusyPoll& Loop::busy_poll() {
  if (!busy_poll_) {
    busy_poll_ = std::make_unique<BusyPoll>();
    if (running_) busy_poll_->enable();
  }
  return *busy_poll_;
}

void Loop::post(std::move_only_function<void()> work) {
  boost::asio::post(implementation_->io, [this, work = std::move(work)]() mutable {
    Turn turn(*this);
    work();
  });
  implementation_->posted.store(true, std::memory_order_relaxed);
}

void Loop::run() {
  const Waiting waiting(*this);
  // Asio forgets a stop() from before its restart(), and a late stop() may hit the next run: the flag alone decides.
  while (!implementation_->to_stop.exchange(false)) {
    wait_for_something();
    if (implementation_->io.stopped()) implementation_->io.restart();
  }
}

void Loop::stop() {
  implementation_->to_stop = true;  // set first: the next line wakes a reader of this flag
  implementation_->io.stop();
}

bool Loop::run_ready() {
  bool anything = !ready_.empty() || !turn_ends_.empty();
  { Turn turn(*this); }
  implementation_->io.restart();
  while (implementation_->io.poll_one() != 0) anything = true;
  return anything;
}

void Loop::run_until_set(const bool& done) {
  const Waiting waiting(*this);
  while (!done) {
    if (time_ == Time::virtual_) {
      if (implementation_->io.poll_one() != 0) continue;
      PARLANCE_CHECK(!timers_.empty(), "a timer or a ready task: without either, the task waits endlessly");
      advance(timers_.front()->when_ - now_);
    } else {
      wait_for_something();
      if (implementation_->io.stopped()) implementation_->io.restart();  // stop() is for run(), which sees the flag later
    }
  }
}

void Loop::run_for(Duration time) {
  const auto guard = boost::asio::make_work_guard(implementation_->io);
  implementation_->io.restart();
  { Turn turn(*this); }
  implementation_->io.run_for(time);
}

bool Loop::run_until(const std::function<bool()>& holds, Duration limit) {
  const TimePoint end = Clock::now() + limit;
  const auto guard = boost::asio::make_work_guard(implementation_->io);
  implementation_->io.restart();
  { Turn turn(*this); }
  for (; !holds(); implementation_->io.run_one_until(end))
    if (Clock::now() >= end) return false;
  return true;
}

void Loop::advance(Duration time) {
  PARLANCE_CHECK(time_ == Time::virtual_, "a loop with virtual time");
  const TimePoint target = now_ + time;
  run_ready();
  while (!timers_.empty() && timers_.front()->when_ <= target) {
    now_ = std::max(now_, timers_.front()->when_);
    {
      Turn turn(*this);
      fire_due_timers();
    }
    run_ready();
  }
  now_ = target;
  run_ready();
}

// ---- timers ----------------------------------------------------------------------------------------------------------

void Loop::fire_due_timers() {
  while (!timers_.empty() && timers_.front()->when_ <= now_) {
    Timer& timer = *timers_.front();
    timer.stop();
    timer.on_timer();
  }
}

void Loop::add_timer(Timer& timer) {
  timer.index_ = timers_.size();
  timers_.push_back(&timer);
  sift(timer.index_);
  if (turns_ == 0) arm();
}

void Loop::remove_timer(Timer& timer) {
  const std::size_t hole = timer.index_;
  Timer* last = timers_.back();
  timers_.pop_back();
  if (last == &timer) return;
  timers_[hole] = last;
  last->index_ = hole;
  sift(hole);
}

void Loop::sift(std::size_t index) {
  const auto swap_with = [&](std::size_t other) {
    std::swap(timers_[index], timers_[other]);
    timers_[index]->index_ = index;
    timers_[other]->index_ = other;
    index = other;
  };
  while (index > 0 && timers_[index]->when_ < timers_[(index - 1) / 2]->when_) swap_with((index - 1) / 2);
  for (;;) {
    std::size_t least = index;
    for (std::size_t child = index * 2 + 1; child <= index * 2 + 2; ++child)
      if (child < timers_.size() && timers_[child]->when_ < timers_[least]->when_) least = child;
    if (least == index) return;
    swap_with(least);
  }
}

// The system's timer only moves to an earlier time: most deadlines never expire, and an early wake-up costs less than a system
// call for each deadline.
void Loop::arm() {
  if (time_ == Time::virtual_ || timers_.empty() || timers_.front()->when_ >= armed_) return;
  armed_ = timers_.front()->when_;
  implementation_->timer.expires_at(armed_);
  implementation_->timer.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    armed_ = never;
    Turn turn(*this);
    fire_due_timers();
  });
}

}  // namespace parlance

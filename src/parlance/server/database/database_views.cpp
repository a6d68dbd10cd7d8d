// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/database/database_views.h"

#include <optional>
#include <sys/stat.h>
#include <tuple>

#include "parlance/async/channel.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/typed.h"
#include "parlance/gateway/http_errors.h"
#include "parlance/process/child_process.h"
#include "parlance/server/database/database_request.h"
#include "parlance/server/database/databases.h"
#include "parlance/server/database/limits.h"
#include "parlance/server/database/messages.h"
#include "parlance/transport/framed_stream.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;

constexpr std::uint16_t close_refused = 4404;
constexpr std::uint16_t close_ended = 4500;
constexpr std::string_view page_subprotocol = "parlance.v1";

void send_event(Frames& page, const DatabaseEvent& event) { static_cast<void>(page.send(json::to_text(event))); }

// The identity and the visible state of the file and its write-ahead log.
using Look = std::tuple<ino_t, off_t, std::int64_t, ino_t, off_t, std::int64_t>;
Look look_at(const std::string& path) {
  struct stat file{};
  struct stat log{};
  static_cast<void>(::stat(path.c_str(), &file));
  static_cast<void>(::stat((path + "-wal").c_str(), &log));
  const auto changed = [](const struct stat& status) {
    return std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  };
  return {file.st_ino, file.st_size, changed(file), log.st_ino, log.st_size, changed(log)};
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

class Counted {
 public:
  explicit Counted(std::size_t& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::size_t& count_;
};

}  // namespace

// A connection and its helper, until either ends.
class DatabaseViews::View {
 public:
  View(Loop& loop, Worker& worker, WebSocketFrames& page, std::unique_ptr<ChildProcess> helper, std::string named,
       std::string path)
      : loop_(loop),
        worker_(worker),
        page_(page),
        helper_(std::move(helper)),
        lines_(framed_stream(loop, helper_->take_stream(), line_framing(), {.stall = 0ms})),
        named_(std::move(named)),
        path_(std::move(path)),
        over_(loop),
        parts_(loop) {}

  Task<void> run() {
    send_event(page_, {.event = "opened", .path = path_});
    parts_.start(pass_requests());
    parts_.start(pass_answers());
    parts_.start(watch_file());
    while (!page_left_ && !helper_ended_) co_await over_.wait();
    parts_.cancel();
    if (!page_left_) {
      const Error why = co_await helper_->why_it_ended();
      send_event(page_, {.event = "ended", .error = why.message});
      page_.close_with(close_ended, "sqlite-helper ended");
    }
    lines_.reset();  // closes its stdin, so that the helper ends normally
    static_cast<void>(co_await helper_->stop());
  }

 private:
  Task<void> pass_requests() {
    for (;;) {
      const FramesRead batch = co_await read_frames(page_);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) {
        if (const auto checked = check_database_request(frame, named_); !checked) {
          static_cast<void>(page_.send(refused_request(frame, checked.error())));
          continue;
        }
        static_cast<void>(lines_->send(frame));
      }
      while (lines_->congested()) co_await lines_->drained().wait();
    }
    page_left_ = true;
    over_.notify_all();
  }

  Task<void> pass_answers() {
    for (;;) {
      const FramesRead batch = co_await read_frames(*lines_);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) static_cast<void>(page_.send(frame));
      while (page_.congested()) co_await page_.drained().wait();
    }
    helper_ended_ = true;
    over_.notify_all();
  }

  Task<void> watch_file() {
    std::optional<Look> before;
    for (;; co_await sleep_for(loop_, limits::database_glance)) {
      const Look now = co_await worker_.run([path = path_] { return look_at(path); });
      if (before && *before != now) send_event(page_, {.event = "changed"});
      before = now;
    }
  }

  Loop& loop_;
  Worker& worker_;
  WebSocketFrames& page_;
  std::unique_ptr<ChildProcess> helper_;
  std::unique_ptr<Frames> lines_;
  std::string named_;  // path in the person's form, also used in requests of the page
  std::string path_;
  bool page_left_ = false;
  bool helper_ended_ = false;
  Signal over_;
  Scope parts_;
};

DatabaseViews::DatabaseViews(Loop& loop, DatabaseViewsSettings settings)
    : loop_(loop), settings_(std::move(settings)), worker_(loop, "databases"), scope_(loop) {}

DatabaseViews::~DatabaseViews() = default;

Task<void> DatabaseViews::list(HttpExchange& exchange, std::vector<std::string> folders) {
  const auto offered =
      co_await worker_.run([named = settings_.named, folders = std::move(folders)] { return offered_databases(named, folders); });
  OfferedList list;
  for (const OfferedDatabase& offered_database : offered)
    list.databases.push_back({.path = offered_database.path, .bytes = offered_database.bytes, .named = offered_database.named});
  co_await exchange.respond(gateway::json_reply(json::to_text(list)));
}

Task<void> DatabaseViews::open(HttpExchange& exchange, OwnFolder own) {
  const std::string* path = exchange.request().query.find("path");
  const std::string* edit = exchange.request().query.find("edit");
  std::string asked = path != nullptr ? std::string(trim(to_valid_utf8(*path))) : "";
  const bool wants_edit = edit != nullptr && *edit == "1";
  auto page = co_await exchange.upgrade(page_subprotocol);
  if (page) scope_.start(serve(*std::move(page), std::move(asked), wants_edit, own));
}

// A browser hides the reason of a refused handshake from its page. Therefore the gateway accepts the connection and closes it
// with the reason.
Task<void> DatabaseViews::serve(std::unique_ptr<WebSocketFrames> page, std::string asked, bool edit, OwnFolder own) {
  const auto refuse = [&page](const Error& why) {
    send_event(*page, {.event = "refused", .error = why.message});
    page->close_with(close_refused, "refused");
  };
  if (views_ >= limits::database_views)
    co_return refuse(
        {.code = Errc::overloaded,
         .message = std::to_string(limits::database_views) + " databases are open already; close a page that shows one"});
  const Counted counted(views_);
  const auto path = co_await worker_.run(
      [asked, edit, own, folder = settings_.own_folder] { return judged_database(asked, edit, own, folder); });
  if (!path) co_return refuse(path.error());
  std::vector<std::string> command = settings_.helper;
  command.insert(command.end(), {"--log-level", "warn", "--allowed-dir", folder_of(*path)});
  if (!edit) command.emplace_back("--read-only");
  auto helper = ChildProcess::start(
      loop_, {.command = std::move(command), .eof_grace = limits::database_eof_grace, .term_grace = limits::database_term_grace});
  if (!helper) co_return refuse(helper.error().in("sqlite-helper"));
  View view(loop_, worker_, *page, *std::move(helper), asked, *path);
  co_await view.run();
}

}  // namespace parlance::server

// SPDX-License-Identifier: Apache-2.0
// Databases for pages over real sockets: behind the real sqlite-helper, and behind misbehaving programs.
#include "parlance/server/database/database_views.h"

#include <filesystem>
#include <signal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/server/database/databases.h"
#include "parlance/server/database/limits.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/websocket_client.h"
#include "tests/support/programs.h"

namespace parlance::server {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct DatabaseViewsTest : test::ProgramTest {
  DatabaseViewsTest() { std::filesystem::create_directory(path("own")); }

  static std::string helper_program() { return std::string(PARLANCE_BINARY_DIR) + "/bin/sqlite-helper"; }

  void begin(std::vector<std::string> helper = {helper_program()}) {
    views.emplace(loop, DatabaseViewsSettings{
                            .helper = std::move(helper), .named = {path("shop.db"), path("gone.db")}, .own_folder = path("own")});
    auto listening = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& exchange) {
      return exchange.request().path == "/sqlite" ? views->open(exchange, own) : views->list(exchange, {folder()});
    });
    ASSERT_TRUE(listening) << listening.error().message;
    server = *std::move(listening);
  }
  // A database, made by the helper itself.
  void make(const std::string& name, const std::string& sql = "CREATE TABLE t(a); INSERT INTO t VALUES(1),(2)") {
    const std::string made = R"({"id":1,"cmd":"connect","payload":{"path":")" + path(name) + R"(","create":true}})";
    const std::string filled = R"({"id":2,"cmd":"execute","payload":{"path":")" + path(name) + R"(","sql":")" + sql + R"("}})";
    EXPECT_THAT(run({helper_program(), "--log-level", "error"}, made + "\n" + filled + "\n").out,
                HasSubstr(R"("id":2,"status":"ok")"));
  }
  std::unique_ptr<WebSocketFrames> open(const std::string& named, bool edit = false) {
    auto socket =
        loop.block_on(connect_websocket(loop, {.url = "ws://127.0.0.1:" + std::to_string(server->port()) +
                                                      "/sqlite?path=" + percent_encode(named) + (edit ? "&edit=1" : "")}));
    EXPECT_TRUE(socket) << socket.error().message;
    return *std::move(socket);
  }
  // The next message except changes; "" at the end.
  std::string next(WebSocketFrames& socket) {
    while (arrived.empty()) {
      const auto one_read = [&]() -> Task<Result<bool>> {
        const FramesRead batch = co_await read_frames(socket);
        if (!batch || batch->empty()) co_return false;
        for (const BytesView frame : *batch)
          if (frame.find(R"("event":"changed")") == BytesView::npos) arrived.emplace_back(frame);
          else ++changes;
        co_return true;
      };
      if (!loop.block_on(one_read()).value_or(false)) return "";
    }
    std::string first = arrived.front();
    arrived.erase(arrived.begin());
    return first;
  }
  std::string ask(WebSocketFrames& socket, const std::string& name, const std::string& command, const std::string& more) {
    EXPECT_TRUE(
        socket.send(R"({"v":1,"id":"q","cmd":")" + command + R"(","payload":{"path":")" + path(name) + "\"" + more + "}}"));
    return next(socket);
  }

  std::unique_ptr<HttpServer> server;
  OwnFolder own = OwnFolder::read;
  std::optional<DatabaseViews> views;  // goes first: no connection may outlive its server
  std::vector<std::string> arrived;
  int changes = 0;
};

TEST_F(DatabaseViewsTest, TheHelperAnswersThePagesRequests) {
  make("shop.db");
  begin();
  const auto page = open(path("shop.db"));
  EXPECT_EQ(next(*page), R"({"event":"opened","path":")" + path("shop.db") + "\"}");
  EXPECT_THAT(ask(*page, "shop.db", "query", R"(,"sql":"SELECT sum(a) AS s FROM t")"), HasSubstr(R"("rows":[{"s":3}])"));
  EXPECT_THAT(ask(*page, "other.db", "query", R"(,"sql":"SELECT 1")"),
              AllOf(HasSubstr(R"("id":"q")"), HasSubstr("PATH_NOT_ALLOWED")));
  EXPECT_THAT(ask(*page, "shop.db", "snapshot", R"(,"to":"/tmp/x.db")"), HasSubstr("none of a viewer's commands"));
  EXPECT_EQ(views->open_views(), 1);
}

TEST_F(DatabaseViewsTest, TheViewIsReadOnlyUnlessThePersonWantsToEdit) {
  make("shop.db");
  begin();
  const std::string write = R"(,"sql":"DELETE FROM t")";
  const auto reading = open(path("shop.db"));
  next(*reading);
  EXPECT_THAT(ask(*reading, "shop.db", "execute", write), HasSubstr(R"("status":"error")"));
  const auto editing = open(path("shop.db"), true);
  next(*editing);
  EXPECT_THAT(ask(*editing, "shop.db", "execute", write), HasSubstr(R"("changes":2)"));
}

TEST_F(DatabaseViewsTest, AFailedOpeningIsRefusedWithTheRemedy) {
  make("own/hub.db");
  test::write_file(path("letter.db"), "Dear Ada, this is no database.");
  std::filesystem::create_symlink(path("own/hub.db"), path("link.db"));
  begin();
  const auto refused = [&](const std::string& named, bool edit = false) {
    const auto page = open(named, edit);
    std::string event = next(*page);
    EXPECT_EQ(next(*page), "");
    EXPECT_EQ(page->close_code(), 4404);
    return event;
  };
  EXPECT_THAT(refused("shop.db"), HasSubstr("is not an absolute path; begin the path with /"));
  EXPECT_THAT(refused(""), HasSubstr("not an absolute path"));
  EXPECT_THAT(refused(path("nowhere.db")), HasSubstr("check the path and its permissions"));
  EXPECT_THAT(refused(folder()), HasSubstr("name the database file"));
  EXPECT_THAT(refused(path("letter.db")), HasSubstr("is not an SQLite database, or is encrypted"));
  EXPECT_THAT(refused("/proc/self/mem"), HasSubstr("not a file on a disk"));
  EXPECT_THAT(refused("/dev/null"), HasSubstr("not a file on a disk"));
  EXPECT_THAT(refused(path("own/hub.db"), true), HasSubstr("belongs to parlance and is in use"));
  EXPECT_THAT(refused(path("link.db"), true), HasSubstr("belongs to parlance and is in use"));
  EXPECT_THAT(next(*open(path("own/hub.db"))), HasSubstr("opened")) << "reading it does no harm";
  own = OwnFolder::closed;
  for (const char* name : {"own/hub.db", "link.db"})
    EXPECT_THAT(refused(path(name)), HasSubstr("only the person at its machine may open this database")) << name;
}

TEST_F(DatabaseViewsTest, BytesThatArriveSinglyStillFormMessages) {
  make("shop.db");
  begin(
      {"/bin/sh", "-c",
       R"(while read -r line; do echo "{\"id\":\"q\",\"status\":\"ok\",\"data\":\"é\"}" | od -An -v -to1 -w1 | while read -r byte; do printf "\\$byte"; done; done)"});
  const auto page = open(path("shop.db"));
  next(*page);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(*page, "shop.db", "ping", ""), R"({"id":"q","status":"ok","data":"é"})");
}

TEST_F(DatabaseViewsTest, AHelperEndsWithItsConnectionEvenIfUnresponsive) {
  make("shop.db");
  begin({"/bin/sh", "-c", R"(trap '' TERM; echo "{\"pid\":$$}"; while :; do sleep 0.05; done)"});
  auto page = open(path("shop.db"));
  next(*page);
  const auto pid = static_cast<pid_t>(test::parsed(next(*page)).integer_or("pid", 0));
  ASSERT_EQ(::kill(pid, 0), 0);
  page.reset();
  until([&] { return ::kill(pid, 0) != 0; }, "the helper is gone, and reaped");
  until([&] { return views->open_views() == 0; }, "its place is free");
}

TEST_F(DatabaseViewsTest, ADeadHelperIsReportedWithTheReason) {
  make("shop.db");
  begin({"/bin/sh", "-c", "read -r line; echo 'out of luck' >&2; exit 3"});
  const auto page = open(path("shop.db"));
  next(*page);
  EXPECT_THAT(ask(*page, "shop.db", "ping", ""),
              AllOf(HasSubstr(R"("event":"ended")"), HasSubstr("exited with code 3: out of luck")));
  EXPECT_EQ(next(*page), "");
}

TEST_F(DatabaseViewsTest, AnUnreadPageMakesTheHelperWait) {
  make("shop.db");
  begin({"/bin/sh", "-c",
         "read -r line; yes '{\"id\":\"q\",\"status\":\"ok\",\"data\":\"and so on and so on and so on and so on and so on\"}'"});
  const auto page = open(path("shop.db"));
  next(*page);
  ask(*page, "shop.db", "ping", "");
  loop.run_for(300ms);  // the page does not read; the backlog is bounded, or this test grows by a gigabyte
  EXPECT_EQ(views->open_views(), 1);
  for (int i = 0; i < 10'000; ++i) ASSERT_THAT(next(*page), HasSubstr("and so on"));
}

TEST_F(DatabaseViewsTest, AnotherProgramsWriteIsReported) {
  make("shop.db");
  begin();
  const auto page = open(path("shop.db"));
  next(*page);
  EXPECT_EQ(changes, 0);
  loop.run_for(100ms);  // the first look has happened
  make("shop.db", "INSERT INTO t VALUES(3)");
  loop.run_for(limits::database_glance + 200ms);
  EXPECT_THAT(ask(*page, "shop.db", "query", R"(,"sql":"SELECT count(*) AS n FROM t")"), HasSubstr(R"("n":3)"));
  EXPECT_GE(changes, 1);
}

TEST_F(DatabaseViewsTest, MoreThanAPersonLooksAtAreRefused) {
  make("shop.db");
  begin({"/bin/sh", "-c", "exec cat"});
  std::vector<std::unique_ptr<WebSocketFrames>> pages;
  for (std::size_t i = 0; i < limits::database_views; ++i) pages.push_back(open(path("shop.db")));
  until([&] { return views->open_views() == limits::database_views; }, "all are open");
  EXPECT_THAT(next(*open(path("shop.db"))), HasSubstr("close a page that shows one"));
}

TEST_F(DatabaseViewsTest, TheListHasTheNamedDatabasesAndThoseInFolders) {
  make("shop.db");
  std::filesystem::create_directories(path("a/b/c/d"));
  std::filesystem::create_directories(path("node_modules/x"));
  for (const char* file : {"a/near.sqlite", "a/b/c/d/far.db", "node_modules/x/none.db", "other.txt"}) make(file);
  test::write_file(path("a/letter.db"), "Dear Ada");
  begin();
  HttpClient client(loop);
  const auto answer = loop.block_on(client.fetch({.url = "http://127.0.0.1:" + std::to_string(server->port()) + "/databases"}));
  ASSERT_TRUE(answer) << answer.error().message;
  const json::Value list = test::parsed(answer->body);
  std::vector<std::string> paths;
  for (const json::Value& database : *list.find("databases")->array())
    paths.push_back(std::string(database.text_or("path", "")) + (database.boolean_or("named", false) ? " named" : ""));
  EXPECT_THAT(paths, ElementsAre(path("shop.db") + " named", path("a/near.sqlite")));
}

}  // namespace
}  // namespace parlance::server

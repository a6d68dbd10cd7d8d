// SPDX-License-Identifier: Apache-2.0
#include "tests/postgres/server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "parlance/pg/connection.h"

namespace parlance::test {
namespace {

namespace fs = std::filesystem;

// Debian keeps the programs of each version apart; the newest.
std::string programs_folder() {
  std::vector<std::string> found;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none))
    if (fs::exists(version.path() / "bin/initdb")) found.push_back(version.path() / "bin");
  return found.empty() ? "" : *std::ranges::max_element(found);
}

int free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  socklen_t size = sizeof address;
  static_cast<void>(::bind(fd, reinterpret_cast<sockaddr*>(&address), size));  // after a failure the port is 0
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

// As the package's user where we are root, whom the server refuses. The last word ends it with us.
std::vector<std::string> as_server_user(std::vector<std::string> command) {
  std::vector<std::string> words{"setpriv", "--pdeathsig", "QUIT"};
  if (::geteuid() == 0) words.insert(words.end(), {"--reuid=postgres", "--regid=postgres", "--init-groups"});
  words.emplace_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

pid_t start_program(const std::vector<std::string>& words, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  if (::chdir("/") == 0) ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

int end_of(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string PostgresServer::missing() {
  return programs_folder().empty() ? "no PostgreSQL server here: apt-get install postgresql" : "";
}

PostgresServer::PostgresServer()
    : folder_((fs::temp_directory_path() / "parlance-pg-XXXXXX").string()), programs_(programs_folder()) {
  if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  fs::create_directory(folder_ + "/data");
  if (::geteuid() == 0) {
    fs::permissions(folder_, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
    const std::string give = "chown -R postgres:postgres " + folder_ + "/data";
    if (std::system(give.c_str()) != 0) throw std::runtime_error("no user postgres");
  }
  const int made = end_of(start_program(as_server_user({programs_ + "/initdb", "-D", folder_ + "/data", "-U", "parlance",
                                                        "--auth=trust", "--locale=C.UTF-8", "--encoding=UTF8"}),
                                        folder_ + "/log"));
  if (made != 0) throw std::runtime_error("initdb: " + text_of(folder_ + "/log"));
  start();
}

PostgresServer::~PostgresServer() {
  if (pid_ > 0) {
    ::kill(pid_, SIGQUIT);
    end_of(pid_);
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

// The port may be taken between our look and the server's: then another.
void PostgresServer::start() {
  const pg::Interrupt never_raised;
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (port_ == 0) port_ = free_port();
    pid_ = start_program(as_server_user({programs_ + "/postgres", "-D", folder_ + "/data", "-k", folder_ + "/data", "-p",
                                         std::to_string(port_), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200",
                                         "-c", "shared_buffers=32MB", "-c", "autovacuum=off"}),
                         folder_ + "/log");
    for (;;) {
      if (pg::Connection::open({.address = address("postgres")}, never_raised)) return;
      if (::waitpid(pid_, nullptr, WNOHANG) == pid_) break;
      static_cast<void>(never_raised.wait_ms(20));
    }
    port_ = 0;
  }
  throw std::runtime_error("postgres: " + text_of(folder_ + "/log"));
}

void PostgresServer::stop_immediately() {
  ::kill(pid_, SIGQUIT);
  end_of(pid_);
  pid_ = -1;
}

std::string PostgresServer::address(const std::string& database) const {
  return "postgresql://parlance@127.0.0.1:" + std::to_string(port_) + "/" + database;
}

std::string PostgresServer::new_database() {
  const pg::Interrupt never_raised;
  const std::string name = "test_" + std::to_string(++databases_);
  auto connection = pg::Connection::open({.address = address("postgres"), .silence = std::chrono::minutes(1)}, never_raised);
  // A schema: a database would be a thousand files more, and a second.
  if (!connection || !(*connection)->run({.sql = "CREATE SCHEMA " + name})) throw std::runtime_error("no schema for the test");
  return address("postgres?options=-csearch_path%3D" + name);
}

std::string PostgresServer::new_database_in(const std::string& locale) {
  const pg::Interrupt never_raised;
  const std::string name = "test_" + std::to_string(++databases_);
  auto connection = pg::Connection::open({.address = address("postgres"), .silence = std::chrono::minutes(1)}, never_raised);
  const std::string sql = "CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'UTF8' LOCALE '" + locale + "'";
  if (!connection || !(*connection)->run_script(sql)) throw std::runtime_error("no database for the test");
  return address(name);
}

PostgresServer& postgres() {
  static PostgresServer server;
  return server;
}

}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// A connection to PostgreSQL, blocking, with a limit on every wait. One thread at a time; the address and the interrupt outlive
// this object.
//
// Statements go as one pipeline: all are sent before the first answer is read. So a transaction is a single round trip, and never
// waits for the client between its first statement and its COMMIT.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/pg/address.h"
#include "parlance/pg/failure.h"
#include "parlance/pg/interrupt.h"
#include "parlance/pg/limits.h"
#include "parlance/pg/statement.h"

namespace parlance::pg {

struct ConnectSettings {
  std::string address{};         // address.h
  std::string name{"parlance"};  // application_name, for readers of pg_stat_activity
  Duration patience = limits::pg_connect;
  Duration silence = limits::pg_silence;  // of a server with an open request
};

struct Notification {
  std::string channel{};
  std::string payload{};
};

class Connection {
 public:
  // The first server of the address that accepts writes; each server gets its part of the patience. Failures: no answer, or a
  // refusal (the message names each server's reason).
  static Outcome<std::unique_ptr<Connection>> open(const ConnectSettings& settings, const Interrupt& interrupt);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // In one pipeline: the results, or the reason of the first failure. After BEGIN … COMMIT all statements took effect, or, unless
  // the failure is unknown, none. After an unknown failure the connection is lost.
  Outcome<std::vector<Rows>> run(std::span<const Statement> statements);
  Outcome<Rows> run(Statement statement);
  // The same, with the rows of each statement as soon as they are here, while the server sends the next ones.
  using OnRows = std::function<void(std::size_t statement, Rows rows)>;
  Outcome<void> run(std::span<const Statement> statements, const OnRows& on_rows);
  // Several statements in one text, one transaction by default.
  Outcome<void> run_script(const std::string& sql);

  bool lost() const { return lost_; }
  int server_version() const;  // 150020

  // The notifications of LISTEN. Waits for a notification, `until`, the interrupt or a byte on `also` (-1: none).
  Outcome<std::vector<Notification>> notifications(TimePoint until, int also);

  // Warnings of the server since the last call, with their SQLSTATE: for example about a commit without a standby.
  std::vector<Failure> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  struct Raw;
  static Outcome<std::unique_ptr<Raw>> reach(const ConnectSettings& settings, const Server& server, TimePoint until,
                                             const Interrupt& interrupt);
  Connection(std::unique_ptr<Raw> raw, const ConnectSettings& settings, const Interrupt& interrupt);
  Outcome<void> prepare_session();
  Outcome<void> send(std::span<const Statement> statements);
  Outcome<void> receive(std::size_t statements, const OnRows& on_rows);
  Outcome<void> read_to_end();
  Outcome<void> flush(TimePoint& patience);
  Outcome<void> wait(short events, TimePoint until, int also = -1);
  Outcome<void> wait_for_result(TimePoint& patience);
  void roll_back();
  Failure lose(std::string why);
  TimePoint silent_until() const { return Clock::now() + silence_; }

  std::unique_ptr<Raw> raw_;
  const Interrupt& interrupt_;
  Duration silence_;
  bool lost_ = false;
  std::vector<Failure> warnings_;
};

}  // namespace parlance::pg

// SPDX-License-Identifier: Apache-2.0
// A proxy between a client and a PostgreSQL server with cuts of the connection on request. A cut after a number of messages of a
// reply leaves the request's success open. A cut in a request makes the request fail. Handles a single connection at a time on
// its own thread; any thread may call.
#pragma once

#include <atomic>
#include <string>
#include <thread>

namespace parlance::test {

class CuttingProxy {
 public:
  explicit CuttingProxy(int server_port);
  ~CuttingProxy();
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;

  std::string address(const std::string& database) const;
  // Of the messages from now on so many pass; the next is not passed on, and both sides are closed. Once.
  void cut_reply_after(int messages) { replies_left_ = messages; }
  void cut_request_after(int messages) { requests_left_ = messages; }
  int cuts() const { return cuts_; }

 private:
  void serve();
  void serve_one(int client, int server);

  int server_port_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<int> replies_left_ = -1;  // -1: all
  std::atomic<int> requests_left_ = -1;
  std::atomic<int> cuts_ = 0;
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

}  // namespace parlance::test

// SPDX-License-Identifier: Apache-2.0
// Joins requests: requests that arrive during a call of the embedder share its next call, so that many small requests cost few
// calls. Fair: every waiting request gets its share of the next call, and a request of two thousand texts does not delay a
// request of one. Bounded: see limits::embed_call_… and embed_waiting_bytes. Loop thread only; outlives its calls, and the
// embedder outlives this object.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/memory/embedder.h"
#include "parlance/server/embed/limits.h"

namespace parlance::server {

struct EmbedBatchLimits {
  std::size_t call_texts = limits::embed_call_texts;
  std::size_t call_bytes = limits::embed_call_bytes;
  std::size_t waiting_bytes = limits::embed_waiting_bytes;
};

class EmbedBatcher final : public memory::Embedder {
 public:
  EmbedBatcher(Loop& loop, memory::Embedder& embedder, EmbedBatchLimits limits = {});
  ~EmbedBatcher() override;

  Task<Result<memory::EmbedderInfo>> info() override { return embedder_.info(); }
  // Errors: the embedder's; overloaded if the queue is full. A cancelled request (its client disconnected) is excluded from later
  // calls.
  Task<Result<std::vector<memory::Vector>>> embed(std::vector<std::string> texts) override;

  struct Statistics {
    std::uint64_t requests = 0;
    std::uint64_t texts = 0;
    std::uint64_t calls = 0;  // of the embedder
    std::size_t waiting_bytes = 0;
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Request;
  struct Share;  // a request's texts in a call
  class Place;

  Task<void> work();
  std::vector<Share> next_call();
  Task<void> call(std::vector<Share> shares);
  Task<Result<void>> embed_shares(std::span<const Share> shares);
  void end(Request& request, Result<void> how);

  Loop& loop_;
  memory::Embedder& embedder_;
  EmbedBatchLimits limits_;
  Statistics statistics_;
  std::deque<std::shared_ptr<Request>> queue_;  // requests with unsent texts; the front is served first
  bool working_ = false;
  Scope scope_;
};

}  // namespace parlance::server

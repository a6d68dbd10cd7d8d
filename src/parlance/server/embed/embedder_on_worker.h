// SPDX-License-Identifier: Apache-2.0
// The built-in embedder on a worker thread, so that a large batch does not block the loop. Loop thread; outlives its calls, and
// ends before the loop.
#pragma once

#include "parlance/async/worker.h"
#include "parlance/memory/embedder.h"

namespace parlance::server {

class EmbedderOnWorker final : public memory::Embedder {
 public:
  explicit EmbedderOnWorker(Loop& loop);
  Task<Result<memory::EmbedderInfo>> info() override;
  Task<Result<std::vector<memory::Vector>>> embed(std::vector<std::string> texts) override;

 private:
  Worker worker_;
};

}  // namespace parlance::server

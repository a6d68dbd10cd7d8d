// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/embedder_on_worker.h"

#include <utility>

#include "parlance/memory/builtin_embedder.h"

namespace parlance::server {

EmbedderOnWorker::EmbedderOnWorker(Loop& loop) : worker_(loop, "embed") {}

Task<Result<memory::EmbedderInfo>> EmbedderOnWorker::info() {
  co_return memory::EmbedderInfo{.id = std::string(memory::builtin_embedder_id),
                                 .dimension = memory::builtin_dimension,
                                 .calibration = memory::builtin_calibration()};
}

Task<Result<std::vector<memory::Vector>>> EmbedderOnWorker::embed(std::vector<std::string> texts) {
  co_return co_await worker_.run([texts = std::move(texts)] {
    std::vector<memory::Vector> vectors;
    vectors.reserve(texts.size());
    for (const std::string& text : texts) vectors.push_back(memory::embed_text(text));
    return vectors;
  });
}

}  // namespace parlance::server

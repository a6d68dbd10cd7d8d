// SPDX-License-Identifier: Apache-2.0
// A fake embedder: records its calls, and waits, fails or changes on demand.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/memory/embedder.h"

namespace parlance::server::test {

class FakeEmbedder final : public memory::Embedder {
 public:
  explicit FakeEmbedder(Loop& loop) : opened_(loop) {}

  Task<Result<memory::EmbedderInfo>> info() override {
    if (down) co_return fail(*down);
    co_return memory::EmbedderInfo{.id = id, .dimension = dimension, .calibration = {.knots = {{0.2, 0}, {0.6, 0.7}, {1, 1}}}};
  }
  Task<Result<std::vector<memory::Vector>>> embed(std::vector<std::string> texts) override {
    calls.push_back(texts);
    while (closed) co_await opened_.wait();
    if (down) co_return fail(*down);
    std::vector<memory::Vector> vectors;
    for (const std::string& text : texts) {
      if (refused && refused(text)) co_return fail(Errc::failed, "cannot embed " + text);
      vectors.push_back(vector_of(text, dimension));
    }
    co_return vectors;
  }
  void open() {
    closed = false;
    opened_.notify_all();
  }
  // Different texts point in different directions, and the length is 1.
  static memory::Vector vector_of(const std::string& text, std::size_t dimension) {
    memory::Vector vector(dimension, 0.0F);
    const std::size_t at = std::hash<std::string>{}(text) % (dimension * (dimension - 1));
    const std::size_t first = at / (dimension - 1);
    vector[first] = 0.6F;
    vector[(first + 1 + at % (dimension - 1)) % dimension] = 0.8F;
    return vector;
  }

  std::string id = "fake/8";
  std::size_t dimension = 8;
  bool closed = false;  // calls wait until open()
  std::optional<Error> down{};
  std::function<bool(const std::string&)> refused{};
  std::vector<std::vector<std::string>> calls{};

 private:
  Signal opened_;
};

}  // namespace parlance::server::test

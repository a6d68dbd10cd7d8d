// SPDX-License-Identifier: Apache-2.0
// A test embedder: words are components of the vector, so texts with common words are near. Can fail, reject texts and change its
// name; counts calls.
#pragma once

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parlance/base/text.h"
#include "parlance/memory/embedder.h"

namespace parlance::store {

class WordEmbedder final : public memory::Embedder {
 public:
  explicit WordEmbedder(std::string id = "words/64", std::size_t dimension = 64) : id(std::move(id)), dimension(dimension) {}

  Task<Result<memory::EmbedderInfo>> info() override {
    if (!failure.empty()) co_return fail(Errc::disconnected, failure);
    co_return memory::EmbedderInfo{.id = id, .dimension = dimension};
  }
  Task<Result<std::vector<memory::Vector>>> embed(std::vector<std::string> texts) override {
    ++calls;
    if (!failure.empty()) co_return fail(Errc::disconnected, failure);
    for (const std::string& text : texts)
      if (!rejected.empty() && text.find(rejected) != std::string::npos) co_return fail(Errc::invalid_params, "too long");
    std::vector<memory::Vector> vectors;
    for (const std::string& text : texts) vectors.push_back(vector(text));
    embedded += texts.size();
    co_return vectors;
  }
  memory::Vector vector(const std::string& text) const {
    memory::Vector sum(dimension, 0.0F);
    for (const std::string_view word : split(to_lower(text), ' '))
      if (!word.empty()) sum[std::hash<std::string_view>{}(word) % dimension] += 1.0F;
    float square = 0;
    for (const float x : sum) square += x * x;
    if (square > 0)
      for (float& x : sum) x /= std::sqrt(square);
    return sum;
  }

  std::string id;
  std::size_t dimension;
  std::string failure{};   // "": works
  std::string rejected{};  // rejects texts with this word
  std::size_t calls = 0;
  std::size_t embedded = 0;
};

}  // namespace parlance::store

// SPDX-License-Identifier: Apache-2.0
// Embeds by another service over HTTP: OpenAI's /v1/embeddings, the /embed and /embed-batch of the deployed service (and of
// `parlance embed`), or llama.cpp's /embedding. The service reports the dimension; a change of the dimension or the model changes
// `info`. Texts are sent in small batches, some in parallel, retried with back-off during temporary failures, and cached by their
// hash. A text too long for the model is represented by its beginning. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/memory/embedder.h"
#include "parlance/memory/embedding_cache.h"
#include "parlance/memory/limits.h"
#include "parlance/model/limits.h"
#include "parlance/model/provider/http.h"
#include "parlance/model/settings.h"
#include "parlance/protocol/openai/limits.h"
#include "parlance/server/embed/endpoint.h"
#include "parlance/server/embed/limits.h"

namespace parlance::server {

struct EmbedBackendLimits {
  std::chrono::milliseconds connect = limits::model_connect;
  std::chrono::milliseconds total = limits::embed_total;  // of a call with all its attempts
  int attempts = limits::embed_attempts;
  std::chrono::milliseconds retry_first = limits::embed_retry_first;
  std::chrono::milliseconds retry_most = limits::embed_retry_most;
  std::chrono::milliseconds retry_after_most = limits::embed_retry_after_most;
  std::size_t request_texts = limits::embed_backend_texts;
  std::size_t request_bytes = limits::embed_backend_bytes;
  std::size_t requests = limits::embed_backend_requests;  // at the same time
  std::size_t answer_bytes = limits::embed_answer_bytes;
  std::size_t cache_bytes = limits::embedding_cache_bytes;
};

struct EmbedBackendSettings {
  std::string url{};    // see parse_embed_url
  std::string model{};  // asked for by this name; "": the service's own
  model::ApiKey key{};
  EmbedBackendLimits limits{};
};

// The key for a back end: the given file (mode 0600), PARLANCE_EMBED_API_KEY, and for OpenAI's own host OPENAI_API_KEY; another
// vendor's key is never sent. Local services need none. Errors: as model::find_api_key.
Result<model::ApiKey> find_embed_key(const std::string& url,
                                     const std::function<std::optional<std::string>(std::string_view)>& variable,
                                     const std::string& file);

class EmbedderViaHttp final : public memory::Embedder {
 public:
  // `http`: lazy_http, or a test's client. Errors: invalid_params (the URL).
  static Result<std::unique_ptr<EmbedderViaHttp>> make(Loop& loop, EmbedBackendSettings settings,
                                                       std::unique_ptr<model::Http> http = nullptr);
  ~EmbedderViaHttp() override;

  Task<Result<memory::EmbedderInfo>> info() override;
  // The vectors of a call are all of the same model; after a change of the model during the call, all texts are sent again.
  Task<Result<std::vector<memory::Vector>>> embed(std::vector<std::string> texts) override;

  const std::string& shown_url() const { return endpoint_.shown; }  // without user, password and query
  const memory::EmbeddingCache& cache() const { return cache_; }
  std::uint64_t requests() const { return requests_; }  // sent, including retries

  // For tests: the source of the jitter, in [0, 1).
  void set_random(std::function<double()> random) { random_ = std::move(random); }

 private:
  struct Answer;   // of a request
  struct Fetch;    // the texts of a call without cached vectors, and their vectors
  class Learning;  // one at a time

  EmbedderViaHttp(Loop& loop, EmbedBackendSettings settings, EmbedEndpoint endpoint, std::unique_ptr<model::Http> http);

  Task<Result<std::vector<memory::Vector>>> embed_all(std::vector<std::string> texts);
  Task<Result<void>> learn();
  Task<Result<Answer>> find_target();
  Task<Result<memory::Calibration>> calibration(bool is_ours);
  Task<Result<memory::Calibration>> reported_calibration();
  Task<Result<void>> fetch(Fetch& all);
  Task<void> fetch_some(Fetch& all);
  Task<Result<void>> fetch_range(Fetch& all, std::size_t first, std::size_t count);
  Task<Result<void>> fetch_halves(Fetch& all, std::size_t first, std::size_t count);
  Task<Result<Answer>> fetch_cut(std::string text);
  Task<Answer> ask(const EmbedTarget& target, std::span<const std::string> texts);
  Task<Answer> ask_once(const EmbedTarget& target, std::span<const std::string> texts);
  bool is_known(const Answer& answer) const;
  HttpRequest request_to(std::string url) const;

  Loop& loop_;
  EmbedBackendSettings settings_;
  EmbedEndpoint endpoint_;
  std::unique_ptr<model::Http> http_;
  memory::EmbeddingCache cache_;
  std::function<double()> random_;
  std::optional<EmbedTarget> target_{};
  bool one_by_one_ = false;  // style embed, without /embed-batch
  // The last known state of the service; `info_` lacks its calibration until `learned`.
  memory::EmbedderInfo info_{};
  std::string reported_model_{};
  bool known_ = false;
  bool learning_ = false;
  Signal learned_;
  std::uint64_t requests_ = 0;
};

}  // namespace parlance::server

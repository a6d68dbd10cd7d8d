// SPDX-License-Identifier: Apache-2.0
// What the vendors' APIs share: one POST whose answer streams back, repeated with back-off while nothing has reached the sink,
// bounded in time, and adapted once when a server refuses a parameter that others demand. Loop thread only; outlives its chats.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "parlance/model/provider/endpoint.h"
#include "parlance/model/provider/http.h"
#include "parlance/model/provider/stream_decoder.h"

namespace parlance::model {

class HttpModel : public Model {
 public:
  Task<Result<Completion>> chat(ChatRequest request, ChunkSink& chunks) final;
  std::string_view name() const override { return settings_.name; }

  // For tests: what decides the jitter, in [0, 1).
  void set_random(std::function<double()> random) { random_ = std::move(random); }

 protected:
  HttpModel(Loop& loop, std::unique_ptr<Http> http, ModelSettings settings, Endpoint endpoint);

  virtual std::string body(const ChatRequest& request) = 0;
  virtual std::vector<HttpHeader> headers() const = 0;
  virtual std::unique_ptr<StreamDecoder> decoder(ChunkSink& chunks) = 0;
  // The server refused with this sentence. True: the next body will be different in a way that may help.
  virtual bool adapt(const ChatRequest& request, std::string_view sentence) = 0;
  // Called before the first attempt; may find out what the request lacks. The default does nothing.
  virtual Task<Result<void>> prepare(ChatRequest& request);
  virtual void completed(const Completion&) {}

  const ModelSettings& settings() const { return settings_; }
  const Endpoint& endpoint() const { return endpoint_; }
  Http& http() { return *http_; }
  HttpRequest request_to(std::string url, std::string method) const;

 private:
  struct Attempt;
  Task<Result<Completion>> chat_with_retries(ChatRequest request, ChunkSink& chunks, TimePoint deadline);
  Task<Attempt> attempt(const ChatRequest& request, ChunkSink& chunks);
  Attempt judge_response(const ChatRequest& request, const HttpResponse& response);
  Attempt judge_failure(Error error, const StreamDecoder& decoder) const;

  Loop& loop_;
  std::unique_ptr<Http> http_;
  ModelSettings settings_;
  Endpoint endpoint_;
  std::function<double()> random_;
};

}  // namespace parlance::model

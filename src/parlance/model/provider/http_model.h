// SPDX-License-Identifier: Apache-2.0
// Common part of the vendors' APIs: a POST with a streamed answer and a time limit. Before the first output to the sink,
// failures cause a repetition with back-off. The request adapts once if a server refuses a parameter required elsewhere. Loop
// thread only; must outlive its chats.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "parlance/model/provider/endpoint.h"
#include "parlance/model/provider/http.h"
#include "parlance/model/provider/refused_attachments.h"
#include "parlance/model/provider/stream_decoder.h"

namespace parlance::model {

class HttpModel : public Model {
 public:
  Task<Result<Completion>> chat(ChatRequest request, ChunkSink& chunks) final;
  std::string_view name() const override { return settings_.name; }

  // For tests: the source of jitter, in [0, 1).
  void set_random(std::function<double()> random) { random_ = std::move(random); }

 protected:
  HttpModel(Loop& loop, std::unique_ptr<Http> http, ModelSettings settings, Endpoint endpoint);

  virtual std::string body(const ChatRequest& request) = 0;
  virtual std::unique_ptr<StreamDecoder> decoder(ChunkSink& chunks) = 0;
  // Whether the server refused this attachment before, for this model (ChatRequest::model).
  bool has_refused(const Attachment& attachment, std::string_view model) const {
    return refused_.contains(attachment, model.empty() ? name() : model);
  }
  // The server refused with this sentence. True: the next body will be different in a way that may help.
  virtual bool adapt(const ChatRequest& request, std::string_view sentence) = 0;
  // Called before the first attempt; may look up missing parts of the request. The default has no effect.
  virtual Task<Result<void>> prepare(ChatRequest& request);
  virtual void completed(const Completion&) {}

  const ModelSettings& settings() const { return settings_; }
  const Endpoint& endpoint() const { return endpoint_; }
  Http& http() { return *http_; }
  HttpRequest request_to(std::string url, std::string method) const;

 private:
  struct Attempt;
  Task<Result<Completion>> chat_with_retries(ChatRequest request, ChunkSink& chunks, TimePoint deadline);
  Task<Attempt> attempt(ChatRequest& request, ChunkSink& chunks);
  Attempt judge_response(ChatRequest& request, const HttpResponse& response);
  Attempt judge_failure(Error error, const StreamDecoder& decoder) const;

  Loop& loop_;
  std::unique_ptr<Http> http_;
  ModelSettings settings_;
  Endpoint endpoint_;
  RefusedAttachments refused_;
  std::function<double()> random_;
};

}  // namespace parlance::model

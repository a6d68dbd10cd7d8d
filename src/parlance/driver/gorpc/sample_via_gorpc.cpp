// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/gorpc/sample_via_gorpc.h"

#include <utility>

#include "parlance/async/cancel.h"
#include "parlance/driver/gorpc/chat_call.h"

namespace parlance::driver {
namespace {

constexpr std::size_t token_bytes = 8;  // above the average of every language: for agents without a token limit

// Collects the text, and ends a Chat beyond the requested length.
class Gathering final : public ChatListener {
 public:
  Gathering(CancelSource& stop, std::size_t most_bytes) : stop_(stop), most_bytes_(most_bytes) {}
  void on_text(std::string_view piece) override {
    text_ += piece;
    if (text_.size() > most_bytes_) stop_.cancel();
  }
  void on_thought(std::string_view) override {}
  std::string take() { return std::move(text_); }

 private:
  CancelSource& stop_;
  std::size_t most_bytes_;
  std::string text_;
};

gorpc::ChatArgs arguments_of(hub::SampleRequest request, std::string model) {
  gorpc::ChatArgs args{.model = std::move(model),
                       .think = "off",
                       .bare = true,
                       .alone = true,
                       .max_tokens = static_cast<std::int64_t>(request.max_tokens)};
  if (!request.system.empty()) args.messages.push_back({.role = "system", .content = std::move(request.system)});
  for (hub::SampleRequest::Message& message : request.messages)
    args.messages.push_back({.role = message.by_model ? "assistant" : "user", .content = std::move(message.text)});
  return args;
}

Task<Result<hub::SampleReply>> sample(Loop& loop, AgentLink& link, std::string model, hub::SampleRequest request) {
  const std::size_t most = request.max_tokens == 0 ? SIZE_MAX : static_cast<std::size_t>(request.max_tokens) * token_bytes;
  CancelSource stop(loop);
  Gathering text(stop, most);
  hub::SampleReply answer{.model = model.empty() ? "default" : model};
  auto reply = co_await under(stop, call_chat(link, arguments_of(std::move(request), std::move(model)), text));
  if (!reply && !stop.cancelled()) co_return std::unexpected(std::move(reply).error());
  if (reply && reply->stop == "error")
    co_return fail(Errc::failed, reply->problem.empty() ? "The model gave no answer." : reply->problem);
  answer.text = text.take();
  answer.cut = !reply || reply->stop == "max_tokens";
  co_return answer;
}

}  // namespace

hub::Sampler sample_via_gorpc(Loop& loop, AgentLink& link, std::string model) {
  return [&loop, &link, model = std::move(model)](hub::SampleRequest request) {
    return sample(loop, link, model, std::move(request));
  };
}

}  // namespace parlance::driver

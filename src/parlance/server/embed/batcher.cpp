// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/embed/batcher.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace parlance::server {
namespace {

std::size_t bytes_of(const std::vector<std::string>& texts) {
  return std::accumulate(texts.begin(), texts.end(), std::size_t{0},
                         [](std::size_t sum, const std::string& text) { return sum + text.size(); });
}

// Whether the call may succeed for its requests individually; not if the embedder is unreachable.
bool may_be_one_text(Errc code) {
  return code != Errc::overloaded && code != Errc::disconnected && code != Errc::deadline_exceeded && code != Errc::cancelled &&
         code != Errc::denied;
}

}  // namespace

struct EmbedBatcher::Request {
  Request(Loop& loop, std::vector<std::string> all)
      : texts(std::move(all)), vectors(texts.size()), bytes(bytes_of(texts)), changed(loop) {}
  std::vector<std::string> texts;
  std::vector<memory::Vector> vectors;
  std::size_t bytes;
  std::size_t taken = 0;  // of the texts: in a call, or done
  std::size_t done = 0;
  bool gone = false;  // the caller has gone
  std::optional<Result<void>> outcome{};
  Signal changed;
};

struct EmbedBatcher::Share {
  std::shared_ptr<Request> request;
  std::size_t first = 0;
  std::size_t count = 0;
};

// A request's place in the queue, as long as its caller waits.
class EmbedBatcher::Place {
 public:
  Place(EmbedBatcher& batcher, std::shared_ptr<Request> request) : batcher_(batcher), request_(std::move(request)) {
    batcher_.statistics_.waiting_bytes += request_->bytes;
    batcher_.queue_.push_back(request_);
  }
  ~Place() {
    request_->gone = true;
    batcher_.statistics_.waiting_bytes -= request_->bytes;
    std::erase(batcher_.queue_, request_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  EmbedBatcher& batcher_;
  std::shared_ptr<Request> request_;
};

EmbedBatcher::EmbedBatcher(Loop& loop, memory::Embedder& embedder, EmbedBatchLimits limits)
    : loop_(loop), embedder_(embedder), limits_(limits), scope_(loop) {}

EmbedBatcher::~EmbedBatcher() = default;

Task<Result<std::vector<memory::Vector>>> EmbedBatcher::embed(std::vector<std::string> texts) {
  if (texts.empty()) co_return std::vector<memory::Vector>{};
  const auto request = std::make_shared<Request>(loop_, std::move(texts));
  if (statistics_.waiting_bytes != 0 && statistics_.waiting_bytes + request->bytes > limits_.waiting_bytes)
    co_return fail(Errc::overloaded, "too many texts wait for the embedder");
  ++statistics_.requests;
  statistics_.texts += request->texts.size();
  const Place place(*this, request);
  if (!working_) {
    working_ = true;
    scope_.start(work());
  }
  while (!request->outcome) co_await request->changed.wait();
  if (!*request->outcome) co_return fail(request->outcome->error());
  co_return std::move(request->vectors);
}

Task<void> EmbedBatcher::work() {
  while (!queue_.empty()) co_await call(next_call());
  working_ = false;
}

// In each round, the requests share the rest of the call equally; served requests move behind the others.
std::vector<EmbedBatcher::Share> EmbedBatcher::next_call() {
  std::vector<Share> shares;
  std::size_t texts = 0;
  std::size_t bytes = 0;
  bool full = false;
  while (!full && !queue_.empty() && texts < limits_.call_texts) {
    const std::size_t fair = std::max<std::size_t>(1, (limits_.call_texts - texts) / queue_.size());
    for (std::size_t left = queue_.size(); left != 0 && !full; --left) {
      const std::shared_ptr<Request> request = queue_.front();
      Share share{.request = request, .first = request->taken};
      while (share.count < fair && request->taken < request->texts.size()) {
        const std::size_t size = request->texts[request->taken].size();
        full = texts == limits_.call_texts || (texts != 0 && bytes + size > limits_.call_bytes);
        if (full) break;
        ++request->taken;
        ++share.count;
        ++texts;
        bytes += size;
      }
      if (share.count == 0) break;
      queue_.pop_front();
      if (request->taken < request->texts.size()) queue_.push_back(request);
      shares.push_back(std::move(share));
    }
  }
  return shares;
}

Task<void> EmbedBatcher::call(std::vector<Share> shares) {
  const auto end_all = [this](std::span<const Share> some, const Result<void>& how) {
    for (const Share& share : some) end(*share.request, how);
  };
  const auto all = co_await embed_shares(shares);
  const bool several = std::ranges::any_of(shares, [&](const Share& share) { return share.request != shares.front().request; });
  if (all || !several || !may_be_one_text(all.error().code)) {
    if (!all) end_all(shares, all);
    co_return;
  }
  // A single text is at fault, and the other requests continue.
  for (const Share& share : shares) {
    if (share.request->gone || share.request->outcome) continue;
    if (const auto outcome = co_await embed_shares({&share, 1}); !outcome) end(*share.request, outcome);
  }
}

Task<Result<void>> EmbedBatcher::embed_shares(std::span<const Share> shares) {
  std::vector<std::string> texts;
  for (const Share& share : shares) {
    const auto first = share.request->texts.begin() + static_cast<std::ptrdiff_t>(share.first);
    texts.insert(texts.end(), first, first + static_cast<std::ptrdiff_t>(share.count));
  }
  const std::size_t wanted = texts.size();
  ++statistics_.calls;
  PARLANCE_CO_TRY(vectors, co_await embedder_.embed(std::move(texts)));
  if (vectors.size() != wanted)
    co_return fail(Errc::internal,
                   "the embedder made " + std::to_string(vectors.size()) + " vectors of " + std::to_string(wanted) + " texts");
  std::size_t next = 0;
  for (const Share& share : shares) {
    Request& request = *share.request;
    for (std::size_t i = 0; i < share.count; ++i) request.vectors[share.first + i] = std::move(vectors[next++]);
    request.done += share.count;
    if (request.done == request.texts.size()) end(request, {});
  }
  co_return Result<void>{};
}

void EmbedBatcher::end(Request& request, Result<void> how) {
  if (request.outcome) return;
  request.outcome = std::move(how);
  std::erase_if(queue_, [&](const std::shared_ptr<Request>& waiting) { return waiting.get() == &request; });
  request.changed.notify_all();
}

}  // namespace parlance::server

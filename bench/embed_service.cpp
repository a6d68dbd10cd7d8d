// SPDX-License-Identifier: Apache-2.0
// How many short texts a second does the embedding service embed for its clients over HTTP?
//
//   embed_service single|batch|ours SECONDS      prints the line of measure.h; a call is a text
//
// `single`: 32 clients at once, one text a request to /embed. `batch`: 4 clients at once, 256 texts a request to /embed-batch.
// `ours`: the same texts through our own client, which reads and checks the vectors. Service and clients are in this process, each
// on a thread of its own, and no text comes twice, so no cache helps.
#include <cstdio>
#include <cstdlib>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "measure.h"
#include "parlance/async/scope.h"
#include "parlance/server/embed/embed_over_http.h"
#include "parlance/server/embed/embedder_on_worker.h"
#include "parlance/server/embed/embedder_via_http.h"
#include "parlance/transport/http/http_client.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using bench::give_up;

std::string text_number(std::uint64_t number) {
  return "note " + std::to_string(number) + ": the staging server keeps its nightly backups for a month";
}

// The service on a loop and a thread of its own, until the end.
class ServiceThread {
 public:
  ServiceThread() : thread_([this] { serve(); }) { started_.acquire(); }
  ~ServiceThread() {
    loop_.post([this] { ended_.notify_all(); });
    thread_.join();
  }
  const std::string& url() const { return url_; }

 private:
  void serve() {
    server::EmbedderOnWorker embedder(loop_);
    server::EmbedOverHttp service(loop_, embedder, {.listen = {.host = "127.0.0.1", .port = 0}});
    if (const auto started = service.start(); !started) give_up(started.error().message);
    url_ = service.url();
    const auto until_ended = [this]() -> Task<void> {
      started_.release();
      co_await ended_.wait();
    };
    loop_.block_on(until_ended());
  }
  Loop loop_;
  Signal ended_{loop_};
  std::string url_;
  std::binary_semaphore started_{0};
  std::thread thread_;
};

struct Work {
  Loop& loop;
  bench::Measurement measurement;
  std::uint64_t next = 0;
};

Task<void> post_texts(Work& work, HttpClient& client, std::string url, std::size_t texts) {
  for (TimePoint now = Clock::now(); !work.measurement.over(now); now = Clock::now()) {
    std::string body = texts == 1 ? R"({"text":)" : R"({"texts":[)";
    for (std::size_t i = 0; i < texts; ++i) body += (i == 0 ? "\"" : ",\"") + text_number(work.next++) + '"';
    body += texts == 1 ? "}" : "]}";
    const auto answer = co_await client.fetch({.method = "POST", .url = url, .body = std::move(body)});
    if (!answer || answer->status != 200) give_up(answer ? answer->body : answer.error().message);
    work.measurement.count(Clock::now(), texts);
  }
}

Task<void> embed_texts(Work& work, memory::Embedder& embedder, std::size_t texts) {
  for (TimePoint now = Clock::now(); !work.measurement.over(now); now = Clock::now()) {
    std::vector<std::string> batch;
    for (std::size_t i = 0; i < texts; ++i) batch.push_back(text_number(work.next++));
    const auto vectors = co_await embedder.embed(std::move(batch));
    if (!vectors) give_up(vectors.error().message);
    work.measurement.count(Clock::now(), texts);
  }
}

}  // namespace
}  // namespace parlance

int main(int argc, char** argv) {
  using namespace parlance;
  const std::string what = argc == 3 ? argv[1] : "";
  const double seconds = argc == 3 ? std::atof(argv[2]) : 0;
  if ((what != "single" && what != "batch" && what != "ours") || seconds <= 0) {
    std::fprintf(stderr, "usage: embed_service single|batch|ours SECONDS\n");
    return 2;
  }
  ServiceThread service;
  Loop loop;
  HttpClient client(loop);
  auto ours = server::EmbedderViaHttp::make(loop, {.url = service.url()});
  if (!ours || !loop.block_on((*ours)->info())) give_up("the service does not embed");
  Work work{.loop = loop, .measurement = bench::Measurement(seconds)};
  Scope clients(loop);
  if (what == "single")
    for (int i = 0; i < 32; ++i) clients.start(post_texts(work, client, service.url() + "embed", 1));
  if (what == "batch")
    for (int i = 0; i < 4; ++i) clients.start(post_texts(work, client, service.url() + "embed-batch", 256));
  if (what == "ours") clients.start(embed_texts(work, **ours, 256));
  loop.block_on(clients.join());
  work.measurement.stop();
  work.measurement.print();
  return 0;
}

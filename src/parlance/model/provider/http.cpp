// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/http.h"

namespace parlance::model {
namespace {

class LazyHttp final : public Http {
 public:
  explicit LazyHttp(Loop& loop) : loop_(loop) {}
  Task<Result<HttpResponse>> stream(HttpRequest request, std::function<Result<void>(BytesView)> on_body) override {
    if (!client_) client_ = std::make_unique<HttpClient>(loop_);
    return client_->stream(std::move(request), std::move(on_body));
  }

 private:
  Loop& loop_;
  std::unique_ptr<HttpClient> client_;
};

}  // namespace

std::unique_ptr<Http> lazy_http(Loop& loop) { return std::make_unique<LazyHttp>(loop); }

}  // namespace parlance::model

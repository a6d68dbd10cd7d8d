// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/editor/editor_socket.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "parlance/async/channel.h"
#include "parlance/base/error.h"
#include "parlance/base/secret.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/editor/dialect.h"
#include "parlance/transport/framed_stream.h"
#include "parlance/transport/passing_frames.h"

namespace parlance::face {
namespace fs = std::filesystem;

namespace {

using Over = EditorSocketSettings::Over;

// mkdtemp creates a folder with access for this user only.
Result<std::string> make_folder() {
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  std::error_code none;
  const fs::path below = runtime != nullptr && fs::is_directory(runtime, none) ? fs::path(runtime) : fs::temp_directory_path();
  std::string folder = (below / "parlance-editor-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return std::unexpected(system_error(folder, errno));
  return folder;
}

bool shows(BytesView line, const std::string& token) {
  const auto said = json::parse(line);
  if (!said || said->text_or("jsonrpc", "") != "2.0" || said->text_or("method", "") != "initialize") return false;
  const json::Value* const params = said->find("params");
  return params != nullptr && equal_in_constant_time(params->text_or("token", ""), token);
}

// The peer receives no input before the token.
class TokenFirst final : public PassingFrames<> {
 public:
  TokenFirst(std::unique_ptr<Frames> inner, const std::string& token, OneShot<bool>& known)
      : PassingFrames(std::move(inner)), token_(token), known_(known) {}

 private:
  FramesRead passed_on(FramesRead batch) override {
    if (known_.is_set() || !batch || batch->empty()) return batch;
    if (batch->dropped == nullptr && shows(batch->front(), token_)) {
      known_.set(true);
      return batch;
    }
    return std::unexpected(FramesEnd(
        {.code = Errc::denied, .message = "say initialize first, with the content of PARLANCE_EDITOR_TOKEN", .data = "{"}, true));
  }

  const std::string& token_;
  OneShot<bool>& known_;
};

}  // namespace

EditorSocket::EditorSocket(Loop& loop, const Router& router, EditorSocketSettings settings)
    : loop_(loop), router_(router), settings_(std::move(settings)), token_(make_token()), scope_(loop) {
  if (!settings_.lines) settings_.lines = [] { return line_framing(editor::limits::line_bytes); };
}

EditorSocket::~EditorSocket() {
  scope_.cancel();
  listener_.reset();
  std::error_code none;
  if (!folder_.empty()) fs::remove(folder_, none);
}

Result<std::unique_ptr<EditorSocket>> EditorSocket::listen(Loop& loop, const Router& router, EditorSocketSettings settings) {
  std::unique_ptr<EditorSocket> made(new EditorSocket(loop, router, std::move(settings)));
  PARLANCE_TRY_DO(made->open());
  return made;
}

Result<void> EditorSocket::open() {
  auto taking = [this](std::unique_ptr<ByteStream> stream) { take(std::move(stream)); };
  if (settings_.over == Over::tcp) {
    PARLANCE_TRY(listener, listen_tcp(loop_, {.host = "127.0.0.1"}, std::move(taking)));
    listener_ = std::move(listener);
    return {};
  }
  PARLANCE_TRY(folder, make_folder());
  folder_ = std::move(folder);
  PARLANCE_TRY(listener, listen_unix(loop_, folder_ + "/editor.sock", std::move(taking)));
  listener_ = std::move(listener);
  return {};
}

void EditorSocket::take(std::unique_ptr<ByteStream> stream) {
  if (scope_.running() < settings_.connections) scope_.start(serve(std::move(stream)));
}

Task<void> EditorSocket::serve(std::unique_ptr<ByteStream> stream) {
  OneShot<bool> known(loop_);  // whether the program belongs to this user
  auto frames = framed_stream(loop_, std::move(stream), settings_.lines());
  if (settings_.over == Over::tcp) frames = std::make_unique<TokenFirst>(std::move(frames), token_, known);
  else known.set(true);  // checked by the system
  Peer* ending = nullptr;
  // Plain text is no valid input here.
  Peer peer(loop_, std::move(frames), editor::dialect({.text = [&ending](std::string_view) { ending->close(); }}), router_);
  ending = &peer;
  OneShot<bool> over(loop_);
  Scope reading(loop_);
  reading.start([](Peer& connected, OneShot<bool>& shown, OneShot<bool>& end) -> Task<void> {
    co_await connected.run();
    shown.set(false);
    end.set(true);
  }(peer, known, over));
  const auto answer = [](OneShot<bool>& of) -> Task<Result<bool>> { co_return co_await of.get(); };
  const auto is_known = co_await with_deadline(loop_, loop_.now() + settings_.first_line, answer(known));
  if (!is_known || !*is_known) co_return;
  if (settings_.greet) settings_.greet(peer);
  co_await over.get();
}

}  // namespace parlance::face

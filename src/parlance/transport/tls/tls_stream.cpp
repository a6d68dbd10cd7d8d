// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tls/tls_stream.h"

#include <array>
#include <optional>
#include <vector>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "parlance/transport/tls/authorities.h"

namespace parlance {
namespace {

// Encrypted bytes before a write of the stream below: a few records.
constexpr std::size_t write_piece_bytes = 64 << 10;
// One TLS record and its frame.
constexpr std::size_t cipher_read_bytes = 17 << 10;

using Context = std::unique_ptr<SSL_CTX, decltype(&::SSL_CTX_free)>;
using Session = std::unique_ptr<SSL, decltype(&::SSL_free)>;

std::string openssl_error() {
  const unsigned long code = ::ERR_get_error();
  ::ERR_clear_error();
  const char* reason = code != 0 ? ::ERR_reason_error_string(code) : nullptr;
  return reason != nullptr ? reason : "unknown TLS error";
}

// The TLS engine over the stream. Reading and writing below are each done by a half of their own, since both may be under way.
class TlsStream final : public ByteStream {
 public:
  TlsStream(Loop& loop, std::unique_ptr<ByteStream> below, Session session)
      : below_(std::move(below)), session_(std::move(session)), reader_(*this, loop), writer_(*this, loop) {
    input_ = ::BIO_new(::BIO_s_mem());
    output_ = ::BIO_new(::BIO_s_mem());
    ::SSL_set_bio(session_.get(), input_, output_);  // the session owns both
  }

  Task<Result<void>> handshake(bool server) {
    for (;;) {
      ::ERR_clear_error();
      const int result = server ? ::SSL_accept(session_.get()) : ::SSL_connect(session_.get());
      const int error = ::SSL_get_error(session_.get(), result);
      const std::string why =
          result != 1 && error != SSL_ERROR_WANT_READ ? openssl_error() : "";  // before others use the thread's queue
      if (const Bytes out = take_output(); !out.empty()) {
        const auto written = co_await write_all(*below_, out);
        if (!written && result == 1) co_return fail(written.error());
      }
      if (result == 1) co_return Result<void>{};
      if (error != SSL_ERROR_WANT_READ) {
        const long verified = ::SSL_get_verify_result(session_.get());
        if (!server && verified != X509_V_OK)
          co_return fail(Errc::denied, name() + ": the certificate is not trusted: " + ::X509_verify_cert_error_string(verified));
        co_return fail(Errc::failed, name() + ": " + why);
      }
      Bytes buffer(cipher_read_bytes, '\0');
      const auto count = co_await read_some(*below_, buffer);
      if (!count) co_return fail(count.error());
      if (*count == 0) co_return fail(Errc::disconnected, name() + ": the connection ended within the TLS handshake");
      ::BIO_write(input_, buffer.data(), static_cast<int>(*count));
    }
  }

  void start_read(std::span<char> into, IoDone& done) override { reader_.begin(into, done); }
  std::size_t try_write(BytesView from) override { return writer_.try_write(from); }
  void start_write(BytesView from, IoDone& done) override { writer_.begin(from, done); }
  void close_output() override {
    ::SSL_shutdown(session_.get());
    writer_.end();
  }
  void watch(HangUp* watcher) override { below_->watch(watcher); }
  void close() override {
    if (!std::exchange(closed_, true)) below_->close();
    reader_.closed();
    writer_.closed();
  }
  void give_up(IoDone& done) override {
    reader_.forget(done);
    writer_.forget(done);
    close();
  }
  std::string name() const override { return below_->name(); }

 private:
  Bytes take_output() {
    Bytes out(::BIO_ctrl_pending(output_), '\0');
    if (!out.empty()) ::BIO_read(output_, out.data(), static_cast<int>(out.size()));
    return out;
  }

  class Reader final : private IoDone, private Ready {
   public:
    Reader(TlsStream& stream, Loop& loop) : stream_(stream), loop_(loop) {}
    void begin(std::span<char> into, IoDone& done) {
      into_ = into;
      done_ = &done;
      loop_.wake(*this);  // decrypted bytes may suffice, and must not be reported from inside this call
    }
    void forget(const IoDone& done) {
      if (done_ == &done) done_ = nullptr;
    }
    void closed() {
      if (done_ != nullptr && !reading_) loop_.wake(*this);
    }

   private:
    void on_ready() override { advance(); }
    void on_io(Result<std::size_t> bytes) override {
      reading_ = false;
      if (!bytes) return finish(std::move(bytes));
      if (*bytes == 0) below_ended_ = true;
      else ::BIO_write(stream_.input_, cipher_.data(), static_cast<int>(*bytes));
      cipher_ = {};  // An idle connection keeps none.
      advance();
    }
    void advance() {
      if (done_ == nullptr || reading_) return;
      if (stream_.closed_) return finish(fail(Errc::disconnected, stream_.name() + ": closed"));
      ::ERR_clear_error();
      std::size_t count = 0;
      const int result = ::SSL_read_ex(stream_.session_.get(), into_.data(), into_.size(), &count);
      const int error = ::SSL_get_error(stream_.session_.get(), result);
      stream_.writer_.flush_protocol();  // an answer to a key update, an alert
      if (result == 1) return finish(count);
      if (error == SSL_ERROR_ZERO_RETURN) return finish(std::size_t{0});
      if (error != SSL_ERROR_WANT_READ) return finish(fail(Errc::disconnected, stream_.name() + ": " + openssl_error()));
      if (below_ended_) return finish(fail(Errc::disconnected, stream_.name() + ": the connection was cut off"));
      cipher_.resize(first_read_ ? std::size_t{limits_first_read} : cipher_read_bytes);
      first_read_ = false;
      reading_ = true;
      stream_.below_->start_read(cipher_, *this);
    }
    void finish(Result<std::size_t> result) {
      first_read_ = true;
      if (IoDone* done = std::exchange(done_, nullptr)) done->on_io(std::move(result));
    }

    static constexpr std::size_t limits_first_read = 1 << 10;  // small, because an idle connection keeps this buffer
    TlsStream& stream_;
    Loop& loop_;
    std::span<char> into_;
    IoDone* done_ = nullptr;
    Bytes cipher_;
    bool reading_ = false;
    bool first_read_ = true;
    bool below_ended_ = false;
  };

  class Writer final : private IoDone, private Ready {
   public:
    Writer(TlsStream& stream, Loop& loop) : stream_(stream), loop_(loop) {}
    std::size_t try_write(BytesView from) {
      if (stream_.closed_ || writing_ || failed_ || done_ != nullptr) return 0;
      const std::size_t taken = encrypt(from);
      pump();
      return taken;
    }
    void begin(BytesView from, IoDone& done) {
      rest_ = from;
      wanted_ = from.size();
      done_ = &done;
      loop_.wake(*this);
    }
    void flush_protocol() {
      if (!writing_) pump();
    }
    void end() {
      ending_ = true;
      flush_protocol();
    }
    void forget(const IoDone& done) {
      if (done_ == &done) done_ = nullptr;
    }
    void closed() {
      if (done_ != nullptr && !writing_) loop_.wake(*this);
    }

   private:
    void on_ready() override { advance(); }
    void on_io(Result<std::size_t> bytes) override {
      writing_ = false;
      pending_ = {};
      if (!bytes) failed_ = std::move(bytes).error();
      advance();
    }
    void advance() {
      while (!writing_) {
        if (stream_.closed_ && !failed_) failed_ = Error{.code = Errc::disconnected, .message = stream_.name() + ": closed"};
        if (failed_) {
          if (IoDone* done = std::exchange(done_, nullptr)) done->on_io(std::unexpected(*failed_));
          return;
        }
        if (done_ != nullptr && !rest_.empty()) rest_.remove_prefix(encrypt(rest_));
        else if (::BIO_ctrl_pending(stream_.output_) == 0) break;
        pump();
      }
      if (!writing_ && done_ != nullptr && rest_.empty()) std::exchange(done_, nullptr)->on_io(wanted_);
    }
    std::size_t encrypt(BytesView from) {
      from = from.substr(0, write_piece_bytes);
      std::size_t taken = 0;
      ::ERR_clear_error();
      if (!from.empty() && ::SSL_write_ex(stream_.session_.get(), from.data(), from.size(), &taken) != 1)
        failed_ = Error{.code = Errc::disconnected, .message = stream_.name() + ": " + openssl_error()};
      return taken;
    }
    // Passes encrypted bytes to the stream below.
    void pump() {
      if (writing_ || stream_.closed_ || failed_) return;
      pending_ = stream_.take_output();
      pending_.erase(0, pending_.empty() ? 0 : stream_.below_->try_write(pending_));
      if (!pending_.empty()) {
        writing_ = true;
        stream_.below_->start_write(pending_, *this);
      } else if (ending_) {
        stream_.below_->close_output();
      }
    }

    TlsStream& stream_;
    Loop& loop_;
    BytesView rest_;
    std::size_t wanted_ = 0;
    IoDone* done_ = nullptr;
    Bytes pending_;
    bool writing_ = false;
    bool ending_ = false;
    std::optional<Error> failed_;
  };

  std::unique_ptr<ByteStream> below_;
  Session session_;
  BIO* input_ = nullptr;   // encrypted, from the stream below
  BIO* output_ = nullptr;  // encrypted bytes for the stream below
  bool closed_ = false;
  Reader reader_;
  Writer writer_;

 public:
  // The stream below goes first: its reads and writes in progress look into ours.
  ~TlsStream() override {
    below_->close();
    below_.reset();
  }
};

Task<Result<std::unique_ptr<ByteStream>>> shake_hands(Loop& loop, std::unique_ptr<ByteStream> stream, Session session,
                                                      bool server) {
  auto tls = std::make_unique<TlsStream>(loop, std::move(stream), std::move(session));
  PARLANCE_CO_TRY_DO(co_await tls->handshake(server));
  co_return std::unique_ptr<ByteStream>(std::move(tls));
}

bool is_address(const std::string& host) {
  const std::unique_ptr<ASN1_OCTET_STRING, decltype(&::ASN1_OCTET_STRING_free)> address(::a2i_IPADDRESS(host.c_str()),
                                                                                        &::ASN1_OCTET_STRING_free);
  return address != nullptr;
}

}  // namespace

Task<Result<std::unique_ptr<ByteStream>>> tls_connect(Loop& loop, std::unique_ptr<ByteStream> stream,
                                                      TlsClientSettings settings) {
  if (settings.verify && settings.host.empty())  // OpenSSL takes "" for "any name will do"
    co_return fail(Errc::invalid_params, stream->name() + ": TLS needs the host that the certificate must name: set host");
  const Context context(::SSL_CTX_new(::TLS_client_method()), &::SSL_CTX_free);
  if (!context) co_return fail(Errc::failed, "TLS: " + openssl_error());
  ::SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  ::SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  ::SSL_CTX_set_verify(context.get(), settings.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
  ::SSL_CTX_set_default_verify_paths(context.get());
  // An unreadable bundle fails the handshake later, with the reason "unable to get local issuer certificate".
  if (const std::string bundle = authority_bundle();
      !bundle.empty() && ::SSL_CTX_load_verify_file(context.get(), bundle.c_str()) != 1)
    ::ERR_clear_error();
  if (!settings.ca_file.empty() && ::SSL_CTX_load_verify_file(context.get(), settings.ca_file.c_str()) != 1)
    co_return fail(Errc::failed, "TLS: no certificates in " + settings.ca_file);
  Session session(::SSL_new(context.get()), &::SSL_free);
  if (is_address(settings.host)) {
    ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(session.get()), settings.host.c_str());
  } else {
    ::SSL_set_tlsext_host_name(session.get(), settings.host.c_str());
    ::SSL_set1_host(session.get(), settings.host.c_str());
  }
  co_return co_await shake_hands(loop, std::move(stream), std::move(session), false);
}

Task<Result<std::unique_ptr<ByteStream>>> tls_accept(Loop& loop, std::unique_ptr<ByteStream> stream, TlsServerSettings settings) {
  const Context context(::SSL_CTX_new(::TLS_server_method()), &::SSL_CTX_free);
  if (!context) co_return fail(Errc::failed, "TLS: " + openssl_error());
  ::SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  ::SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (::SSL_CTX_use_certificate_chain_file(context.get(), settings.certificate_file.c_str()) != 1)
    co_return fail(Errc::failed, "TLS: no certificate in " + settings.certificate_file + ": " + openssl_error());
  if (::SSL_CTX_use_PrivateKey_file(context.get(), settings.key_file.c_str(), SSL_FILETYPE_PEM) != 1)
    co_return fail(Errc::failed, "TLS: no matching key in " + settings.key_file + ": " + openssl_error());
  co_return co_await shake_hands(loop, std::move(stream), Session(::SSL_new(context.get()), &::SSL_free), true);
}

}  // namespace parlance

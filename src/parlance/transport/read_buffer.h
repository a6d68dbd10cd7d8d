// SPDX-License-Identifier: Apache-2.0
// A contiguous read buffer with a size after the traffic: small for little input, doubled after full reads, never zeroed. Views
// are valid until `room`. Loop thread only.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>

#include "parlance/base/bytes.h"
#include "parlance/transport/limits.h"

namespace parlance {

// Input of a byte stream, as its reader knows it.
enum class Input : std::uint8_t {
  idle,     // No read is in progress.
  reading,  // One read is in progress.
  ended,    // The other side sends nothing further.
};

class ReadBuffer {
 public:
  std::span<char> bytes() { return {data_.get() + begin_, end_ - begin_}; }
  BytesView view() const { return {data_.get() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  std::size_t capacity() const { return capacity_; }
  void consume(std::size_t bytes) { begin_ += bytes; }

  // Space for the next read, after the present bytes. `wanted` is the expected total (0: unknown). The buffer grows only as fast
  // as bytes arrive, so an announced length has no cost.
  std::span<char> room(std::size_t wanted = 0) {
    if (empty()) {
      begin_ = end_ = 0;
      if (capacity_ > limits::read_buffer_first_bytes && small_reads_ >= small_reads_before_shrinking) release();
    } else if (begin_ != 0 && (begin_ > capacity_ / 2 || end_ == capacity_)) {
      std::memmove(data_.get(), data_.get() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    if (end_ == capacity_) {
      const std::size_t doubled = std::max(limits::read_buffer_first_bytes, capacity_ * 2);
      resize(wanted > capacity_ ? std::max(std::min(doubled, wanted), limits::read_buffer_first_bytes) : doubled);
    } else if (full_reads_ >= (capacity_ < limits::pipe_bytes ? 1 : 2) && capacity_ < limits::read_buffer_most_bytes) {
      resize(capacity_ * 2);
    }
    return {data_.get() + end_, capacity_ - end_};
  }
  void commit(std::size_t bytes) {
    full_reads_ = bytes == capacity_ - end_ ? full_reads_ + 1 : 0;
    small_reads_ = bytes < capacity_ / 4 ? small_reads_ + 1 : 0;
    end_ += bytes;
  }
  void append(BytesView more) {
    while (!more.empty()) {
      const std::span<char> free = room(size() + more.size());
      const std::size_t count = std::min(free.size(), more.size());
      std::memcpy(free.data(), more.data(), count);
      end_ += count;
      more.remove_prefix(count);
    }
  }
  void release() {  // Only when empty.
    data_.reset();
    capacity_ = begin_ = end_ = 0;
    small_reads_ = full_reads_ = 0;
  }

 private:
  static constexpr int small_reads_before_shrinking = 16;

  void resize(std::size_t capacity) {
    std::unique_ptr<char[]> fresh(new char[capacity]);
    if (!empty()) std::memcpy(fresh.get(), data_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    data_ = std::move(fresh);
    capacity_ = capacity;
    small_reads_ = full_reads_ = 0;
  }

  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  int small_reads_ = 0;
  int full_reads_ = 0;  // Full reads in a row. A single full pipe is no reason to exceed its size.
};

}  // namespace parlance

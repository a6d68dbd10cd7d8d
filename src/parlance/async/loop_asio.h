// SPDX-License-Identifier: Apache-2.0
// The Asio side of the loop, for .cpp files of async and transport only.
#pragma once

#include <atomic>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include "parlance/async/loop.h"

namespace parlance {

// Asio's own types hide their executor, which costs a virtual call for each wait and a second of compile time for each file.
using AsioExecutor = boost::asio::io_context::executor_type;
using AsioDescriptor = boost::asio::posix::basic_stream_descriptor<AsioExecutor>;
using AsioTimer = boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, AsioExecutor>;

struct Loop::Implementation {
  // One thread runs the context and does all I/O. Other threads may post.
  boost::asio::io_context io{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
  AsioTimer timer{io};
  std::atomic<bool> posted = false;   // True: the queue is not empty.
  std::atomic<bool> to_stop = false;  // Set by stop(), cleared by run().
};

inline boost::asio::io_context& io_of(Loop& loop) { return loop.implementation().io; }

}  // namespace parlance

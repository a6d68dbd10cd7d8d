// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of async and transport only: the Asio side of the loop.
#pragma once

#include <atomic>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include "parlance/async/loop.h"

namespace parlance {

// Asio's own types for these hide which executor they run on: a call through pointers for every wait, and a second of compiling for
// every file.
using AsioExecutor = boost::asio::io_context::executor_type;
using AsioDescriptor = boost::asio::posix::basic_stream_descriptor<AsioExecutor>;
using AsioTimer = boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, AsioExecutor>;

struct Loop::Implementation {
  boost::asio::io_context io{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};  // one thread runs it and does all I/O, others may post
  AsioTimer timer{io};
  std::atomic<bool> posted = false;   // something waits in its queue
  std::atomic<bool> to_stop = false;  // said by stop(), until a run() has heard it
};

inline boost::asio::io_context& io_of(Loop& loop) { return loop.implementation().io; }

}  // namespace parlance

# SPDX-License-Identifier: Apache-2.0
# Headers that nearly every file reads, read once: without this more than half of a clean build goes into the standard library's. A file
# includes what it uses all the same; the preset `includes` builds without this, so that one that does not is found (CONTRIBUTING.md).
#
#   parlance_precompiled(TARGET floor|house|upper|test|upper_test)
#
#   floor       the standard library, for what the house stands on
#   house       that, and base, wire, async and codec/json
#   upper       that, and what the upper layers speak with: peers, messages, the hub. Compiled for size, which is smaller and compiles a
#               little faster: what waits for people, models and disks; and the programs. Under sanitizers not optimised, which halves
#               the time it takes to build
#   test        house and googletest; tests are not optimised, what they test is
#   upper_test  the same with what upper has, for the tests of those layers, for those of whole programs and for the peers they talk to

set(floor_headers
  <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <coroutine> <cstdint> <cstring> <deque> <exception> <expected> <filesystem>
  <fstream> <functional> <map> <memory> <optional> <set> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector>)
set(house_headers
  base/bytes.h base/check.h base/clock.h base/log.h base/result.h base/secret.h base/text.h base/utf8.h
  async/channel.h async/loop.h async/scope.h async/task.h wire/call.h wire/describe.h
  codec/json/reader.h codec/json/typed.h codec/json/value.h codec/json/writer.h)
set(upper_headers
  transport/byte_stream.h process/child_process.h transport/frames.h transport/http/http_client.h peer/peer.h
  protocol/claude/messages.h protocol/mcp/messages.h model/model.h hub/agent/agent.h hub/hub.h)
set(test_headers <gmock/gmock.h> <gtest/gtest.h>)
list(TRANSFORM house_headers PREPEND "${PROJECT_SOURCE_DIR}/src/parlance/")
list(TRANSFORM upper_headers PREPEND "${PROJECT_SOURCE_DIR}/src/parlance/")
set(precompiled_headers_floor ${floor_headers})
set(precompiled_headers_house ${floor_headers} ${house_headers})
set(precompiled_headers_upper ${floor_headers} ${house_headers} ${upper_headers})
set(precompiled_headers_test ${floor_headers} ${house_headers} ${test_headers})
set(precompiled_headers_upper_test ${floor_headers} ${house_headers} ${upper_headers} ${test_headers}
                                   "${PROJECT_SOURCE_DIR}/src/parlance/hub/test_support.h")
set(precompiled_options_upper $<$<CONFIG:Release>:-Os>)
set(precompiled_options_test -O0)
set(precompiled_options_upper_test -O0)
if(PARLANCE_SANITIZE)
  set(precompiled_options_upper -O0)
endif()
if(PARLANCE_SANITIZE MATCHES undefined)
  # Checked at each access to a member, and a sixth of the time to compile: a null pointer stops the program anyhow, and bytes are read in
  # place only by what lies below.
  foreach(kind upper test upper_test)
    list(APPEND precompiled_options_${kind} -fno-sanitize=null,alignment,vptr,object-size)
  endforeach()
endif()
if(PARLANCE_FUZZ)
  foreach(kind test upper_test)
    list(APPEND precompiled_options_${kind} -fno-sanitize=fuzzer-no-link) # libFuzzer is led by what it calls, not by tests beside it
  endforeach()
endif()

function(parlance_precompiled target kind)
  target_compile_options(${target} PRIVATE ${precompiled_options_${kind}})
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return() # g++ takes no headers that were compiled for another target
  endif()
  set(shared parlance_precompiled_${kind})
  if(NOT TARGET ${shared})
    set(empty "${PROJECT_BINARY_DIR}/precompiled_${kind}.cpp")
    if(kind MATCHES "test")
      file(CONFIGURE OUTPUT "${empty}" CONTENT "int main() {}\n")
      add_executable(${shared} EXCLUDE_FROM_ALL "${empty}")
    else()
      file(CONFIGURE OUTPUT "${empty}" CONTENT "")
      add_library(${shared} OBJECT EXCLUDE_FROM_ALL "${empty}")
    endif()
    target_include_directories(${shared} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    if(kind MATCHES "test")
      target_link_libraries(${shared} PRIVATE GTest::gmock)
    endif()
    target_compile_options(${shared} PRIVATE ${precompiled_options_${kind}})
    target_compile_options(${shared} PUBLIC -Xclang -fno-pch-timestamp) # ccache goes by content
    target_precompile_headers(${shared} PRIVATE ${precompiled_headers_${kind}})
  endif()
  target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  target_precompile_headers(${target} REUSE_FROM ${shared})
endfunction()

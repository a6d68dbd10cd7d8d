# SPDX-License-Identifier: Apache-2.0
# Compiler, warnings, sanitizers and the tools that make builds quick.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles coroutines (temporaries are freed twice): use clang++ 16 or newer, "
                      "or g++ 13 or newer. On Debian 12: apt-get install clang-19, then configure in an empty build folder.")
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16)
  message(FATAL_ERROR "clang ${CMAKE_CXX_COMPILER_VERSION} lacks parts of C++23 that parlance uses: clang++ 16 or newer is needed.")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC) # programs as libraries, so that they share precompiled headers
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(PARLANCE_SANITIZE "" CACHE STRING "Sanitizers for all own code, for example address,undefined")
option(PARLANCE_FUZZ "Build the libFuzzer targets in fuzz/" OFF)
option(PARLANCE_TESTS_TOGETHER "Compile the tests of a folder together, in sets of sixteen: a third of the time" ON)
option(PARLANCE_UNIT_TESTS_AT_ONCE "Run each program of unit tests as one test" OFF)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # With precompiled headers ccache asks for the first; no file of ours uses __TIME__ or defines macros for a header. The second: it goes by
  # the headers that the compiler says it read, instead of preprocessing each file that it does not know, a tenth of a clean build.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

# What a program never calls is not in it: an object holds the sources of a whole folder, and takes them all along.
add_compile_options($<$<CONFIG:Release>:-ffunction-sections> $<$<CONFIG:Release>:-fdata-sections>)
add_link_options($<$<CONFIG:Release>:-Wl,--gc-sections>)

# On for own code only: system headers (Boost among them) are not held to it.
add_library(parlance_warnings INTERFACE)
target_compile_options(parlance_warnings INTERFACE -Wall -Wextra -Wconversion -Wno-sign-conversion)
if(NOT CMAKE_UNITY_BUILD) # there names of other files are in sight; `debug` looks at each file alone
  target_compile_options(parlance_warnings INTERFACE -Wshadow)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # A coroutine's parameters live in its frame; references are checked by hand where a coroutine is started.
  target_compile_options(parlance_warnings INTERFACE -Wthread-safety -Wno-missing-designated-field-initializers)
else()
  target_compile_options(parlance_warnings INTERFACE -Wno-missing-field-initializers)
endif()

if(PARLANCE_SANITIZE)
  add_compile_options(-fsanitize=${PARLANCE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -O1 -g1)
  add_link_options(-fsanitize=${PARLANCE_SANITIZE})
endif()
if(PARLANCE_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(PARLANCE_FUZZ OFF) # g++ has no libFuzzer; the targets replay their corpus
endif()
if(PARLANCE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

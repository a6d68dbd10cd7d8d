# SPDX-License-Identifier: Apache-2.0
# Which folders are built, and what the machine must have for them. A component is a library of a folder, by the name of the folder; those
# in codec/ and protocol/ go by their last name: "gob" is codec/gob (docs/decisions/0027-a-library-in-components.md).
#
#   cmake -B build/gob -DPARLANCE_COMPONENTS="gob;jsonrpc"
#
# builds these and what they stand on, asks for nothing that they do not need, and leaves programs and tests out.
#
# The folders are read twice. First each CMakeLists.txt only up to its parlance_folder(), which notes what it says and returns; then, for
# those that are wanted, as usual.

set(PARLANCE_COMPONENTS all CACHE STRING "Parts of the library to build, for example gob;jsonrpc; `all` builds programs and tests as well")
include("${PROJECT_SOURCE_DIR}/src/parlance/folders.cmake")

set(parlance_folder_lists DEPENDS PACKAGES BUILD_PACKAGES SYSTEM_DEPENDS TEST_DEPENDS TEST_LABELS CORE PRIVATE_HEADERS)

macro(parlance_folder)
  if(parlance_reading_folders)
    parlance_note_folder(${ARGN})
    return()
  endif()
  parlance_add_folder(${ARGN})
endmacro()

# parlance_component_of(codec_gob VARIABLE): "gob"
function(parlance_component_of library variable)
  string(REGEX REPLACE "^(codec|protocol)_" "" component "${library}")
  set(${variable} "${component}" PARENT_SCOPE)
endfunction()

# Notes a library: what it stands on, what must be there wherever it is linked, and what only to build it.
function(parlance_note_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PACKAGES;BUILD_PACKAGES" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY parlance_libraries ${name})
  set_property(GLOBAL PROPERTY parlance_folder_of_${name} ${parlance_folder_read})
  set_property(GLOBAL PROPERTY parlance_depends_of_${name} "${ARG_DEPENDS}")
  set_property(GLOBAL PROPERTY parlance_packages_of_${name} "${ARG_PACKAGES}")
  set_property(GLOBAL PROPERTY parlance_build_packages_of_${name} "${ARG_BUILD_PACKAGES}")
endfunction()

function(parlance_note_folder name)
  cmake_parse_arguments(ARG "" "" "${parlance_folder_lists}" ${ARGN})
  if(ARG_CORE)
    parlance_note_library(${name}_core DEPENDS ${ARG_DEPENDS})
    list(APPEND ARG_DEPENDS ${name}_core)
  endif()
  parlance_note_library(${name} DEPENDS ${ARG_DEPENDS} PACKAGES ${ARG_PACKAGES} BUILD_PACKAGES ${ARG_BUILD_PACKAGES})
endfunction()

function(parlance_read_folders)
  set(parlance_reading_folders TRUE)
  foreach(parlance_folder_read IN LISTS parlance_folders)
    include("${PROJECT_SOURCE_DIR}/src/parlance/${parlance_folder_read}/CMakeLists.txt")
  endforeach()
endfunction()

# Libraries that are wanted: what is asked for and all below it. From the top down, so that one pass finds everything.
function(parlance_choose_libraries)
  get_property(wanted GLOBAL PROPERTY parlance_libraries)
  if(NOT PARLANCE_COMPONENTS STREQUAL "all")
    set(known "")
    set(asked ${PARLANCE_COMPONENTS})
    set(libraries ${wanted})
    set(wanted "")
    list(REVERSE libraries)
    foreach(library IN LISTS libraries)
      parlance_component_of(${library} component)
      list(PREPEND known ${component})
      if(component IN_LIST asked OR library IN_LIST needed)
        list(REMOVE_ITEM asked ${component})
        list(PREPEND wanted ${library})
        get_property(depends GLOBAL PROPERTY parlance_depends_of_${library})
        list(APPEND needed ${depends})
      endif()
    endforeach()
    if(asked)
      list(JOIN known " " known)
      message(FATAL_ERROR "PARLANCE_COMPONENTS: there is no \"${asked}\". There are: all, or any of ${known}")
    endif()
  endif()
  set(folders "")
  set(packages "")
  foreach(library IN LISTS wanted)
    foreach(property folder packages build_packages)
      get_property(value GLOBAL PROPERTY parlance_${property}_of_${library})
      list(APPEND ${property}_values ${value})
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES folder_values)
  set(parlance_wanted_libraries ${wanted} PARENT_SCOPE)
  set(parlance_wanted_folders ${folder_values} PARENT_SCOPE)
  set(parlance_wanted_packages ${packages_values} ${build_packages_values} PARENT_SCOPE)
endfunction()

parlance_read_folders()
parlance_choose_libraries()

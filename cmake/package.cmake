# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts below a prefix, beside the programs: headers below include/parlance, a static library a folder, and the
# files by which find_package(parlance COMPONENTS …) finds them (docs/howto/use_as_a_library.md).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(parlance_cmake_folder "${CMAKE_INSTALL_LIBDIR}/cmake/parlance")

# The headers of the folder that is being read; those of its tests and those that are named stay here.
function(parlance_install_headers)
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}")
  file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  list(FILTER headers EXCLUDE REGEX "/(test_[a-z_]+|([a-z_]+_)?test_[a-z_]+)\\.h$")
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE private)
  list(REMOVE_ITEM headers ${private})
  install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}" COMPONENT development)
endfunction()

# Each component has a file of its own, so that find_package loads and asks for what is wanted and no more.
function(parlance_install_package)
  set(components "")
  set(rows "")
  foreach(library IN LISTS parlance_wanted_libraries)
    parlance_component_of(${library} component)
    install(TARGETS parlance_${library} EXPORT parlance_${component}
            ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
            INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    install(EXPORT parlance_${component} FILE parlance-${component}.cmake NAMESPACE parlance::
            DESTINATION "${parlance_cmake_folder}" COMPONENT development)
    get_property(depends GLOBAL PROPERTY parlance_depends_of_${library})
    get_property(packages GLOBAL PROPERTY parlance_packages_of_${library})
    list(TRANSFORM depends REPLACE "^(codec|protocol)_" "")
    list(APPEND components ${component})
    string(APPEND rows "set(parlance_needs_${component} ${depends})\nset(parlance_packages_${component} ${packages})\n")
  endforeach()
  list(JOIN components " " parlance_component_names)
  set(parlance_component_rows "${rows}")

  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/parlanceConfig.cmake.in" "${PROJECT_BINARY_DIR}/parlanceConfig.cmake"
                                INSTALL_DESTINATION "${parlance_cmake_folder}" NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/parlanceConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/parlanceConfig.cmake" "${PROJECT_BINARY_DIR}/parlanceConfigVersion.cmake"
          DESTINATION "${parlance_cmake_folder}" COMPONENT development)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/version.h.in" "${PROJECT_BINARY_DIR}/version.h" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/version.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/parlance" COMPONENT development)
endfunction()

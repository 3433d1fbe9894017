# find_package(milcci) for other projects.
include(CMakePackageConfigHelpers)

install(TARGETS milcci EXPORT milcciTargets)
install(DIRECTORY include/milcci DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES ${PROJECT_BINARY_DIR}/include/milcci/version.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/milcci)
if(MILCCI_BUILD_CLI)
  install(TARGETS milcci_cli)
endif()

set(milcci_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/milcci)
install(EXPORT milcciTargets NAMESPACE milcci:: DESTINATION ${milcci_package_dir})
configure_package_config_file(cmake/milcciConfig.cmake.in ${PROJECT_BINARY_DIR}/milcciConfig.cmake
                              INSTALL_DESTINATION ${milcci_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/milcciConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/milcciConfig.cmake ${PROJECT_BINARY_DIR}/milcciConfigVersion.cmake
        DESTINATION ${milcci_package_dir})

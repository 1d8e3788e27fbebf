# GRAZE_PACKAGES: Debian packages by CPack, and what they hold besides the library: man pages and
# completions made from the help of the tool, changelog and copyright. scripts/package.sh runs it all.
#
#   libgraze<major>.<minor>   the shared libraries of all modules
#   libgraze-c<ABI>           the C interface
#   libgraze-dev              headers, graze-config.cmake, pkg-config files
#   graze                     the command line tool, man pages, completions
#   graze-mpi                 what the tool loads under mpirun, where it is built: apart, since MPI is large
#   python3-graze             the Python module, where it is built
#   graze-doc                 the documentation, where GRAZE_SITE_DIR names it
#
# While the major version is 0 the name of the library package changes with the minor version, as the
# names in the libraries do: programs that were linked with the old ones keep them.

set(GRAZE_MAINTAINER "The graze authors <maintainers@graze.invalid>" CACHE STRING "Who the packages name as their maintainer")
set(GRAZE_SITE_DIR "" CACHE PATH "Folder of the documentation as HTML, for graze-doc (scripts/site.sh)")
if(NOT GRAZE_INSTALL OR NOT TARGET graze_cli OR NOT TARGET graze_c OR NOT BUILD_SHARED_LIBS)
    message(FATAL_ERROR "GRAZE_PACKAGES needs the tool, the C interface, the install rules and BUILD_SHARED_LIBS: use the preset `package`")
endif()
find_program(GRAZE_GZIP gzip REQUIRED)

get_target_property(graze_c_soversion graze_c SOVERSION)
set(graze_deb_runtime libgraze${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(graze_deb_c_runtime libgraze-c${graze_c_soversion})
set(graze_deb_dev libgraze-dev)
set(graze_deb_tool graze)
set(graze_deb_mpi graze-mpi)
set(graze_deb_python3 python3-graze)
set(graze_deb_doc graze-doc)
set(graze_deb_components runtime c_runtime dev tool)
if(TARGET graze_mpi)
    list(APPEND graze_deb_components mpi)
endif()
if(TARGET graze_python)
    list(APPEND graze_deb_components python3)
endif()
if(GRAZE_SITE_DIR)
    list(APPEND graze_deb_components doc)
endif()

# --- What only packages hold ---------------------------------------------------------------------

# Man pages and completions, from the help of the tool that was just built.
set(graze_man_dir ${PROJECT_BINARY_DIR}/man)
set(graze_completion_dir ${PROJECT_BINARY_DIR}/completions)
add_custom_command(OUTPUT ${graze_man_dir}/graze.1.gz ${graze_completion_dir}/graze
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/man_pages.sh --gzip $<TARGET_FILE:graze_cli> ${graze_man_dir}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${graze_completion_dir}
    COMMAND graze_cli completion bash > ${graze_completion_dir}/graze
    COMMAND graze_cli completion zsh > ${graze_completion_dir}/_graze
    COMMAND graze_cli completion fish > ${graze_completion_dir}/graze.fish
    DEPENDS graze_cli ${PROJECT_SOURCE_DIR}/scripts/man_pages.sh ${PROJECT_SOURCE_DIR}/scripts/man_page.awk
    COMMENT "Man pages and completions" VERBATIM)
add_custom_target(graze_man_pages ALL DEPENDS ${graze_man_dir}/graze.1.gz)
install(DIRECTORY ${graze_man_dir}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool
    FILES_MATCHING PATTERN "*.1.gz")
install(FILES ${graze_completion_dir}/graze
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
install(FILES ${graze_completion_dir}/_graze
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tool)
install(FILES ${graze_completion_dir}/graze.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tool)

# The same changelog and copyright in each package.
set(graze_deb_files ${PROJECT_BINARY_DIR}/deb)
file(MAKE_DIRECTORY ${graze_deb_files})
configure_file(${PROJECT_SOURCE_DIR}/packaging/changelog.in ${graze_deb_files}/changelog.Debian @ONLY)
execute_process(COMMAND ${GRAZE_GZIP} -9nkf ${graze_deb_files}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${GRAZE_GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    OUTPUT_FILE ${graze_deb_files}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS graze_deb_components)
    set(folder ${CMAKE_INSTALL_DATADIR}/doc/${graze_deb_${component}})
    install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright ${graze_deb_files}/changelog.Debian.gz
        DESTINATION ${folder} COMPONENT ${component})
    set(overrides ${PROJECT_SOURCE_DIR}/packaging/lintian/${component})
    if(EXISTS ${overrides})
        install(FILES ${overrides} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
            RENAME ${graze_deb_${component}} COMPONENT ${component})
    endif()
endforeach()
install(FILES ${graze_deb_files}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${graze_deb_runtime} COMPONENT runtime)

# The page of the viewer, where the tool has one, holds work of others.
if(graze_builds_web)
    install(FILES ${PROJECT_SOURCE_DIR}/web/licences.txt
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/graze COMPONENT tool)
endif()

# Not the component `python`, whose places are those of a wheel.
if(TARGET graze_python)
    install(TARGETS graze_python LIBRARY DESTINATION lib/python3/dist-packages/graze COMPONENT python3)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/graze DESTINATION lib/python3/dist-packages COMPONENT python3
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()

if(GRAZE_SITE_DIR)
    # MathJax is that of the distribution, not a copy.
    set(graze_html_dir ${CMAKE_INSTALL_DATADIR}/doc/graze-doc/html)
    install(DIRECTORY ${GRAZE_SITE_DIR}/ DESTINATION ${graze_html_dir} COMPONENT doc
        PATTERN ".buildinfo" EXCLUDE PATTERN "objects.inv.txt" EXCLUDE PATTERN "_static/mathjax" EXCLUDE)
    file(CREATE_LINK ../../../../javascript/mathjax ${graze_deb_files}/mathjax SYMBOLIC)
    install(FILES ${graze_deb_files}/mathjax DESTINATION ${graze_html_dir}/_static COMPONENT doc)
endif()

# --- CPack ---------------------------------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME graze)
set(CPACK_PACKAGE_VENDOR "The graze authors")
set(CPACK_PACKAGE_CONTACT ${GRAZE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each component has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL ${graze_deb_components})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SOURCE graze)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# CPack asks for the libraries that are not in a package yet: ours.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "")
set(graze_deb_modules core narrow broad surface rigid robot slide ${graze_installed_components})
foreach(module IN LISTS graze_deb_modules)
    list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/src/${module})
endforeach()
list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/capi)

set(graze_deb_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(graze_deb_what "graze answers whether and when moving primitives, meshes, rigid bodies and
sliding characters touch within a step of time. It misses no contact, always
ends, and proves what it reports: the time before the first contact is free.
.
")
# graze_add_deb(<component> <section> <synopsis> <text> [DEPENDS <dependency>...] [KEY VALUE...])
macro(graze_add_deb component section synopsis text)
    string(TOUPPER ${component} graze_deb_upper)
    set(CPACK_DEBIAN_${graze_deb_upper}_PACKAGE_NAME ${graze_deb_${component}})
    set(CPACK_DEBIAN_${graze_deb_upper}_PACKAGE_SECTION ${section})
    set(CPACK_COMPONENT_${graze_deb_upper}_DESCRIPTION "${synopsis}\n${graze_deb_what}${text}")
    string(REPLACE ";" ", " CPACK_DEBIAN_${graze_deb_upper}_PACKAGE_DEPENDS "${ARGN}")
endmacro()
set(graze_deb_on_runtime "${graze_deb_runtime} ${graze_deb_version}")
graze_add_deb(runtime libs "continuous collision detection with proofs - libraries"
    "This package has the shared libraries.")
graze_add_deb(c_runtime libs "continuous collision detection with proofs - C interface"
    "This package has the shared library of the C interface."
    "${graze_deb_on_runtime}")
graze_add_deb(dev libdevel "continuous collision detection with proofs - development files"
    "This package has the headers of C++ and C, and files for CMake and
pkg-config."
    "${graze_deb_on_runtime}" "${graze_deb_c_runtime} ${graze_deb_version}" zlib1g-dev libgmp-dev libtbb-dev libfmt-dev)
graze_add_deb(tool science "continuous collision detection with proofs - command line tool"
    "This package has the tool: queries, meshes, rigid bodies and sliding from
files, pages for a browser, exact ground truth, the comparison of methods."
    "${graze_deb_on_runtime}")
graze_add_deb(mpi science "continuous collision detection with proofs - many processes"
    "This package has what the tool needs under mpirun, where several processes
share the work of a command."
    "${graze_deb_tool} ${graze_deb_version}")
graze_add_deb(python3 python "continuous collision detection with proofs - Python 3 module"
    "This package has the module for Python 3, on arrays of NumPy."
    "${graze_deb_on_runtime}")
graze_add_deb(doc doc "continuous collision detection with proofs - documentation"
    "This package has the documentation as HTML: tutorials, guides, reference,
derivations."
    libjs-mathjax)
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "graze-doc")
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "graze-doc, graze-mpi")
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
foreach(component IN ITEMS RUNTIME C_RUNTIME)
    string(TOLOWER ${component} lower)
    set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA ${graze_deb_files}/${lower}/shlibs
        ${PROJECT_SOURCE_DIR}/packaging/runtime/triggers)
endforeach()

# Which package a program that links one of ours depends on.
set(shlibs "")
foreach(module IN LISTS graze_deb_modules)
    string(APPEND shlibs "libgraze_${module} ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} ${graze_deb_runtime} (>= ${PROJECT_VERSION})\n")
endforeach()
file(WRITE ${graze_deb_files}/runtime/shlibs "${shlibs}")
file(WRITE ${graze_deb_files}/c_runtime/shlibs
    "libgraze_c ${graze_c_soversion} ${graze_deb_c_runtime} (>= ${PROJECT_VERSION})\n")

if(TARGET graze_python)
    # The extension is for this version alone; the byte code is made at installation and removed with it.
    find_package(Python 3 REQUIRED COMPONENTS Interpreter)  # python/ has it in a scope of its own
    math(EXPR graze_next_python "${Python_VERSION_MINOR} + 1")
    string(APPEND CPACK_DEBIAN_PYTHON3_PACKAGE_DEPENDS
        ", python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${graze_next_python}), python3-numpy")
    set(CPACK_DEBIAN_PYTHON3_PACKAGE_CONTROL_EXTRA
        ${PROJECT_SOURCE_DIR}/packaging/python3/postinst ${PROJECT_SOURCE_DIR}/packaging/python3/prerm)
endif()
include(CPack)

# How every target of the project is compiled.

if(NOT EMSCRIPTEN)  # WebAssembly has one thread
    find_package(Threads REQUIRED)
endif()

# graze::numerics: for users of the headers whose inline arithmetic counts rounding errors (those that
# include graze/core/strict_arithmetic.hpp). Their translation units must not fuse multiplications and
# additions. All other headers hold none, so that users of the library compile as they like.
add_library(graze_numerics INTERFACE)
add_library(graze::numerics ALIAS graze_numerics)
set_target_properties(graze_numerics PROPERTIES EXPORT_NAME numerics)
target_compile_options(graze_numerics INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-ffp-contract=off>)

# Flags that every target of the project shares, and that no consumer inherits.
add_library(graze_build_flags INTERFACE)
target_link_libraries(graze_build_flags INTERFACE graze_numerics)
target_compile_options(graze_build_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX,C>:-Wall -Wextra -Wconversion -Wshadow -Wpedantic>
    $<$<AND:$<COMPILE_LANGUAGE:CXX,C>,$<BOOL:${GRAZE_WARNINGS_AS_ERRORS}>>:-Werror>)
foreach(sanitizer IN LISTS GRAZE_SANITIZE)
    target_compile_options(graze_build_flags INTERFACE
        -fsanitize=${sanitizer} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(graze_build_flags INTERFACE -fsanitize=${sanitizer})
    # GRAZE_SANITIZE_ADDRESS and so on: compilers have no common word for it.
    string(TOUPPER ${sanitizer} sanitizer_upper)
    target_compile_definitions(graze_build_flags INTERFACE GRAZE_SANITIZE_${sanitizer_upper})
endforeach()

# With little optimisation, GCC 12 sees copies out of bounds inside its own std::string (GCC bug 105651).
set(graze_false_warnings_of_copies "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    set(graze_false_warnings_of_copies
        -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# For code that is compiled far more often than its speed matters: the tool, references of tests.
add_library(graze_quick_build INTERFACE)
target_compile_options(graze_quick_build INTERFACE
    $<$<CONFIG:Release>:-O1> ${graze_false_warnings_of_copies})

# graze_add_module(<name> <source>... ): one library target per module, alias graze::<name>.
function(graze_add_module name)
    add_library(graze_${name} ${ARGN})
    add_library(graze::${name} ALIAS graze_${name})
    target_compile_features(graze_${name} PUBLIC cxx_std_20)
    target_include_directories(graze_${name} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(graze_${name} PRIVATE $<BUILD_INTERFACE:graze_build_flags>)
    set_target_properties(graze_${name} PROPERTIES
        EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF UNITY_BUILD OFF)
    # While the major version is 0, a new minor version may change the binary interface.
    set_target_properties(graze_${name} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# graze_compile_together(<target>): with GRAZE_UNITY_BUILD, eight sources at a time are one
# translation unit. Not for the modules that prove something: what users compile is what is tested.
function(graze_compile_together target)
    if(NOT GRAZE_UNITY_BUILD)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    # GCC takes an included source for a header, whose unnamed types would be different ones elsewhere.
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# graze_precompile_small_files(<module>): half of what many small files take to compile is headers.
function(graze_precompile_small_files name)
    target_compile_options(graze_${name} PRIVATE ${graze_false_warnings_of_copies})
    target_precompile_headers(graze_${name} PRIVATE
        <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <memory> <optional> <span>
        <string> <string_view> <vector>)
endfunction()

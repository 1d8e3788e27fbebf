# GRAZE_HARDENING: what distributions compile and link packages with. None of it changes arithmetic:
# neither fast arithmetic nor fused operations come with it.
if(NOT GRAZE_HARDENING)
    return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" OR APPLE OR WIN32)
    message(FATAL_ERROR "GRAZE_HARDENING knows the flags of GCC and Clang on ELF systems alone")
endif()

# In the variable, so that `graze --version` names them.
string(APPEND CMAKE_CXX_FLAGS
    " -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wformat -Werror=format-security")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
    string(APPEND CMAKE_CXX_FLAGS " -fcf-protection -fstack-clash-protection")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    string(APPEND CMAKE_CXX_FLAGS " -mbranch-protection=standard -fstack-clash-protection")
endif()
# Programs that are loaded anywhere; tables of addresses that are read-only before main().
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
string(APPEND CMAKE_EXE_LINKER_FLAGS " -pie -Wl,-z,relro,-z,now")
string(APPEND CMAKE_SHARED_LINKER_FLAGS " -Wl,-z,relro,-z,now")
string(APPEND CMAKE_MODULE_LINKER_FLAGS " -Wl,-z,relro,-z,now")
# Nothing of the machine that built it, and the same bytes wherever the sources lie.
add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>)

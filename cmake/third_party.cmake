# Third-party parts come as wheels, so that `pip install .` needs nothing else; a Debian package serves as well.
# A developer's build finds the wheels of the Python that comes first on PATH.

find_package(Threads REQUIRED)

function(find_wheel_header variable header suffix wheel debian)
  find_path(${variable} ${header} PATH_SUFFIXES ${suffix})
  if(NOT ${variable})
    execute_process(
      COMMAND python3 -c "import site; print(';'.join(site.getsitepackages()))"
      OUTPUT_VARIABLE site_packages OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    find_path(${variable} ${header} PATHS ${site_packages} PATH_SUFFIXES ${suffix})
  endif()
  if(NOT ${variable})
    message(FATAL_ERROR "no ${header}: run `pip install ${wheel}` or `apt-get install ${debian}`")
  endif()
endfunction()

find_wheel_header(NLOHMANN_JSON_INCLUDE_DIR nlohmann/json.hpp nlohmann_json/include nlohmann-json==3.12.0 nlohmann-json3-dev)

if(TILEWRIGHT_TESTS)
  find_package(GTest REQUIRED)
endif()

// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0
//
// How the executable's allocator holds memory. Part of it only where cmake/third_party.cmake finds mimalloc.

#include <mimalloc.h>

namespace {

// The one initialiser that runs before main: it has to come before anything asks for memory, since the allocator keeps its choice
// from then on. What MIMALLOC_… says in the environment goes first.
//
// Huge pages make a command dear that needs few of them, since each is zeroed whole. Memory that is not used any more goes back
// after 10 ms (the delay, in ms, times the arenas' factor of 10): a file of many kernels needs it for one after the other.
[[gnu::constructor(101)]] void set_up_allocator() {
  mi_option_set_default(mi_option_allow_thp, 0);
  mi_option_set_default(mi_option_purge_delay, 1);
}

}  // namespace

/* SPDX-License-Identifier: MIT */
/* Data that are a part of the program. The bytes of the file data/NAME are linked as data_NAME and
 * their number as data_NAME_size (in NAME, '.' and '-' become '_'); a program holds those that it
 * mentions. The Makefile makes an object file of each, by embed.S, and one of all networks
 * together (eval/networks.h). */
#pragma once

#include <stdint.h>

#define DATA_DECLARE(name)                                                                         \
    extern const unsigned char data_##name[];                                                      \
    extern const uint64_t data_##name##_size

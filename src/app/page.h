/* SPDX-License-Identifier: MIT */
/* Page: the files of the web board, inside the program. They are compressed (gzip) when the program
 * is built; the table is written by scripts/embed. Nothing else is ever served. */
#pragma once

#include <stddef.h>

typedef struct {
    const char *path; /* "/index.html"; NULL ends the table */
    const char *type; /* for Content-Type */
    const char *mark; /* for ETag, quotes included */
    const unsigned char *bytes;
    size_t size, full_size; /* compressed, and as it was */
} PageFile;

extern const PageFile page_files[];

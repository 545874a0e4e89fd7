/* SPDX-License-Identifier: MIT */
#include "app/problems.h"

#include "base/data.h"
#include "base/mem.h"
#include "base/os.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

DATA_DECLARE(problems_fours_tsv);
DATA_DECLARE(problems_threats_tsv);

enum { SUITE_BYTES_MAX = 64 << 20 };

static Suite *add_suite(Problems *problems, const char *name, size_t len, const char *about)
{
    problems->suites =
        mem_grow(problems->suites, (size_t)(problems->count + 1) * sizeof *problems->suites);
    Suite *suite = &problems->suites[problems->count];
    *suite = (Suite){.about = about};
    snprintf(suite->name, sizeof suite->name, "%.*s", (int)len, name);
    return suite;
}

/* `path`: what errors call it. */
static bool read_suite(Problems *problems, const char *name, size_t len, const char *about,
                       const char *path, const void *bytes, size_t size, Err *err)
{
    Suite *suite = add_suite(problems, name, len, about);
    if (!record_read(FORMAT_TSV, bytes, size, path, NULL, &suite->set, err)) return false;
    problems->count++;
    return true;
}

/* A suite is called as its file, without folder and ending. */
static bool read_file(Problems *problems, const char *path, Err *err)
{
    Buf bytes = BUF_EMPTY;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    bool good =
        os_file_read(path, SUITE_BYTES_MAX, &bytes, err) &&
        read_suite(problems, name, strcspn(name, "."), "", path, bytes.data, bytes.len, err);
    buf_free(&bytes);
    return good;
}

static bool read_files(Problems *problems, const char *files, Err *err)
{
    bool good = true;
    for (const char *at = files; good && at && *at;) {
        size_t len = strcspn(at, ",");
        Buf path = BUF_EMPTY;
        buf_add(&path, at, len);
        if (len) good = read_file(problems, buf_text(&path), err);
        buf_free(&path);
        at += len + (at[len] == ',');
    }
    return good;
}

bool problems_open(Problems *problems, const char *files, Err *err)
{
    *problems = (Problems){0};
    bool good = read_suite(problems, "fours", 5, "Win by fours alone.", "fours",
                           data_problems_fours_tsv, data_problems_fours_tsv_size, err) &&
                read_suite(problems, "threats", 7, "Win by threes and fours.", "threats",
                           data_problems_threats_tsv, data_problems_threats_tsv_size, err) &&
                read_files(problems, files, err);
    if (!good) problems_close(problems);
    return good;
}

void problems_close(Problems *problems)
{
    for (int i = 0; i < problems->count; i++) record_set_close(&problems->suites[i].set);
    mem_free(problems->suites);
    *problems = (Problems){0};
}

const Suite *problems_find(const Problems *problems, const char *name)
{
    for (int i = 0; i < problems->count; i++) {
        if (strcmp(problems->suites[i].name, name) == 0) return &problems->suites[i];
    }
    return NULL;
}

Goal problem_goal(const Record *record)
{
    const char *claim = record_tag(record, "claim");
    char word[4] = "";
    for (int i = 0; claim && i < 3 && claim[i]; i++)
        word[i] = (char)tolower((unsigned char)claim[i]);
    return strcmp(word, "vcf") == 0 ? GOAL_VCF : strcmp(word, "vct") == 0 ? GOAL_VCT : GOAL_WIN;
}

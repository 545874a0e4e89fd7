/* SPDX-License-Identifier: MIT */
/* The networks that are built in: files of data/ are what they are called, the right one is found,
 * `best` takes it where there is one, and many who ask at once get it made once. The tests hold
 * whatever networks there are, also for none. */
#include "base/data.h"
#include "base/mem.h"
#include "base/os.h"
#include "eval/network.h"
#include "eval/networks.h"
#include "net_file.h"
#include "search/search.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

DATA_DECLARE(networks);

/* --- data/ ----------------------------------------------------------------------------------- */

static void check_file(const char *path)
{
    char name[NET_NAME_MAX];
    Net net;
    Err err;
    void *bytes = net_load(&net, path, &err);
    if (!bytes) fail_msg("%s", err.text);
    Buf right = BUF_EMPTY;
    buf_printf(&right, "data/%s.net", net_name(&net, name));
    if (strcmp(path, buf_text(&right)) != 0)
        fail_msg("%s must be called %s, by its rules and hash", path, buf_text(&right));
    buf_free(&right);
    mem_free(bytes);
}

static void test_files(void **state)
{
    (void)state;
    glob_t found;
    Networks networks;
    Err err;
    int files = glob("data/*.net", 0, NULL, &found) ? 0 : (int)found.gl_pathc;
    for (int i = 0; i < files; i++) check_file(found.gl_pathv[i]);
    if (files) globfree(&found);
    if (!networks_read(&networks, data_networks, data_networks_size, &err))
        fail_msg("data/: %s", err.text);
    assert_int_equal(networks.count, files);
    assert_int_equal(networks_built_in()->count, files);
}

/* --- finding --------------------------------------------------------------------------------- */

static void limit(NetFile *file, RuleKind kind, uint32_t least, uint32_t most)
{
    file->rule_kinds = 1u << kind;
    file->size_min = least;
    file->size_max = most;
    net_file_sign(file);
}

/* Several files' bytes in one block. */
static char *join(NetFile *const *files, int count)
{
    char *bytes = mem_lines((size_t)count * NET_FILE_LEN);
    for (int i = 0; i < count; i++)
        memcpy(bytes + (size_t)i * NET_FILE_LEN, files[i], NET_FILE_LEN);
    return bytes;
}

static int found_at(const Networks *networks, RuleKind kind, int width, int height, int k)
{
    Rules rules;
    rules_init(&rules, kind, width, height, k);
    const Net *net = networks_find(networks, &rules);
    return net ? (int)(net - networks->net) : -1;
}

static void test_find(void **state)
{
    (void)state;
    NetFile *files[3];
    for (int i = 0; i < 3; i++) files[i] = net_file_random(40 + (uint64_t)i, true);
    limit(files[0], RULE_FREESTYLE, 5, 15);
    limit(files[1], RULE_FREESTYLE, 16, 22);
    limit(files[2], RULE_RENJU, 15, 15);
    char *bytes = join(files, 3);
    Networks networks;
    Err err;
    char name[NET_NAME_MAX];
    assert_true(networks_read(&networks, bytes, 3 * NET_FILE_LEN, &err));
    assert_int_equal(networks.count, 3);
    assert_int_equal(networks.net[1].hash, files[1]->hash);
    assert_int_equal(found_at(&networks, RULE_FREESTYLE, 15, 15, 5), 0);
    assert_int_equal(found_at(&networks, RULE_FREESTYLE, 20, 20, 5), 1);
    assert_int_equal(found_at(&networks, RULE_RENJU, 15, 15, 5), 2);
    assert_int_equal(found_at(&networks, RULE_FREESTYLE, 15, 20, 5), -1); /* neither's board */
    assert_int_equal(found_at(&networks, RULE_FREESTYLE, 15, 15, 6), -1);
    assert_int_equal(found_at(&networks, RULE_STANDARD, 15, 15, 5), -1);
    char right[NET_NAME_MAX];
    snprintf(right, sizeof right, "renju-%08x", (unsigned)(files[2]->hash >> 32));
    assert_string_equal(net_name(&networks.net[2], name), right);
    for (int i = 0; i < 3; i++) mem_free(files[i]);
    mem_free(bytes);
}

static void refuse(NetFile *const *files, int count, size_t n, int good, const char *why)
{
    char *bytes = join(files, count);
    Networks networks;
    Err err;
    assert_false(networks_read(&networks, bytes, n, &err));
    assert_int_equal(networks.count, good);
    assert_non_null(strstr(err.text, why));
    mem_free(bytes);
}

static void test_refused(void **state)
{
    (void)state;
    NetFile *files[2] = {net_file_random(50, true), net_file_random(51, true)};
    Networks networks;
    assert_true(networks_read(&networks, "", 0, NULL));
    assert_int_equal(networks.count, 0);
    refuse(files, 2, 2 * NET_FILE_LEN, 1, "play the same rules on the same boards");
    limit(files[0], RULE_CARO, 5, 22);
    limit(files[1], RULE_CARO6, 5, 22);
    refuse(files, 2, 2 * NET_FILE_LEN - 8, 1, "cut off");
    refuse(files, 2, NET_FILE_LEN + 5, 1, "not a network");
    files[0]->version--;
    net_file_sign(files[0]);
    refuse(files, 2, 2 * NET_FILE_LEN, 0, "version 1");
    for (int i = 0; i < 2; i++) mem_free(files[i]);
}

/* --- the choice ------------------------------------------------------------------------------ */

static void check_choice(RuleKind kind, int size, int k)
{
    char name[NET_NAME_MAX];
    Rules rules;
    Err err;
    rules_init(&rules, kind, size, size, k);
    const Net *net = networks_find(networks_built_in(), &rules);
    Eval *best = eval_best.open(&rules, NULL, &err), *built_in = eval_net.open(&rules, "", &err);
    assert_non_null(best);
    assert_ptr_equal(best->kind, net ? &eval_net : &eval_shape);
    assert_string_equal(best->name, net ? net_name(net, name) : "shape");
    if (net) {
        assert_string_equal(built_in->name, name);
        built_in->kind->close(built_in);
    } else {
        assert_null(built_in);
        assert_non_null(strstr(err.text, "is built in"));
        assert_non_null(strstr(err.text, rule_name(kind)));
    }
    best->kind->close(best);
}

static void test_best(void **state)
{
    (void)state;
    for (int kind = 0; kind < RULE_COUNT; kind++) {
        check_choice((RuleKind)kind, 15, 5);
        check_choice((RuleKind)kind, 20, 5);
        check_choice((RuleKind)kind, 15, 6);
        check_choice((RuleKind)kind, 60, 5);
    }
    assert_ptr_equal(eval_find("best", NULL), &eval_best);
}

/* --- many at once ---------------------------------------------------------------------------- */

enum { ASKERS = 4 };

typedef struct {
    const char *path;
    const Network *got;
    int sum; /* of what the rows say */
} Asker;

static void ask(void *ctx)
{
    Asker *asker = ctx;
    asker->got = network_load(asker->path, NULL);
    for (int i = 0; asker->got && i < NET_WIDTH; i++)
        asker->sum += i * asker->got->rows.diagonal[1000].of[i];
}

static void test_once(void **state)
{
    (void)state;
    char path[] = "/tmp/goren-networks-XXXXXX";
    Asker asker[ASKERS];
    Thread *thread[ASKERS];
    NetFile *file = net_file_random(60, true);
    Err err;
    assert_true(mkstemp(path) >= 0 && os_file_replace(path, file, NET_FILE_LEN, &err));
    int64_t start = os_clock_ns();
    for (int i = 0; i < ASKERS; i++) {
        asker[i] = (Asker){.path = path};
        thread[i] = os_thread_start(ask, &asker[i], &err);
        assert_non_null(thread[i]);
    }
    for (int i = 0; i < ASKERS; i++) os_thread_join(thread[i]);
    int64_t first = os_clock_ns() - start;
    for (int i = 0; i < ASKERS; i++) {
        assert_non_null(asker[i].got);
        assert_ptr_equal(asker[i].got, asker[0].got);
        assert_int_equal(asker[i].sum, asker[0].sum);
    }
    /* Whoever comes later, an engine with two threads for instance, finds the rows there. */
    const Row *rows = asker[0].got->rows.straight;
    Rules rules;
    rules_init(&rules, RULE_STANDARD, 15, 15, 5);
    SearchOptions options = {
        .threads = 2, .table_bytes = 1 << 20, .eval = &eval_net, .eval_file = path};
    start = os_clock_ns();
    Search *search = search_open(&rules, &options, &err);
    assert_non_null(search);
    assert_true(os_clock_ns() - start < first / 2);
    assert_ptr_equal(network_load(path, &err)->rows.straight, rows);
    network_leave(asker[0].got);
    assert_string_equal(search_eval(search), asker[0].got->name);
    search_close(search);
    for (int i = 0; i < ASKERS; i++) network_leave(asker[i].got);
    mem_free(file);
    remove(path);
}

static const Network *load_random(int seed)
{
    char path[] = "/tmp/goren-networks-XXXXXX";
    NetFile *file = net_file_random((uint64_t)seed, true);
    Err err;
    assert_true(mkstemp(path) >= 0 && os_file_replace(path, file, NET_FILE_LEN, &err));
    const Network *network = network_load(path, &err);
    assert_non_null(network);
    mem_free(file);
    remove(path);
    return network;
}

/* Rows that nobody uses make room when another network comes, and not before. */
static void test_room(void **state)
{
    (void)state;
    const Network *first = load_random(61), *second = load_random(62);
    assert_true(first != second && first->rows.straight && second->rows.straight);
    Row row = first->rows.diagonal[1000];
    network_leave(first);
    assert_non_null(first->rows.straight);
    const Network *third = load_random(63);
    assert_null(first->rows.straight);
    assert_non_null(second->rows.straight);
    assert_ptr_equal(load_random(61), first);
    assert_memory_equal(&first->rows.diagonal[1000], &row, sizeof row);
    network_leave(first);
    network_leave(second);
    network_leave(third);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files), cmocka_unit_test(test_find), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_best),  cmocka_unit_test(test_once), cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

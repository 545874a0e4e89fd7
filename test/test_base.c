/* SPDX-License-Identifier: MIT */
/* base/: errors, buffers, memory, random numbers, options, and the operating system down to child
 * processes that sleep, flood, die and leave children behind. */
#include "base/buf.h"
#include "base/child.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/opts.h"
#include "base/os.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* ---- err, buf, mem, rng ---- */

static void test_err(void **state)
{
    (void)state;
    Err err;
    assert_false(err_set(&err, "row %d", 3));
    assert_false(err_prefix(&err, "%s", "a.tsv"));
    assert_string_equal(err.text, "a.tsv: row 3");
    err_set(&err, "two\nlines\x01");
    assert_string_equal(err.text, "two lines ");
    assert_false(err_set(NULL, "dropped"));
    assert_false(err_prefix(NULL, "dropped"));
    char longer[1000];
    memset(longer, 'x', sizeof longer);
    longer[999] = '\0';
    err_set(&err, "%s", longer);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    err_prefix(&err, "p");
    assert_int_equal(strncmp(err.text, "p: xxx", 6), 0);
}

static void test_buf(void **state)
{
    (void)state;
    Buf buf = BUF_EMPTY;
    assert_string_equal(buf_text(&buf), "");
    for (int i = 0; i < 1000; i++) buf_printf(&buf, "%d,", i % 10);
    assert_int_equal(buf.len, 2000);
    assert_int_equal(strlen(buf.data), 2000);
    buf_clear(&buf);
    assert_string_equal(buf_text(&buf), "");
    buf_add(&buf, "a\0b", 3);
    buf_add_text(&buf, "cd");
    buf_add_char(&buf, 'e');
    assert_memory_equal(buf.data, "a\0bcde", 7);
    buf_free(&buf);
    assert_null(buf.data);
}

static void test_mem(void **state)
{
    (void)state;
    char *lines = mem_lines(100);
    assert_int_equal((uintptr_t)lines % CACHE_LINE, 0);
    assert_int_equal(lines[99], 0);
    mem_free(lines);
    mem_free(mem_alloc(0));
    size_t size = (size_t)3 << 20;
    unsigned char *pages = mem_try_pages(size);
    assert_non_null(pages);
    assert_int_equal(pages[size - 1], 0);
    pages[size - 1] = 1;
    mem_free_pages(pages, size);
    assert_null(mem_try_pages(SIZE_MAX / 4));
    mem_free_pages(NULL, 5);
}

static void test_arena(void **state)
{
    (void)state;
    Arena arena;
    arena_open(&arena, 256);
    char *first = arena_text(&arena, "hello world", 5);
    for (int round = 0; round < 3; round++) {
        for (size_t n = 0; n < 700; n += 13) {
            char *block = arena_alloc(&arena, n);
            assert_int_equal((uintptr_t)block % 16, 0);
            for (size_t i = 0; i < n; i++) assert_int_equal(block[i], 0);
            memset(block, 0xee, n);
        }
        if (round == 0) assert_string_equal(first, "hello");
        arena_reset(&arena);
    }
    arena_close(&arena);
    assert_null(arena.blocks);
}

static void test_rng(void **state)
{
    (void)state;
    Rng a, b;
    rng_seed(&a, 0);
    /* splitmix64 from 0, then xoshiro256**: the published reference programs give these. */
    assert_true(a.s[0] == 0xe220a8397b1dcdafu && a.s[1] == 0x6e789e6aa1b965f4u);
    assert_true(rng_next(&a) == 0x99ec5f36cb75f2b4u);
    rng_seed(&a, 42);
    rng_seed(&b, 42);
    int seen[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint32_t x = rng_below(&a, 7);
        assert_int_equal(x, rng_below(&b, 7));
        seen[x]++;
    }
    for (int i = 0; i < 7; i++) assert_in_range(seen[i], 850, 1150);
    assert_int_equal(rng_below(&a, 1), 0);
    for (int i = 0; i < 1000; i++) {
        double u = rng_unit(&a);
        assert_true(u >= 0 && u < 1);
    }
}

/* ---- options ---- */

typedef struct {
    int depth;
    int64_t nodes;
    size_t hash;
    double rate;
    bool ponder;
    const char *cmd;
    OptSize size;
    int eval;
} Sample;

static const Opt sample_opts[] = {
    {.name = "depth",
     .letter = 'd',
     .type = OPT_INT,
     .offset = offsetof(Sample, depth),
     .min = 1,
     .max = 99,
     .standard = "8",
     .help = "plies"},
    {.name = "nodes", .type = OPT_COUNT, .offset = offsetof(Sample, nodes), .help = "nodes"},
    {.name = "hash",
     .type = OPT_BYTES,
     .offset = offsetof(Sample, hash),
     .standard = "16M",
     .help = "table"},
    {.name = "rate",
     .type = OPT_FLOAT,
     .offset = offsetof(Sample, rate),
     .min = 0,
     .max = 1,
     .standard = "0.5",
     .help = "rate"},
    {.name = "ponder",
     .letter = 'p',
     .type = OPT_BOOL,
     .offset = offsetof(Sample, ponder),
     .help = "?"},
    {.name = "cmd", .type = OPT_TEXT, .offset = offsetof(Sample, cmd), .help = "command"},
    {.name = "size",
     .type = OPT_SIZE,
     .offset = offsetof(Sample, size),
     .min = 1,
     .max = 100,
     .standard = "15",
     .help = "board"},
    {.name = "dimension",
     .letter = 'D',
     .type = OPT_SIZE,
     .offset = offsetof(Sample, size),
     .min = 1,
     .max = 100},
    {.name = "eval",
     .type = OPT_CHOICE,
     .offset = offsetof(Sample, eval),
     .choices = "shape|net|mlp",
     .standard = "net",
     .help = "evaluator"},
    {0}};

static const OptTable sample = {.name = "ab",
                                .args = "IN [OUT]",
                                .args_min = 1,
                                .args_max = 2,
                                .about = "A player.",
                                .example = "ab in",
                                .opts = sample_opts};

static bool parse(const char *text, Sample *out, Arena *arena, Err *err)
{
    *out = (Sample){0};
    return opts_parse_keys(&sample, text, out, arena, err);
}

static void test_keys_good(void **state)
{
    (void)state;
    Arena arena;
    arena_open(&arena, 1000);
    Err err = {0};
    Sample s;
    assert_true(parse("", &s, &arena, &err));
    assert_true(s.depth == 8 && s.hash == 16u << 20 && s.rate == 0.5 && !s.ponder && !s.cmd);
    assert_true(s.size.width == 15 && s.size.height == 15 && s.eval == 1);
    assert_true(parse(NULL, &s, &arena, &err));
    assert_true(
        parse("depth=3,nodes=5M,hash=64k,rate=1e-1,ponder,size=20x15,eval=mlp", &s, &arena, &err));
    assert_true(s.depth == 3 && s.nodes == 5000000 && s.hash == 65536 && s.rate == 0.1);
    assert_true(s.ponder && s.size.width == 20 && s.size.height == 15 && s.eval == 2);
    assert_true(parse("cmd=\"./x -a,b \\\"q\\\" C:\\d \\\\\",depth=4", &s, &arena, &err));
    assert_string_equal(s.cmd, "./x -a,b \"q\" C:\\d \\");
    assert_int_equal(s.depth, 4);
    assert_true(parse("cmd=plain text,ponder=off", &s, &arena, &err));
    assert_string_equal(s.cmd, "plain text");
    assert_true(parse("cmd=,depth=2", &s, &arena, &err));
    assert_string_equal(s.cmd, "");
    assert_true(parse("size=\"9,7\"", &s, &arena, &err));
    assert_true(s.size.width == 9 && s.size.height == 7);
    arena_close(&arena);
}

static void test_keys_bad(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"dpeth=3", "did you mean depth?"},
        {"zzz=1", "there are depth, nodes, hash, rate, ponder, cmd, size, eval"},
        {"depth=0", "from 1 to 99"},
        {"depth=100", "from 1 to 99"},
        {"depth=3x", "not a whole number"},
        {"depth= 3", "not a whole number"},
        {"depth=", "not a whole number"},
        {"depth", "needs a value"},
        {"depth=3k", "not a whole number"},
        {"nodes=99999999999999999999", "not a whole number"},
        {"nodes=9999999999999999G", "not a whole number"},
        {"hash=-1", "too large or too small"},
        {"rate=2", "from 0 to 1"},
        {"rate=nan", "not a number"},
        {"rate=x", "not a number"},
        {"ponder=perhaps", "neither yes nor no"},
        {"cmd=\"abc", "never closed"},
        {"cmd=\"abc\"x", "after a closing"},
        {"size=15x", "not a size"},
        {"size=101", "from 1 to 100"},
        {"size=x", "not a size"},
        {"eval=ne", "choose one of shape|net|mlp"},
        {",", "has no key"},
        {"2", "a value with a comma goes in quotes"},
        {"=", "has no key"},
    };
    Arena arena;
    arena_open(&arena, 1000);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Err err = {0};
        Sample s;
        assert_false(parse(bad[i].text, &s, &arena, &err));
        if (!strstr(err.text, bad[i].says)) fail_msg("%s: %s", bad[i].text, err.text);
    }
    arena_close(&arena);
}

static void test_required(void **state)
{
    (void)state;
    static const Opt opts[] = {
        {.name = "cmd", .type = OPT_TEXT, .offset = 0, .help = "what to run", .required = true},
        {0}};
    static const OptTable table = {.name = "pipe", .about = "A brain.", .opts = opts};
    Arena arena;
    arena_open(&arena, 100);
    Err err;
    const char *cmd = NULL;
    assert_false(opts_parse_keys(&table, "", &cmd, &arena, &err));
    assert_string_equal(err.text, "pipe needs cmd (what to run)");
    assert_true(opts_parse_keys(&table, "cmd=x", &cmd, &arena, &err));
    assert_string_equal(cmd, "x");
    arena_close(&arena);
}

static void test_spec_split(void **state)
{
    (void)state;
    char kind[SPEC_KIND_MAX];
    const char *keys;
    Err err;
    assert_true(spec_split("ab:eval=net,x=a:b", kind, &keys, &err));
    assert_string_equal(kind, "ab");
    assert_string_equal(keys, "eval=net,x=a:b");
    assert_true(spec_split("random", kind, &keys, &err));
    assert_string_equal(kind, "random");
    assert_string_equal(keys, "");
    assert_false(spec_split("", kind, &keys, &err));
    assert_false(spec_split(":a=b", kind, &keys, &err));
    assert_false(spec_split("abcdefghijklmnopqrstuvwxyzabcdefghijkl", kind, &keys, &err));
}

static OptsResult parse_line(const char *line, Sample *out, char *rest[16], int *count, Err *err)
{
    static char copy[500];
    snprintf(copy, sizeof copy, "%s", line);
    int argc = 0;
    for (char *word = strtok(copy, " "); word && argc < 16; word = strtok(NULL, " ")) {
        rest[argc++] = word;
    }
    *out = (Sample){0};
    *count = argc;
    return opts_parse_args(&sample, count, rest, out, err);
}

static void test_args(void **state)
{
    (void)state;
    Sample s;
    char *rest[16];
    int n;
    Err err = {0};
    assert_int_equal(parse_line("ab in --depth 5 -p --size=20x15 - --eval net", &s, rest, &n, &err),
                     OPTS_OK);
    assert_int_equal(n, 2);
    assert_string_equal(rest[0], "in");
    assert_string_equal(rest[1], "-");
    assert_true(s.depth == 5 && s.ponder && s.size.width == 20);
    assert_int_equal(parse_line("ab -d7 -D 9,8 --ponder=no -- --depth", &s, rest, &n, &err),
                     OPTS_OK);
    assert_true(n == 1 && s.depth == 7 && !s.ponder && s.size.width == 9 && s.size.height == 8);
    assert_string_equal(rest[0], "--depth");
    assert_int_equal(parse_line("ab --help", &s, rest, &n, &err), OPTS_HELP);
    assert_int_equal(parse_line("ab", &s, rest, &n, &err), OPTS_BAD);
    assert_non_null(strstr(err.text, "too few"));
    assert_int_equal(parse_line("ab a b c", &s, rest, &n, &err), OPTS_BAD);
    assert_non_null(strstr(err.text, "too many: c"));
    assert_int_equal(parse_line("ab a --dept 3", &s, rest, &n, &err), OPTS_BAD);
    assert_non_null(strstr(err.text, "did you mean --depth?"));
    assert_int_equal(parse_line("ab a -q", &s, rest, &n, &err), OPTS_BAD);
    assert_non_null(strstr(err.text, "there is no option -q"));
    assert_int_equal(parse_line("ab a --depth", &s, rest, &n, &err), OPTS_BAD);
    assert_non_null(strstr(err.text, "needs a value"));
}

typedef struct {
    bool board, rollouts;
    int depth, side;
} Effects;

/* Options that do something only with others, or not with them. */
static void test_effects(void **state)
{
    (void)state;
    Effects out;
    const Opt opts[] = {
        {.name = "board", .type = OPT_BOOL, .offset = offsetof(Effects, board), .bars = "depth"},
        {.name = "rollouts", .type = OPT_BOOL, .offset = offsetof(Effects, rollouts)},
        {.name = "depth", .type = OPT_INT, .offset = offsetof(Effects, depth)},
        {.name = "side",
         .type = OPT_INT,
         .offset = offsetof(Effects, side),
         .needs = "board|rollouts"},
        {0}};
    const OptTable table = {.name = "bench", .opts = opts};
    const struct {
        const char *keys, *says;
    } cases[] = {
        {"side=3", "side does nothing without board or rollouts: add that, or leave out side"},
        {"side=3,board=no", "side does nothing without board or rollouts"},
        {"depth=3,board", "depth does nothing beside board: leave out one of them"},
        {"side=3,rollouts", NULL},
        {"board,side=3,rollouts", NULL},
        {"depth=3,board=no", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena;
        Err err = {0};
        arena_open(&arena, 256);
        out = (Effects){0};
        assert_int_equal(opts_parse_keys(&table, cases[i].keys, &out, &arena, &err),
                         !cases[i].says);
        if (cases[i].says) assert_non_null(strstr(err.text, cases[i].says));
        arena_close(&arena);
    }
}

static void test_help(void **state)
{
    (void)state;
    Buf out = BUF_EMPTY;
    opts_help(&sample, &out);
    assert_non_null(strstr(out.data, "usage: ab [options] IN [OUT]\n"));
    assert_non_null(strstr(out.data, "  -d, --depth N               plies (default 8)\n"));
    assert_non_null(strstr(out.data, "--eval shape|net|mlp"));
    assert_null(strstr(out.data, "dimension"));
    assert_non_null(strstr(out.data, "example: ab in\n"));
    buf_free(&out);
    /* A switch that is on says so, and how it is turned off. */
    const Opt switches[] = {{.name = "on", .type = OPT_BOOL, .standard = "yes", .help = "is on"},
                            {.name = "off", .type = OPT_BOOL, .standard = "no", .help = "is off"},
                            {0}};
    const OptTable table = {.name = "s", .about = "Switches.", .opts = switches};
    opts_help(&table, &out);
    assert_non_null(strstr(out.data, "      --on=yes|no             is on (default yes)\n"));
    assert_non_null(strstr(out.data, "      --off                   is off\n"));
    buf_free(&out);
}

static void test_distance(void **state)
{
    (void)state;
    assert_int_equal(opts_distance("", "abc"), 3);
    assert_int_equal(opts_distance("depth", "dpeth"), 1);
    assert_int_equal(opts_distance("kitten", "sitting"), 3);
    assert_true(opts_is_near("plya", "play"));
    assert_false(opts_is_near("xyzw", "play"));
}

/* ---- operating system ---- */

static void test_clock(void **state)
{
    (void)state;
    int64_t start = os_clock_ms();
    os_sleep_ms(20);
    assert_in_range(os_clock_ms() - start, 19, 5000);
    char date[OS_DATE_MAX];
    assert_int_equal(strlen(os_date_text(date)), 20);
    assert_true(date[4] == '-' && date[10] == 'T' && date[19] == 'Z');
    assert_true(os_core_count() >= 1);
    assert_true(os_peak_memory_kib() > 100);
    Buf path = BUF_EMPTY;
    assert_true(os_executable_path(&path, NULL));
    assert_non_null(strstr(path.data, "test_base"));
    buf_free(&path);
    assert_true(os_terminal_width(stdout) >= 1);
}

static void test_files(void **state)
{
    (void)state;
    Buf path = BUF_EMPTY, got = BUF_EMPTY;
    os_executable_path(&path, NULL);
    buf_add_text(&path, ".file");
    Err err = {0};
    assert_true(os_file_replace(path.data, "one", 3, &err));
    assert_true(os_file_replace(path.data, "two!", 4, &err));
    buf_add_text(&got, "x");
    assert_true(os_file_read(path.data, 4, &got, &err));
    assert_string_equal(got.data, "xtwo!");
    assert_false(os_file_read(path.data, 3, &got, &err));
    assert_string_equal(got.data, "xtwo!");
    assert_non_null(strstr(err.text, "longer than 3 bytes"));
    struct stat held;
    assert_int_equal(chmod(path.data, 0640), 0);
    assert_true(os_file_replace(path.data, "three", 5, &err));
    assert_int_equal(stat(path.data, &held), 0);
    assert_int_equal(held.st_mode & 0777, 0640);
    assert_true(os_file_is_same(path.data, path.data));
    assert_false(os_file_is_same(path.data, "/dev/null"));
    assert_false(os_file_is_same("/dev/null", "/dev/null"));
    remove(path.data);
    assert_true(os_file_is_same(path.data, path.data));
    assert_false(os_file_read(path.data, 10, &got, &err));
    assert_non_null(strstr(err.text, path.data));
    assert_false(os_file_read("/", 10, &got, &err));
    assert_false(os_file_replace("/", "x", 1, &err));
    assert_false(os_file_replace("/no/such/folder/file", "x", 1, &err));
    assert_true(os_file_replace("/dev/null", "x", 1, &err));
    assert_true(os_file_may_write(path.data, &err));
    assert_true(os_file_may_write("/dev/null", &err));
    assert_false(os_file_may_write("/", &err));
    assert_false(os_file_may_write("", &err));
    assert_false(os_file_may_write("/no/such/folder/file", &err));
    assert_string_equal(err.text,
                        "/no/such/folder/file: cannot write it: No such file or directory");
    assert_true(os_file_read("/dev/null", 0, &got, &err));
    buf_free(&path);
    buf_free(&got);
}

typedef struct {
    Mutex *mutex;
    Cond *cond;
    int ready;
    atomic_int sum;
} Shared;

static void add_up(void *ctx)
{
    Shared *shared = ctx;
    for (int i = 0; i < 1000; i++) atomic_fetch_add(&shared->sum, 1);
    os_mutex_lock(shared->mutex);
    shared->ready++;
    os_cond_signal(shared->cond);
    os_mutex_unlock(shared->mutex);
}

static void test_threads(void **state)
{
    (void)state;
    Shared shared = {.mutex = os_mutex_open(), .cond = os_cond_open()};
    Thread *threads[4];
    for (int i = 0; i < 4; i++) threads[i] = os_thread_start(add_up, &shared, NULL);
    os_mutex_lock(shared.mutex);
    while (shared.ready < 4) os_cond_wait(shared.cond, shared.mutex, OS_NEVER);
    int64_t start = os_clock_ms();
    while (os_cond_wait(shared.cond, shared.mutex, start + 30)) continue;
    assert_true(os_clock_ms() - start >= 29);
    assert_false(os_cond_wait(shared.cond, shared.mutex, 0));
    os_mutex_unlock(shared.mutex);
    for (int i = 0; i < 4; i++) os_thread_join(threads[i]);
    assert_int_equal(atomic_load(&shared.sum), 4000);
    os_cond_close(shared.cond);
    os_mutex_close(shared.mutex);
}

static Child *start(const char *command)
{
    Err err = {0};
    Child *child = child_start(&(ChildPlan){.command = command}, &err);
    if (!child) fail_msg("%s", err.text);
    return child;
}

static void expect_line(Child *child, const char *text)
{
    Buf line = BUF_EMPTY;
    assert_int_equal(child_read_line(child, &line, os_clock_ms() + 20000), CHILD_LINE);
    assert_string_equal(buf_text(&line), text);
    buf_free(&line);
}

static ChildRead read_within(Child *child, int64_t ms)
{
    Buf line = BUF_EMPTY;
    ChildRead got = child_read_line(child, &line, os_clock_ms() + ms);
    buf_free(&line);
    return got;
}

static void test_child_cat(void **state)
{
    (void)state;
    Child *child = start("cat");
    assert_true(child_is_alive(child));
    Err err;
    assert_true(child_write(child, "one\r\ntwo\n\nlast", 14, OS_NEVER, &err));
    expect_line(child, "one");
    expect_line(child, "two");
    expect_line(child, "");
    int64_t before = os_clock_ms();
    assert_int_equal(read_within(child, 50), CHILD_LATE);
    assert_in_range(os_clock_ms() - before, 49, 5000);
    assert_int_equal(read_within(child, -1), CHILD_LATE);
    assert_true(child_write(child, "!\n", 2, OS_NEVER, &err));
    expect_line(child, "last!");
    assert_int_equal(child_close(child, os_clock_ms() + 20000), 0);
}

static void test_child_words(void **state)
{
    (void)state;
    Child *child = start("  printf '%s|' \"a b\" c\\ d '' 'it''s' \"q\\\"q\" ");
    expect_line(child, "a b|c d||its|q\"q|");
    assert_int_equal(read_within(child, 20000), CHILD_GONE);
    child_close(child, os_clock_ms() + 20000);
    Err err;
    assert_null(child_start(&(ChildPlan){.command = "  "}, &err));
    assert_null(child_start(&(ChildPlan){.command = "echo 'x"}, &err));
    assert_non_null(strstr(err.text, "never closed"));
    assert_null(child_start(&(ChildPlan){.command = "/no/such/brain -x"}, &err));
    assert_non_null(strstr(err.text, "cannot start \"/no/such/brain\": No such file"));
    assert_null(child_start(&(ChildPlan){.command = "cat", .folder = "/no/such"}, &err));
}

static void test_child_folder(void **state)
{
    (void)state;
    Buf log = BUF_EMPTY, got = BUF_EMPTY;
    os_executable_path(&log, NULL);
    buf_add_text(&log, ".stderr");
    remove(log.data);
    ChildPlan plan = {
        .command = "sh -c 'pwd; echo oh dear >&2'", .folder = "/", .stderr_file = log.data};
    Child *child = child_start(&plan, NULL);
    assert_non_null(child);
    expect_line(child, "/");
    assert_int_equal(child_close(child, os_clock_ms() + 20000), 0);
    assert_true(os_file_read(log.data, 1000, &got, NULL));
    assert_string_equal(got.data, "oh dear\n");
    remove(log.data);
    buf_free(&got);
    buf_free(&log);
}

static void test_child_dies(void **state)
{
    (void)state;
    Child *child = start("sh -c 'echo bye; exit 7'");
    expect_line(child, "bye");
    assert_int_equal(read_within(child, 20000), CHILD_GONE);
    while (child_is_alive(child)) os_sleep_ms(1);
    Err err;
    assert_false(child_write(child, "hello\n", 6, OS_NEVER, &err)); /* and no SIGPIPE */
    assert_non_null(strstr(err.text, "cannot write to it"));
    assert_int_equal(child_close(child, 0), 7);
    child = start("sh -c 'kill -9 $$'");
    assert_int_equal(read_within(child, 20000), CHILD_GONE);
    assert_int_equal(child_close(child, os_clock_ms() + 20000), 128 + 9);
}

/* The grandchild holds the write end of a fifo; when it is dead too, a reader of it sees the end.
 */
static void test_child_killed_with_children(void **state)
{
    (void)state;
    Child *child = start("sh -c 'sleep 1000 & echo $!; wait'");
    Buf line = BUF_EMPTY;
    assert_int_equal(child_read_line(child, &line, os_clock_ms() + 20000), CHILD_LINE);
    int64_t before = os_clock_ms();
    assert_int_equal(child_close(child, os_clock_ms() + 50), 128 + 9);
    assert_in_range(os_clock_ms() - before, 49, 10000);
    /* Killed is not gone yet: whoever inherits the grandchild still has to reap it. */
    Buf command = BUF_EMPTY;
    buf_printf(&command,
               "sh -c 'i=0; while kill -0 %s 2>/dev/null && ! grep -q \") [ZX]\" /proc/%s/stat; do "
               "i=$((i+1)); [ $i -lt 200 ] || { echo alive; exit; }; sleep 0.05; done; echo dead'",
               line.data, line.data);
    child = start(command.data);
    expect_line(child, "dead");
    child_close(child, os_clock_ms() + 20000);
    buf_free(&command);
    buf_free(&line);
}

/* Ends its input at once but stays: only the deadline ends it. */
static void test_child_deaf(void **state)
{
    (void)state;
    Child *child = start("sleep 1000");
    size_t size = 1 << 20; /* more than a pipe holds */
    char *bytes = mem_zero(size);
    Err err;
    assert_false(child_write(child, bytes, size, os_clock_ms() + 50, &err));
    assert_non_null(strstr(err.text, "does not read"));
    mem_free(bytes);
    assert_int_equal(child_close(child, 0), 128 + 9);
}

static void test_child_long_lines(void **state)
{
    (void)state;
    Child *child = start("sh -c 'head -c 300000 /dev/zero | tr \"\\0\" a; echo; echo next'");
    Buf line = BUF_EMPTY;
    assert_int_equal(child_read_line(child, &line, os_clock_ms() + 20000), CHILD_LINE);
    assert_int_equal(line.len, CHILD_LINE_MAX);
    buf_free(&line);
    expect_line(child, "next");
    assert_int_equal(read_within(child, 20000), CHILD_GONE);
    child_close(child, os_clock_ms() + 20000);
}

static atomic_bool interrupted;

static void test_interrupt(void **state)
{
    (void)state;
    os_catch_interrupt(&interrupted);
    Child *child = start("sh -c 'kill -INT $PPID; echo done'");
    expect_line(child, "done");
    int64_t limit = os_clock_ms() + 20000;
    while (!atomic_load(&interrupted) && os_clock_ms() < limit) os_sleep_ms(1);
    assert_true(atomic_load(&interrupted));
    child_close(child, os_clock_ms() + 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_err),
        cmocka_unit_test(test_buf),
        cmocka_unit_test(test_mem),
        cmocka_unit_test(test_arena),
        cmocka_unit_test(test_rng),
        cmocka_unit_test(test_keys_good),
        cmocka_unit_test(test_keys_bad),
        cmocka_unit_test(test_required),
        cmocka_unit_test(test_spec_split),
        cmocka_unit_test(test_args),
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_child_cat),
        cmocka_unit_test(test_child_words),
        cmocka_unit_test(test_child_folder),
        cmocka_unit_test(test_child_dies),
        cmocka_unit_test(test_child_killed_with_children),
        cmocka_unit_test(test_child_deaf),
        cmocka_unit_test(test_child_long_lines),
        cmocka_unit_test(test_interrupt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

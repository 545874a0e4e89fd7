/* SPDX-License-Identifier: MIT */
/* Renju's forbidden points: the slow reference (rif.h) against published cases and maps, and the
 * fast check of the library against the reference: on those, on our own diagrams, and on random
 * positions, BAN_POSITIONS of them (20,000 unless the environment says otherwise). */
#include "base/os.h"
#include "base/rng.h"
#include "game/ban.h"
#include "game/board.h"
#include "rif.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CASES_PATH "../shared/data/forbidden/cases.tsv"
#define MAPS_PATH  "../shared/data/forbidden/maps.tsv"

enum { TEXT_MAX = 4000, FIELD_COUNT = 7 };

/* One verdict per point; points with a stone are RIF_LEGAL. */
typedef struct {
    RifVerdict at[RIF_SIZE_MAX][RIF_SIZE_MAX]; /* [y][x] */
} Map;

typedef void MapMaker(const RifBoard *board, Map *map);

static void board_clear(RifBoard *b, int width, int height)
{
    b->width = width;
    b->height = height;
    memset(b->cell, '.', sizeof b->cell);
}

/* Puts stones such as "h8i9"; anything that is no letter ends the list. */
static void board_add(RifBoard *b, const char *text, char stone)
{
    while (*text >= 'a' && *text <= 'z') {
        int x = *text++ - 'a', row = (int)strtol(text, (char **)&text, 10);
        assert_true(x < b->width && row >= 1 && row <= b->height);
        b->cell[b->height - row][x] = stone;
    }
}

static void board_message(const RifBoard *b)
{
    for (int y = 0; y < b->height; y++) {
        char line[2 * RIF_SIZE_MAX + 1] = "";
        for (int x = 0; x < b->width; x++) line[2 * x] = b->cell[y][x], line[2 * x + 1] = ' ';
        print_message("%3d %s\n", b->height - y, line);
    }
}

static void map_by_reference(const RifBoard *board, Map *map)
{
    for (int y = 0; y < board->height; y++)
        for (int x = 0; x < board->width; x++)
            map->at[y][x] = board->cell[y][x] == '.' ? rif_forbidden(board, x, y, NULL) : RIF_LEGAL;
}

/* The same position on the library's board; the caller closes it. */
static Board *board_from(const RifBoard *from)
{
    Rules rules;
    rules_init(&rules, RULE_RENJU, from->width, from->height, 5);
    Board *b = board_open(&rules, NEAR_SQUARE2);
    for (int y = 0; y < from->height; y++)
        for (int x = 0; x < from->width; x++)
            if (from->cell[y][x] != '.')
                board_put(b, rules_point(&rules, x, y), from->cell[y][x] == 'X' ? BLACK : WHITE);
    return b;
}

static void map_by_ban(const RifBoard *board, Map *map)
{
    static const RifVerdict VERDICT[BAN_COUNT] = {
        [BAN_NONE] = RIF_LEGAL,
        [BAN_DOUBLE_FOUR] = RIF_DOUBLE_FOUR,
        [BAN_DOUBLE_THREE] = RIF_DOUBLE_THREE,
        [BAN_OVERLINE] = RIF_OVERLINE,
    };
    Board *b = board_from(board);
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++) {
            Point p = rules_point(&b->rules, x, y);
            map->at[y][x] = RIF_LEGAL;
            if (!board_is_empty(b, p)) continue;
            map->at[y][x] = VERDICT[ban_at(b, p)];
            for (int dir = 0; dir < DIR_COUNT; dir++)
                if (map->at[y][x] == RIF_LEGAL && board_shape(b, p, BLACK, dir) == SHAPE_FIVE)
                    map->at[y][x] = RIF_FIVE;
        }
    }
    board_close(b);
}

/* "c5:33 d4:44" with the points in the order of the files: column by column, upwards. */
static void map_text(const RifBoard *board, const Map *map, char text[TEXT_MAX])
{
    int len = 0;
    for (int x = 0; x < board->width; x++) {
        for (int y = board->height - 1; y >= 0; y--) {
            if (map->at[y][x] < RIF_DOUBLE_FOUR) continue;
            len += snprintf(text + len, (size_t)(TEXT_MAX - len), "%s%c%d:%s", len ? " " : "",
                            'a' + x, board->height - y, rif_name(map->at[y][x]));
        }
    }
    if (!len) snprintf(text, TEXT_MAX, "-");
}

/* Where a move is an overline and another foul too, the files say overline and the judge's order
 * the other one. Gives such points the files' name, and says how many there were. */
static int map_rename_overlines(const RifBoard *board, Map *map)
{
    int renamed = 0;
    for (int y = 0; y < board->height; y++) {
        for (int x = 0; x < board->width; x++) {
            RifTrace trace;
            if (map->at[y][x] != RIF_DOUBLE_FOUR && map->at[y][x] != RIF_DOUBLE_THREE) continue;
            rif_forbidden(board, x, y, &trace);
            if (!trace.overline) continue;
            map->at[y][x] = RIF_OVERLINE;
            renamed++;
        }
    }
    return renamed;
}

static FILE *file_or_skip(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("no %s: skipped\n", path);
        skip();
    }
    return file;
}

/* Cuts a line at its tabs; fields that are not there are empty. */
static void line_split(char *line, const char *field[FIELD_COUNT])
{
    line[strcspn(line, "\r\n")] = '\0';
    for (int i = 0; i < FIELD_COUNT; i++) {
        size_t len = strcspn(line, "\t");
        field[i] = line;
        line += len;
        if (*line) *line++ = '\0';
    }
}

static void check_point(const RifBoard *board, const Map *map, const char *id, const char *expected)
{
    int x = expected[0] - 'a', row = atoi(expected + 1);
    RifVerdict verdict = map->at[board->height - row][x];
    const char *name = verdict == RIF_FIVE ? "ok" : rif_name(verdict);
    if (strcmp(strchr(expected, ':') + 1, name) != 0) fail_msg("%s: %s is %s", id, expected, name);
}

static void check_cases(MapMaker *make)
{
    FILE *file = file_or_skip(CASES_PATH);
    char line[TEXT_MAX], text[TEXT_MAX];
    int rows = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        const char *field[FIELD_COUNT]; /* id kind black white expected */
        RifBoard board;
        Map map;
        line_split(line, field);
        board_clear(&board, 15, 15);
        board_add(&board, field[2], 'X');
        board_add(&board, field[3], 'O');
        make(&board, &map);
        if (strcmp(field[1], "full") == 0) {
            map_text(&board, &map, text);
            if (strcmp(text, field[4]) != 0)
                fail_msg("%s: %s expected, %s found", field[0], field[4], text);
        } else {
            check_point(&board, &map, field[0], field[4]);
        }
        rows++;
    }
    fclose(file);
    print_message("%d cases agree\n", rows);
    assert_true(rows > 100);
}

static void check_maps(MapMaker *make)
{
    FILE *file = file_or_skip(MAPS_PATH);
    char line[TEXT_MAX], text[TEXT_MAX];
    int rows = 0, renamed = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        const char *field[FIELD_COUNT]; /* id black white forbidden fake depth check */
        RifBoard board;
        Map map;
        line_split(line, field);
        board_clear(&board, 15, 15);
        board_add(&board, field[1], 'X');
        board_add(&board, field[2], 'O');
        make(&board, &map);
        renamed += map_rename_overlines(&board, &map);
        map_text(&board, &map, text);
        if (strcmp(text, field[3]) != 0)
            fail_msg("%s: %s expected, %s found", field[0], field[3], text);
        rows++;
    }
    fclose(file);
    print_message("%d maps agree; %d points are overlines and another foul too\n", rows, renamed);
    assert_true(rows > 1000);
}

/* The files also list the points that only a naive rule forbids. */
static void test_reference_fakes(void **state)
{
    (void)state;
    FILE *file = file_or_skip(MAPS_PATH);
    char line[TEXT_MAX], text[TEXT_MAX];
    int fakes = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        const char *field[FIELD_COUNT];
        RifBoard board;
        int len = snprintf(text, sizeof text, "-");
        line_split(line, field);
        board_clear(&board, 15, 15);
        board_add(&board, field[1], 'X');
        board_add(&board, field[2], 'O');
        for (int x = 0; x < 15; x++) {
            for (int y = 14; y >= 0; y--) {
                RifTrace trace;
                if (board.cell[y][x] != '.') continue;
                if (!rif_is_fake(rif_forbidden(&board, x, y, &trace), &trace)) continue;
                if (text[0] == '-') len = 0;
                len += snprintf(text + len, sizeof text - (size_t)len, "%s%c%d", len ? " " : "",
                                'a' + x, 15 - y);
                fakes++;
            }
        }
        assert_string_equal(text, field[4]);
    }
    fclose(file);
    print_message("%d fake points agree\n", fakes);
}

static void test_reference_cases(void **state)
{
    (void)state;
    check_cases(map_by_reference);
}

static void test_reference_maps(void **state)
{
    (void)state;
    check_maps(map_by_reference);
}

static void test_fast_cases(void **state)
{
    (void)state;
    check_cases(map_by_ban);
}

static void test_fast_maps(void **state)
{
    (void)state;
    check_maps(map_by_ban);
}

/* Our own: X and O are stones; 3, 4 and 6 points forbidden as double three, double four and
 * overline; 5 a five, which outranks everything; a looks like a double three and is allowed; at
 * every dot Black may play. */
static const struct {
    const char *name, *rows;
} DIAGRAMS[] = {
    {"two open rows", ". . . . . . . . .\n"
                      ". . . . . . . . .\n"
                      ". . . . X . . . .\n"
                      ". . . . X . . . .\n"
                      ". . X X 3 . . . .\n"
                      ". . . . . . . . .\n"
                      ". . . . . . . . .\n"
                      ". . . . . . . . .\n"},
    {"broken threes are threes", ". . . . . . . . . .\n"
                                 ". . . . . . . . . .\n"
                                 ". . . . . X . . . .\n"
                                 ". . . . . . . . . .\n"
                                 ". . . . . X . . . .\n"
                                 ". . X . X 3 . . . .\n"
                                 ". . . . . . . . . .\n"
                                 ". . . . . . . . . .\n"
                                 ". . . . . . . . . .\n"},
    {"no room for a straight four: the edge, White and a coming overline take it",
     ". . . . . . . . .\n"
     ". . . . . . . . .\n"
     ". . X . . . X . .\n"
     ". . X . . . X . .\n"
     "X X . . X X . . O\n"
     ". . . . . . . . .\n"
     ". . . . . . . . .\n"
     ". . . . . . . . .\n"},
    {"two fours that cross", ". . . . O . . . .\n"
                             ". . . . X . . . .\n"
                             ". . . . X . . . .\n"
                             ". . . . X . . . .\n"
                             "O X X X 4 . . . .\n"
                             ". . . . . . . . .\n"
                             ". . . . . . . . .\n"},
    {"two fours in one line", ". . . . . . . . . . .\n"
                              ". X . X 4 X . X . . .\n"
                              ". . . . . . 4 . . . .\n"
                              ". X X . 4 X . X X . .\n"
                              ". . . . . . . . . . .\n"
                              ". X X X . 4 . X X X .\n"
                              ". . . . . . . . . . .\n"},
    {"a four that can only grow too long is none", ". . . . . . . . . .\n"
                                                   ". . . X . . . . . .\n"
                                                   ". . . X . . . . . .\n"
                                                   ". . . X . . . . . .\n"
                                                   "X . X . X X . X . .\n"
                                                   ". . . . . . . . . .\n"
                                                   ". . . . . . . . . .\n"},
    {"four and three is allowed", ". . . . . . . . .\n"
                                  ". . . . . . . . .\n"
                                  ". . . . X . . . .\n"
                                  ". . . . X . . . .\n"
                                  "O X X X . . . . .\n"
                                  ". . . . . . . . .\n"
                                  ". . . . . . . . .\n"},
    {"overline, and a five", ". . . . . . . . .\n"
                             ". X X X 6 X X . .\n"
                             ". . . . . . . . .\n"
                             ". X X 5 X X . . .\n"
                             ". . . . . . . . .\n"},
    {"a five outranks the overline it makes too", ". . . . X . . . .\n"
                                                  ". . . . X . . . .\n"
                                                  ". . . 6 X . . . .\n"
                                                  ". . . . X . . . .\n"
                                                  ". X X X 5 X X . .\n"
                                                  ". . . . . . X . .\n"
                                                  ". . . . . . . X .\n"
                                                  ". . . . . . . . X\n"},
    {"the gap of the row is an overline, so the row is no three", ". . . . . . . . . .\n"
                                                                  ". . . . O . . . . .\n"
                                                                  ". . . . X . a . . .\n"
                                                                  ". . . a X 3 X . . .\n"
                                                                  ". . . . X . X . . .\n"
                                                                  ". . . X 6 X a . . .\n"
                                                                  ". . . . X . 3 . . .\n"
                                                                  ". . . . X . . . . .\n"
                                                                  ". . . . O . . . . .\n"},
    {"the gap would be two fours", ". . . . . . . . . .\n"
                                   ". . . . O . . . . .\n"
                                   ". . . . X . a . . .\n"
                                   ". . . a X 3 X a . .\n"
                                   ". . . . X . X . . .\n"
                                   ". . . X . X a . . .\n"
                                   ". . . . . . 3 . . .\n"
                                   ". . . . . . . . . .\n"
                                   ". . . . . . . . . .\n"},
    {"the gap would be two threes", ". . . . . . . . . .\n"
                                    ". . . . . . . . . .\n"
                                    ". . . . . . . . . .\n"
                                    ". . . . . . X . . .\n"
                                    ". . . . . . X . . .\n"
                                    ". . a X 3 X a . . .\n"
                                    ". . . X X . 3 . . .\n"
                                    ". . X 3 X a . . . .\n"
                                    ". . . . . . . . . .\n"
                                    ". . . . . . . . . .\n"},
    {"the trap: the gap completes a five, so the row is no three", ". . . . . . . . . . .\n"
                                                                   ". . . . . . X . . . .\n"
                                                                   ". . . . . . X . . . .\n"
                                                                   ". . . . X 5 a X . . .\n"
                                                                   ". . . . . X 3 . . . .\n"
                                                                   ". . . . . X . . . . .\n"
                                                                   ". . . . . X . . . . .\n"
                                                                   ". . . . . X . . . . .\n"
                                                                   ". . . . . O . . . . .\n"},
    {"two stones deep", ". . . . . . . . . .\n"
                        ". . . . . . . . X .\n"
                        ". . . . . X . 3 X .\n"
                        ". . . . . . a . . .\n"
                        ". . . . . X . X 3 .\n"
                        ". . . . . . . X . .\n"
                        ". . . . . . . . . .\n"
                        ". . . . . . . . . .\n"
                        ". . . . . . . . . .\n"},
    {"three stones deep, forbidden", ". . . . . . . . . .\n"
                                     ". . . . . . . 3 . .\n"
                                     ". . . . . . . . . .\n"
                                     ". . . . 3 X . X . .\n"
                                     ". . . . X 3 3 X . .\n"
                                     ". . . 3 X X . 3 . .\n"
                                     ". . . . 3 . . . X .\n"
                                     ". . . . . . . . . .\n"
                                     ". . . . . . . . . .\n"},
    {"three stones deep, allowed", ". . . . . . . . . .\n"
                                   ". . . . . . . . . .\n"
                                   ". . . . . . . a . .\n"
                                   ". . . . 3 3 X X a .\n"
                                   ". . . . . X X 3 . .\n"
                                   ". . . . 3 3 X X . .\n"
                                   ". . . . . X . a . .\n"
                                   ". . . . . . . . . .\n"},
};

static void test_diagrams(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof DIAGRAMS / sizeof *DIAGRAMS; i++) {
        RifBoard board, marks;
        Map slow, fast;
        int width = 0, height = 0, x = 0;
        board_clear(&marks, RIF_SIZE_MAX, RIF_SIZE_MAX);
        for (const char *c = DIAGRAMS[i].rows; *c; c++) {
            if (*c == '\n') width = x, x = 0, height++;
            if (*c > ' ') marks.cell[height][x++] = *c;
        }
        board_clear(&board, width, height);
        for (int y = 0; y < height; y++)
            for (x = 0; x < width; x++)
                if (strchr("XO", marks.cell[y][x])) board.cell[y][x] = marks.cell[y][x];
        map_by_reference(&board, &slow);
        map_by_ban(&board, &fast);
        for (int y = 0; y < height; y++) {
            for (x = 0; x < width; x++) {
                RifTrace trace;
                if (board.cell[y][x] != '.') continue;
                bool fake = rif_is_fake(rif_forbidden(&board, x, y, &trace), &trace);
                char found = fake ? 'a' : ".5436"[slow.at[y][x]];
                if (found != marks.cell[y][x] || fast.at[y][x] != slow.at[y][x])
                    fail_msg("%s: at %c%d %c expected, %c found by the reference, %s by ban.h",
                             DIAGRAMS[i].name, 'a' + x, height - y, marks.cell[y][x], found,
                             rif_name(fast.at[y][x]));
            }
        }
    }
}

/* "Without at the same time a five in a row is made": a three whose only way to a straight four
 * completes a five on the way is none. */
static void test_trap(void **state)
{
    (void)state;
    static const struct {
        const char *black, *white;
        RifVerdict h8;
    } TRAPS[] = {
        {"f8i8h9h10", "", RIF_DOUBLE_THREE},
        {"f8i8h9h10g4g5g6g7", "g3", RIF_LEGAL},
        {"f8i8h9h10g4g6g7", "g3g5", RIF_DOUBLE_THREE},
        {"f8i8h9h10g4g5g6", "g3g7", RIF_DOUBLE_THREE},
    };
    for (size_t i = 0; i < sizeof TRAPS / sizeof *TRAPS; i++) {
        RifBoard board;
        Map map;
        board_clear(&board, 15, 15);
        board_add(&board, TRAPS[i].black, 'X');
        board_add(&board, TRAPS[i].white, 'O');
        assert_int_equal(rif_forbidden(&board, 7, 7, NULL), TRAPS[i].h8);
        map_by_ban(&board, &map);
        assert_int_equal(map.at[7][7], TRAPS[i].h8);
    }
}

/* What random positions held, so that a run says what it has seen. */
typedef struct {
    long positions, points, verdicts[RIF_OVERLINE + 1], fakes, depth[8];
} Tally;

typedef struct {
    long first, end, step; /* positions of this thread */
    Tally tally;
    bool failed; /* then the rest is the evidence */
    RifBoard board;
    int x, y;
    RifVerdict slow, fast;
    long number;
} Hunt;

/* Position number n, always the same: a square of 7 to 9 points a side anywhere on the board, cut
 * off by the edge now and then, a quarter to nearly a half full. Mostly 15x15. */
static void board_random(RifBoard *b, long n)
{
    Rng rng;
    rng_seed(&rng, (uint64_t)n);
    int size = rng_below(&rng, 8) ? 15 : 5 + (int)rng_below(&rng, RIF_SIZE_MAX - 4);
    int side = 7 + (int)rng_below(&rng, 3);
    int left = (int)rng_below(&rng, (uint32_t)(size + 4)) - side / 2 - 1;
    int top = (int)rng_below(&rng, (uint32_t)(size + 4)) - side / 2 - 1;
    uint32_t full = 25 + rng_below(&rng, 21), black = 45 + rng_below(&rng, 31);
    board_clear(b, size, size);
    for (int y = top; y < top + side; y++) {
        for (int x = left; x < left + side; x++) {
            if (x < 0 || y < 0 || x >= size || y >= size) continue;
            if (rng_below(&rng, 100) >= full) continue;
            b->cell[y][x] = rng_below(&rng, 100) < black ? 'X' : 'O';
        }
    }
}

static void tally_add(Tally *t, RifVerdict verdict, const RifTrace *trace)
{
    t->points++;
    t->verdicts[verdict]++;
    t->fakes += rif_is_fake(verdict, trace);
    for (int d = 1; d < 8; d++) t->depth[d] += trace->depth >= d;
}

/* A thread's share; cmocka's checks belong to the main thread, so it only leaves its findings. */
static void hunt_run(void *ctx)
{
    Hunt *h = ctx;
    for (long n = h->first; n < h->end; n += h->step) {
        Map fast;
        h->number = n;
        board_random(&h->board, n);
        map_by_ban(&h->board, &fast);
        h->tally.positions++;
        for (int y = 0; y < h->board.height; y++) {
            for (int x = 0; x < h->board.width; x++) {
                RifTrace trace;
                if (h->board.cell[y][x] != '.') continue;
                h->slow = rif_forbidden(&h->board, x, y, &trace);
                h->fast = fast.at[y][x];
                tally_add(&h->tally, h->slow, &trace);
                if (h->slow == h->fast) continue;
                h->x = x;
                h->y = y;
                h->failed = true;
                return;
            }
        }
    }
}

static void tally_join(Tally *all, const Tally *t)
{
    all->positions += t->positions;
    all->points += t->points;
    all->fakes += t->fakes;
    for (int i = 0; i <= RIF_OVERLINE; i++) all->verdicts[i] += t->verdicts[i];
    for (int d = 0; d < 8; d++) all->depth[d] += t->depth[d];
}

static void test_random(void **state)
{
    (void)state;
    enum { THREADS = 2 };
    static Hunt hunt[THREADS];
    Thread *thread[THREADS];
    const char *wanted = getenv("BAN_POSITIONS");
    long positions = wanted ? atol(wanted) : getenv("QUICK") ? 1000 : 20000;
    Tally all = {0};
    for (int i = 0; i < THREADS; i++) {
        hunt[i] = (Hunt){.first = i, .end = positions, .step = THREADS};
        thread[i] = os_thread_start(hunt_run, &hunt[i], NULL);
        assert_non_null(thread[i]);
    }
    for (int i = 0; i < THREADS; i++) os_thread_join(thread[i]);
    for (int i = 0; i < THREADS; i++) {
        Hunt *h = &hunt[i];
        tally_join(&all, &h->tally);
        if (!h->failed) continue;
        board_message(&h->board);
        fail_msg("position %ld, %c%d: reference %s, ban.h %s", h->number, 'a' + h->x,
                 h->board.height - h->y, rif_name(h->slow), rif_name(h->fast));
    }
    print_message("%ld positions, %ld empty points: %ld double threes, %ld double fours, %ld "
                  "overlines, %ld fives, %ld fakes, recursion >= 1: %ld, >= 2: %ld, >= 3: %ld, "
                  ">= 4: %ld, >= 5: %ld\n",
                  all.positions, all.points, all.verdicts[RIF_DOUBLE_THREE],
                  all.verdicts[RIF_DOUBLE_FOUR], all.verdicts[RIF_OVERLINE], all.verdicts[RIF_FIVE],
                  all.fakes, all.depth[1], all.depth[2], all.depth[3], all.depth[4], all.depth[5]);
}

/* The list and the question whether a move is allowed say the same as the verdicts. */
static void test_list(void **state)
{
    (void)state;
    for (long n = 0; n < 300; n++) {
        RifBoard board;
        Map map;
        Point list[RIF_SIZE_MAX * RIF_SIZE_MAX];
        board_random(&board, n);
        map_by_ban(&board, &map);
        Board *b = board_from(&board);
        int count = ban_list(b, list), seen = 0;
        for (int i = 0; i < board.width * board.height; i++) {
            Point p = rules_nth(&b->rules, i);
            bool foul = map.at[i / board.width][i % board.width] >= RIF_DOUBLE_FOUR;
            if (foul) assert_true(seen < count && list[seen++] == p);
            assert_int_equal(ban_allows(b, p, BLACK), board_is_empty(b, p) && !foul);
            assert_int_equal(ban_allows(b, p, WHITE), board_is_empty(b, p));
        }
        assert_int_equal(seen, count);
        board_close(b);
    }
}

/* Where every point may be a three of another one the answer comes all the same: this test would
 * not end without the limit. */
static void test_endless(void **state)
{
    (void)state;
    static const struct {
        int size, win, step;
    } boards[] = {{40, 5, 3}, {40, 4, 4}, {50, 3, 40}};
    static Point list[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    for (size_t n = 0; n < sizeof boards / sizeof *boards; n++) {
        Rules rules;
        rules_init(&rules, RULE_RENJU, boards[n].size, boards[n].size, boards[n].win);
        Board *b = board_open(&rules, NEAR_SQUARE2);
        for (int y = 0; y < boards[n].size; y += boards[n].step)
            for (int x = 0; x < boards[n].size; x++) board_put(b, rules_point(&rules, x, y), BLACK);
        assert_true(ban_list(b, list) > 0);
        board_close(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_cases),
        cmocka_unit_test(test_reference_maps),
        cmocka_unit_test(test_reference_fakes),
        cmocka_unit_test(test_fast_cases),
        cmocka_unit_test(test_fast_maps),
        cmocka_unit_test(test_diagrams),
        cmocka_unit_test(test_trap),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

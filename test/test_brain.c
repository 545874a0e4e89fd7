/* SPDX-License-Identifier: MIT */
/* The brain: transcripts, the organisers' acceptance positions, other people's board cases, and
 * whole games in which every answer is judged. Threads and clocks are tested from outside, by
 * cli_brain. */
#include "app/brain.h"
#include "base/mem.h"
#include "base/os.h"
#include "game/ban.h"
#include "game/notation.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TRANSCRIPTS "test/data/brain"
#define CASES_PATH  "../shared/data/protocol/board-cases.tsv"
#define THINKER     "ab:eval=shape,nodes=20000,memory=4M"

typedef struct {
    Brain *brain;
    Buf out; /* lines that were written and not looked at */
} Talk;

static void catch_line(void *ctx, const char *line)
{
    Talk *talk = ctx;
    buf_printf(&talk->out, "%s\n", line);
}

static void talk_open(Talk *talk, const char *player)
{
    Err err;
    BrainOptions options = {.player = player, .write = catch_line, .ctx = talk, .seed = 1};
    *talk = (Talk){0};
    talk->brain = brain_open(&options, &err);
    if (!talk->brain) fail_msg("%s: %s", player, err.text);
}

static void talk_close(Talk *talk)
{
    brain_close(talk->brain);
    buf_free(&talk->out);
}

static void tell(Talk *talk, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void tell(Talk *talk, const char *format, ...)
{
    char line[300];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    assert_true(brain_handle(talk->brain, line, os_clock_ms()));
}

/* The next answer that is not a message; "" when there is none. */
static const char *answer(Talk *talk, char line[300])
{
    line[0] = '\0';
    while (talk->out.len) {
        char *end = strchr(talk->out.data, '\n');
        snprintf(line, 300, "%.*s", (int)(end - talk->out.data), talk->out.data);
        size_t skip = (size_t)(end - talk->out.data) + 1;
        talk->out.len -= skip;
        memmove(talk->out.data, talk->out.data + skip, talk->out.len + 1);
        if (strncmp(line, "MESSAGE", 7) != 0 && strncmp(line, "DEBUG", 5) != 0) break;
        line[0] = '\0';
    }
    return line;
}

static void expect(Talk *talk, const char *text)
{
    char line[300];
    answer(talk, line);
    if (strcmp(line, text) != 0) fail_msg("\"%s\" and not \"%s\"", line, text);
}

static void expect_point(Talk *talk, int *x, int *y)
{
    char line[300], end;
    answer(talk, line);
    if (sscanf(line, "%d,%d%c", x, y, &end) != 2) fail_msg("\"%s\" is no point", line);
}

/* --- transcripts ----------------------------------------------------------------------------- */

/* '*' stands for any text, '#' for a number; the rest for itself. */
static bool matches(const char *pattern, const char *text)
{
    if (!*pattern) return !*text;
    if (*pattern == '*') return matches(pattern + 1, text) || (*text && matches(pattern, text + 1));
    if (*pattern == '#') {
        size_t digits = strspn(text, "0123456789");
        return digits && matches(pattern + 1, text + digits);
    }
    return *pattern == *text && matches(pattern + 1, text + 1);
}

/* "> line" is sent, "< pattern" is what must be answered next, "= player SPEC" opens a brain of its
 * own; messages are passed over and nothing else may be left at the next line sent. */
static void run_transcript(const char *path)
{
    Buf file = BUF_EMPTY;
    Err err;
    char got[300];
    Talk talk;
    int number = 0;
    if (!os_file_read(path, 1 << 20, &file, &err)) fail_msg("%s", err.text);
    talk_open(&talk, "random:seed=1");
    for (char *line = strtok(file.data, "\n"); line; line = strtok(NULL, "\n")) {
        number++;
        if (strncmp(line, "= player ", 9) == 0) {
            talk_close(&talk);
            talk_open(&talk, line + 9);
        } else if (line[0] == '>') {
            if (*answer(&talk, got))
                fail_msg("%s, line %d: nobody asked for: %s", path, number, got);
            brain_handle(talk.brain, line[1] ? line + 2 : "", os_clock_ms());
        } else if (line[0] == '<') {
            answer(&talk, got);
            if (!matches(line + 2, got))
                fail_msg("%s, line %d: \"%s\" and not \"%s\"", path, number, got, line + 2);
        }
    }
    if (*answer(&talk, got)) fail_msg("%s: nobody asked for: %s", path, got);
    talk_close(&talk);
    buf_free(&file);
}

static void test_transcripts(void **state)
{
    (void)state;
    DIR *folder = opendir(TRANSCRIPTS);
    if (!folder) fail_msg("no folder " TRANSCRIPTS);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[400];
        size_t len = strlen(entry->d_name);
        if (len < 4 || strcmp(entry->d_name + len - 4, ".txt") != 0) continue;
        snprintf(path, sizeof path, TRANSCRIPTS "/%s", entry->d_name);
        run_transcript(path);
        files++;
    }
    closedir(folder);
    assert_true(files > 0);
}

static void test_odd_lines(void **state)
{
    (void)state;
    Talk talk;
    char line[5000];
    talk_open(&talk, "random:seed=1");
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\0';
    assert_true(brain_handle(talk.brain, line, 0));
    assert_true(brain_handle(talk.brain, "", 0));
    assert_true(brain_handle(talk.brain, " \t ", 0));
    assert_true(brain_handle(talk.brain, "\x01\xff\xfe", 0));
    assert_false(brain_handle(talk.brain, " end ", 0));
    assert_true(brain_line_is_end("END"));
    assert_false(brain_line_is_end("ENDING"));
    assert_true(brain_line_is_stop(" yxstop"));
    assert_true(brain_line_is_stop("STOP"));
    assert_null(brain_open(&(BrainOptions){.player = "nobody"}, NULL));
    talk_close(&talk);
}

/* --- answers --------------------------------------------------------------------------------- */

/* Sends the moves as a BOARD, ours last but one. */
static void send_moves(Talk *talk, int rule, int size, const char *moves)
{
    Rules rules;
    rules_init(&rules, RULE_FREESTYLE, size, size, 5);
    Position position;
    Err err;
    assert_true(position_parse(&rules, moves, 0, &position, &err));
    tell(talk, "START %d", size);
    expect(talk, "OK");
    tell(talk, "INFO rule %d", rule);
    tell(talk, "INFO timeout_turn 20000");
    tell(talk, "BOARD");
    for (int i = 0; i < position.count; i++) {
        Point p = position.stones[i];
        tell(talk, "%d,%d,%d", rules_x(&rules, p), rules_y(&rules, p),
             (position.count - i) % 2 ? 2 : 1);
    }
    tell(talk, "DONE");
    position_free(&position);
}

static void test_acceptance(void **state)
{
    (void)state;
    static const struct {
        int rule; /* −1: every one */
        const char *moves, *good, *bad;
    } rows[] = {
        {-1, "h8h9i8i9j8j9k8k9", " g8 l8 ", NULL},
        {1, "h8h9i8h10g8h11j13h12g14h14i15", " f8 j8 ", NULL},
        {4, "h8h9i7i9h10i6i11i12", NULL, " g9 "},
        {8, "h8f8g8f9i8f7j8l8", " f5 f6 f10 f11 ", NULL},
        {9, "h8f8g8f9i8f7j8l8", " f5 f6 f10 f11 ", NULL},
    };
    static const int numbers[] = {0, 1, 4, 9, 8, 2};
    Talk talk;
    talk_open(&talk, THINKER);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t r = 0; r < sizeof numbers / sizeof *numbers; r++) {
            if (rows[i].rule >= 0 && rows[i].rule != numbers[r]) continue;
            int x, y;
            char text[POINT_TEXT_MAX], word[POINT_TEXT_MAX + 3];
            Rules rules;
            send_moves(&talk, numbers[r], 15, rows[i].moves);
            expect_point(&talk, &x, &y);
            rules_init(&rules, RULE_FREESTYLE, 15, 15, 5);
            snprintf(word, sizeof word, " %s ",
                     point_text(&rules, rules_point(&rules, x, y), text));
            if ((rows[i].good && !strstr(rows[i].good, word)) ||
                (rows[i].bad && strstr(rows[i].bad, word)))
                fail_msg("rule %d, %s: %s", numbers[r], rows[i].moves, word);
        }
    }
    talk_close(&talk);
}

/* A row of the table: name, size, "x,y,who …", "x,y …", "yes" or why it is not forced. */
static void check_case(Talk *talk, char *row)
{
    char *cell[5] = {row};
    int n = 1;
    for (char *tab; n < 5 && (tab = strchr(cell[n - 1], '\t')) != NULL; n++) {
        *tab = '\0';
        cell[n] = tab + 1;
    }
    assert_int_equal(n, 5);
    tell(talk, "START %s", cell[1]);
    expect(talk, "OK");
    tell(talk, "BOARD");
    for (char *stone = strtok(cell[2], " "); stone; stone = strtok(NULL, " "))
        tell(talk, "%s", stone);
    tell(talk, "DONE");
    char line[300], word[310], good[200];
    snprintf(word, sizeof word, " %s ", answer(talk, line));
    snprintf(good, sizeof good, " %s ", cell[3]);
    bool forced = strncmp(cell[4], "yes", 3) == 0;
    if (forced && !strstr(good, word)) fail_msg("%s: %s, not one of %s", cell[0], line, cell[3]);
    int x, y;
    assert_int_equal(sscanf(line, "%d,%d", &x, &y), 2);
}

static void test_board_cases(void **state)
{
    (void)state;
    Buf file = BUF_EMPTY;
    if (!os_file_read(CASES_PATH, 1 << 20, &file, NULL)) skip();
    Talk talk;
    int rows = 0;
    talk_open(&talk, THINKER);
    tell(&talk, "INFO timeout_turn 20000");
    char *line = strchr(file.data, '\n');
    while (line && line[1]) {
        char *next = strchr(line + 1, '\n');
        if (next) *next = '\0';
        check_case(&talk, line + 1);
        rows++;
        line = next;
    }
    assert_true(rows > 20);
    talk_close(&talk);
    buf_free(&file);
}

/* --- games ----------------------------------------------------------------------------------- */

static void judge(Board *board, Talk *talk, int *x, int *y)
{
    expect_point(talk, x, y);
    assert_true(rules_inside(&board->rules, *x, *y));
    Point p = rules_point(&board->rules, *x, *y);
    if (!ban_allows(board, p, board->side)) fail_msg("%d,%d is not allowed", *x, *y);
    board_play(board, p);
}

/* Two brains play each other from `start`; the judge is a board of ours. */
static void play_game(const char *player, int number, RuleKind kind, int width, int height,
                      const char *start)
{
    Talk talk[COLOUR_COUNT];
    Rules rules;
    Position position;
    int x, y;
    rules_init(&rules, kind, width, height, 5);
    Board *board = board_open(&rules, NEAR_ALL);
    assert_true(position_parse(&rules, start, 0, &position, NULL));
    for (int i = 0; i < position.count; i++) board_play(board, position.stones[i]);
    for (int c = BLACK; c <= WHITE; c++) {
        talk_open(&talk[c], player);
        tell(&talk[c], "RECTSTART %d,%d", width, height);
        expect(&talk[c], "OK");
        tell(&talk[c], "INFO rule %d", number);
        tell(&talk[c], "INFO timeout_turn 20000");
    }
    for (bool first[COLOUR_COUNT] = {true, true}; !board_is_over(board);) {
        Talk *mover = &talk[board->side];
        if (!first[board->side]) {
            tell(mover, "TURN %d,%d", x, y);
        } else {
            tell(mover, "BOARD");
            for (int i = 0; i < width * height; i++) {
                Point p = rules_nth(&rules, i);
                if (board_is_empty(board, p)) continue;
                tell(mover, "%d,%d,%d", rules_x(&rules, p), rules_y(&rules, p),
                     board->cell[p] == board->side + 1 ? 1 : 2);
            }
            tell(mover, "DONE");
        }
        first[board->side] = false;
        bool legal = false;
        for (int i = 0; i < width * height && !legal; i++)
            legal = ban_allows(board, rules_nth(&rules, i), board->side);
        if (!legal) {
            char line[300];
            assert_int_equal(strncmp(answer(mover, line), "ERROR", 5), 0);
            break;
        }
        judge(board, mover, &x, &y);
    }
    for (int c = BLACK; c <= WHITE; c++) talk_close(&talk[c]);
    position_free(&position);
    board_close(board);
}

static void test_games(void **state)
{
    (void)state;
    static const int numbers[RULE_COUNT] = {0, 1, 4, 9, 8};
    for (int kind = 0; kind < RULE_COUNT; kind++) {
        play_game("ab:eval=shape,nodes=1000,memory=1M", numbers[kind], (RuleKind)kind, 15, 15,
                  "b2e2e3");
        play_game("ab:eval=shape,nodes=200,memory=1M", numbers[kind], (RuleKind)kind, 5, 5, "");
        play_game("ab:eval=shape,nodes=200,memory=1M", numbers[kind], (RuleKind)kind, 7, 23, "");
        play_game("random:seed=3", numbers[kind], (RuleKind)kind, 6, 5, ""); /* to the last point */
        play_game("random:seed=4", numbers[kind], (RuleKind)kind, 9, 10, "");
    }
}

/* One empty point, then none; renju with nothing but a forbidden point. */
static void test_full_board(void **state)
{
    (void)state;
    Talk talk;
    talk_open(&talk, THINKER);
    for (int rule = 0; rule < 2; rule++) {
        tell(&talk, "START 5");
        expect(&talk, "OK");
        tell(&talk, "INFO rule %d", rule);
        tell(&talk, "BOARD");
        for (int i = 0; i < 24; i++)
            tell(&talk, "%d,%d,%d", i % 5, i / 5, (i % 5 + i / 5 * 2) % 4 < 2 ? 1 : 2);
        tell(&talk, "DONE");
        expect(&talk, "4,4");
        char line[300];
        tell(&talk, "TURN 0,0");
        assert_string_equal(answer(&talk, line), "ERROR 0,0 is taken");
        tell(&talk, "YXNBEST 1");
        assert_int_equal(strncmp(answer(&talk, line), "ERROR", 5), 0);
    }
    talk_close(&talk);
}

/* Blocked points and points of field 3 are never played. */
static void test_blocked(void **state)
{
    (void)state;
    Talk talk;
    int x, y;
    talk_open(&talk, THINKER);
    send_moves(&talk, 0, 15, "h8h9i8i9j8j9k8k9");
    expect_point(&talk, &x, &y);
    tell(&talk, "TAKEBACK %d,%d", x, y);
    expect(&talk, "OK");
    tell(&talk, "YXBLOCK");
    tell(&talk, "%d,%d", x, y);
    tell(&talk, "DONE");
    tell(&talk, "YXNBEST 1");
    int x2, y2;
    expect_point(&talk, &x2, &y2);
    assert_true(y2 == y && x2 != x); /* the other end */
    tell(&talk, "START 5");
    expect(&talk, "OK");
    tell(&talk, "BOARD");
    for (int i = 0; i < 23; i++) tell(&talk, "%d,%d,3", i % 5, i / 5);
    tell(&talk, "DONE");
    expect_point(&talk, &x, &y);
    assert_true(y == 4 && x >= 3);
    talk_close(&talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transcripts), cmocka_unit_test(test_odd_lines),
        cmocka_unit_test(test_acceptance),  cmocka_unit_test(test_board_cases),
        cmocka_unit_test(test_games),       cmocka_unit_test(test_full_board),
        cmocka_unit_test(test_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

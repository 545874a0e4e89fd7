/* SPDX-License-Identifier: MIT */
/* false_wins [options] GAME...: does every win that the search claims really win?
 *
 * Positions are taken from games, the same ones each time (number i: game i modulo their count, a
 * ply drawn from i). Each is thought about; a mate score for either side is a claim. Its line must
 * be legal and, where it is complete, end in a row; then it is played out, the winner with the
 * limits of the claim, the loser with more. A claim that is not converted goes to the prover:
 * proved, the search only lost its way; not proved, it counts as false.
 *
 * make test-wins runs it over the shared games. Work is split and taken up again by --from and
 * --count. One line per claim that was not simply won, a summary at the end; exit 1 if any was
 * false, had a bad line or was not converted. */
#include "base/opts.h"
#include "base/os.h"
#include "base/rng.h"
#include "game/ban.h"
#include "game/notation.h"
#include "game/record.h"
#include "search/dfpn.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLIES_FIRST = 6,  /* of a game that are no test */
    PLIES_GRACE = 60, /* beyond the claim before it counts as not converted */
    PROVER_MS = 20000,
    MOVES_MAX = SIZE_MAX_SIDE * SIZE_MAX_SIDE,
};

typedef struct {
    int64_t from, count, nodes;
    int ms, deeper, rule;
    size_t memory;
    bool all;
} Options;

static const Opt opts[] = {
    {.name = "from",
     .type = OPT_COUNT,
     .offset = offsetof(Options, from),
     .standard = "0",
     .help = "number of the first position"},
    {.name = "count",
     .type = OPT_COUNT,
     .offset = offsetof(Options, count),
     .standard = "500",
     .help = "how many positions"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(Options, nodes),
     .standard = "0",
     .help = "nodes for a position; 0: by time"},
    {.name = "ms",
     .type = OPT_INT,
     .offset = offsetof(Options, ms),
     .standard = "200",
     .help = "milliseconds for a position"},
    {.name = "deeper",
     .type = OPT_INT,
     .offset = offsetof(Options, deeper),
     .min = 1,
     .max = 1000,
     .standard = "5",
     .help = "how many times as much the loser gets"},
    {.name = "rule",
     .type = OPT_CHOICE,
     .offset = offsetof(Options, rule),
     .choices = "freestyle|standard|renju|caro|caro6",
     .standard = "freestyle",
     .help = "under which the games are taken, as far as they are legal and not over"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(Options, memory),
     .standard = "32M",
     .help = "bytes of each table"},
    {.name = "all",
     .type = OPT_BOOL,
     .offset = offsetof(Options, all),
     .help = "a line for every claim"},
    {0},
};

static const OptTable table = {
    .name = "false_wins",
    .args = "GAME...",
    .args_min = 1,
    .args_max = -1,
    .about = "Checks the wins that the search claims in positions of games.",
    .example = "false_wins --nodes 100000 --count 500 games/*.psq",
    .opts = opts,
};

typedef struct {
    Point moves[MOVES_MAX];
    int count;
} Game;

typedef enum { CLAIM_WON, CLAIM_LATE, CLAIM_PROVED, CLAIM_FALSE, CLAIM_KINDS } Outcome;
static const char *const outcome_names[] = {"won", "won later", "proved only", "FALSE"};

typedef struct {
    Options options;
    Rules rules;
    Board *board, *replay;
    Search *winner, *loser;
    Dfpn *dfpn;
    Game game;
    int64_t positions, claims, bad_lines, outcomes[CLAIM_KINDS];
} Check;

/* --- positions ------------------------------------------------------------------------------- */

static bool check_open(Check *check, const Rules *rules, Err *err)
{
    SearchOptions options = {
        .threads = 1, .table_bytes = check->options.memory, .eval = &eval_best};
    check->rules = *rules;
    check->board = board_open(rules, NEAR_SQUARE2);
    check->replay = board_open(rules, NEAR_SQUARE2);
    check->winner = search_open(rules, &options, err);
    check->loser = search_open(rules, &options, err);
    check->dfpn = dfpn_open(1 << 28);
    return check->winner && check->loser;
}

static void check_close(Check *check)
{
    if (!check->board) return;
    board_close(check->board);
    board_close(check->replay);
    search_close(check->winner);
    search_close(check->loser);
    dfpn_close(check->dfpn);
    check->board = NULL;
}

/* The main line as far as the rule allows it, without the move that ends it. */
static bool game_read(Check *check, const char *path, Err *err)
{
    RecordFormat format = FORMAT_PSQ;
    RecordSet set;
    Buf bytes = BUF_EMPTY;
    if (!record_format_from_name(path, &format, err)) return false;
    if (!os_file_read(path, 1 << 24, &bytes, err)) return false;
    bool good = record_read(format, bytes.data, bytes.len, path, NULL, &set, err);
    buf_free(&bytes);
    if (!good) return false;
    const Record *record = &set.records[0];
    Rules rules;
    rules_init(&rules, (RuleKind)check->options.rule, record->rules.width, record->rules.height,
               record->rules.k);
    if (!check->board || !rules_equal(&check->rules, &rules)) {
        check_close(check);
        good = check_open(check, &rules, err);
    }
    check->game.count = 0;
    if (good) board_reset(check->board);
    for (int n = record->nodes[0].first_child; good && n >= 0; n = record->nodes[n].first_child) {
        Point p = record->nodes[n].point;
        if (p == POINT_NONE || !ban_allows(check->board, p, check->board->side)) break;
        board_play(check->board, p);
        if (board_is_over(check->board)) break;
        check->game.moves[check->game.count++] = p;
    }
    record_set_close(&set);
    return good;
}

static void say_position(const Check *check, int plies)
{
    char text[POINT_TEXT_MAX];
    for (int i = 0; i < plies; i++)
        printf("%s", point_text(&check->rules, check->game.moves[i], text));
}

/* --- a claim --------------------------------------------------------------------------------- */

/* Is the line legal, with nothing after its end, and does it win if it is as long as it says? */
static bool line_holds(Check *check, const SearchLine *line, Colour winner, int plies)
{
    Board *board = check->replay;
    board_copy(board, check->board);
    for (int i = 0; i < line->line_len; i++) {
        Point p = line->line[i];
        if (board_is_over(board)) return false;
        if (p == POINT_NONE) { /* the only block is forbidden */
            if (board->side == winner) return false;
            board_pass(board);
            continue;
        }
        if (!ban_allows(board, p, board->side)) return false;
        board_play(board, p);
    }
    return line->line_len < plies || board->won == (Cell)(winner + 1);
}

static Limits limits_of(const Check *check, int times)
{
    const Options *options = &check->options;
    if (options->nodes) return (Limits){.nodes = options->nodes * times};
    return (Limits){.turn_ms = options->ms * times};
}

/* Plays the claim out from check->board, `move` first if the winner is to move. Returns the plies
 * it took; 0 if it was not won. */
static int play_out(Check *check, Colour winner, Point move, int plies)
{
    Board *board = check->replay;
    Limits own = limits_of(check, 1), more = limits_of(check, check->options.deeper);
    board_copy(board, check->board);
    int start = board->plies;
    search_new_game(check->loser);
    while (!board_is_over(board) && board->plies - start < plies + PLIES_GRACE) {
        bool wins = board->side == winner;
        SearchResult result = {.move = move};
        if (!wins || board->plies > start)
            search_run(wins ? check->winner : check->loser, board, wins ? &own : &more, NULL, NULL,
                       &result);
        /* A side without a legal move passes. */
        if (result.move == POINT_NONE) {
            board_pass(board);
        } else {
            board_play(board, result.move);
        }
    }
    return board->won == (Cell)(winner + 1) ? board->plies - start : 0;
}

static bool is_proved(Check *check, Colour winner)
{
    DfpnLimits limits = {.deadline = os_clock_ms() + PROVER_MS};
    DfpnResult result;
    board_copy(check->replay, check->board);
    return dfpn_search(check->dfpn, check->replay, GOAL_VCT, winner, &limits, &result) == SOLVE_WIN;
}

static void check_claim(Check *check, int64_t number, int at, const SearchResult *result)
{
    bool own = result->score > 0;
    Colour winner = own ? check->board->side : colour_other(check->board->side);
    int plies = own ? SCORE_WIN - result->score : SCORE_WIN + result->score;
    bool good = result->line_count && line_holds(check, &result->lines[0], winner, plies);
    int took = play_out(check, winner, result->move, plies);
    Outcome outcome = took && took <= plies      ? CLAIM_WON
                      : took                     ? CLAIM_LATE
                      : is_proved(check, winner) ? CLAIM_PROVED
                                                 : CLAIM_FALSE;
    check->claims++;
    check->bad_lines += !good;
    check->outcomes[outcome]++;
    if (good && outcome <= CLAIM_LATE && !check->options.all) return;
    printf("%lld: %s in %d, took %d: %s%s: ", (long long)number, own ? "win" : "loss", plies, took,
           outcome_names[outcome], good ? "" : ", BAD LINE");
    say_position(check, at);
    printf("\n");
    fflush(stdout);
}

static void check_position(Check *check, int64_t number)
{
    Rng rng;
    SearchResult result;
    rng_seed(&rng, (uint64_t)number);
    if (check->game.count <= PLIES_FIRST) return; /* a game too short to ask about */
    int at = PLIES_FIRST + (int)rng_below(&rng, (uint32_t)(check->game.count - PLIES_FIRST + 1));
    board_reset(check->board);
    for (int i = 0; i < at; i++) board_play(check->board, check->game.moves[i]);
    search_new_game(check->winner);
    Limits limits = limits_of(check, 1);
    search_run(check->winner, check->board, &limits, NULL, NULL, &result);
    check->positions++;
    if (score_is_mate(result.score)) check_claim(check, number, at, &result);
}

int main(int argc, char **argv)
{
    static Check check;
    Err err = {0};
    OptsResult parsed = opts_parse_args(&table, &argc, argv, &check.options, &err);
    if (parsed == OPTS_HELP) {
        Buf help = BUF_EMPTY;
        opts_help(&table, &help);
        printf("%s", buf_text(&help));
        return 0;
    }
    bool good = parsed == OPTS_OK;
    int64_t start = os_clock_ms();
    for (int64_t i = 0; good && i < check.options.count; i++) {
        int64_t number = check.options.from + i;
        good = game_read(&check, argv[number % argc], &err);
        if (good) check_position(&check, number);
    }
    check_close(&check);
    if (!good) {
        fprintf(stderr, "false_wins: %s\n", err.text);
        return 2;
    }
    printf("positions %lld to %lld: %lld asked, %lld claims", (long long)check.options.from,
           (long long)(check.options.from + check.options.count - 1), (long long)check.positions,
           (long long)check.claims);
    for (int i = 0; i < CLAIM_KINDS; i++)
        printf(", %lld %s", (long long)check.outcomes[i], outcome_names[i]);
    printf(", %lld bad lines; %.0f s\n", (long long)check.bad_lines,
           (double)(os_clock_ms() - start) / 1000);
    return check.outcomes[CLAIM_FALSE] || check.outcomes[CLAIM_PROVED] || check.bad_lines;
}

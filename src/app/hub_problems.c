/* SPDX-License-Identifier: MIT */
/* The problem trainer. The engine defends: after each move of the solver it proves that the win is
 * still there, and answers with the defence that lasts longest; or it shows what refutes the move.
 */
#include "app/cli.h"
#include "app/hub_ask.h"
#include "app/problems.h"
#include "base/mem.h"
#include "game/ban.h"
#include "search/vct.h"

#include <stdio.h>
#include <string.h>

enum { POINTS_MAX = SIZE_MAX_SIDE * SIZE_MAX_SIDE, MOVES_MAX = 200, LIST_MAX = 500, TRY_MS = 4000 };

/* ---- suites ---- */

typedef struct {
    bool *solved; /* by number, from 1 */
    int most, count;
} Solved;

static void take_solved(void *ctx, int64_t number)
{
    Solved *solved = ctx;
    if (number < 1 || number > solved->most) return;
    solved->solved[number] = true;
    solved->count++;
}

static bool load_solved(Client *client, const Suite *suite, Solved *solved, Refusal *no)
{
    *solved = (Solved){.solved = mem_zero((size_t)suite->set.count + 1), .most = suite->set.count};
    return library_solved(client->hub->library, client->token, suite->name, take_solved, solved,
                          &no->err) ||
           refuse_so(no, "failed");
}

static const Problems *all_problems(Client *client, Refusal *no)
{
    Problems *problems = client->hub->problems;
    if (problems->count || problems_open(problems, NULL, &no->err)) return problems;
    refuse_so(no, "failed");
    return NULL;
}

static bool do_suites(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const Problems *problems = all_problems(client, no);
    bool good = problems != NULL;
    json_t *list = json_array();
    (void)request;
    for (int i = 0; good && i < problems->count; i++) {
        const Suite *suite = &problems->suites[i];
        Solved solved;
        good = load_solved(client, suite, &solved, no);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:i, s:i}", "suite", suite->name,
                                              "name", suite->name, "about", suite->about, "count",
                                              suite->set.count, "solved", solved.count));
        mem_free(solved.solved);
    }
    json_object_set_new(reply, "suites", list);
    return good;
}

static const Suite *asked_suite(Client *client, const json_t *body, Refusal *no)
{
    const char *name = NULL;
    if (!field_needs_text(body, "suite", 64, &name, no)) return NULL;
    const Problems *problems = all_problems(client, no);
    if (!problems) return NULL;
    const Suite *suite = problems_find(problems, name);
    if (!suite) refuse(no, "missing", "There is no suite of problems called %s.", name);
    return suite;
}

static const Record *asked_problem(Client *client, const json_t *body, const Suite **suite,
                                   int64_t *number, Refusal *no)
{
    *suite = asked_suite(client, body, no);
    *number = 0;
    if (!*suite || !field_whole(body, "number", 1, 1000000000, number, no)) return NULL;
    if (*number < 1 || *number > (*suite)->set.count) {
        refuse(no, "missing", "There is no problem of that number.");
        return NULL;
    }
    return &(*suite)->set.records[*number - 1];
}

static void add_problem(json_t *out, const Record *record, int64_t number, bool solved)
{
    static const char *const goals[] = {"vcf", "vct", "win"};
    const char *line = record_tag(record, "solution");
    int n = line && *line ? 1 : 0;
    for (const char *c = line; n && *c; c++) n += *c == ' ';
    json_object_set_new(out, "number", json_integer(number));
    json_object_set_new(out, "title", json_string(record->name));
    json_object_set_new(out, "goal", json_string(goals[problem_goal(record)]));
    json_object_set_new(out, "plies", n > 0 ? json_integer(n) : json_null());
    json_object_set_new(out, "rules", json_rules(&record->rules));
    json_object_set_new(out, "solved", json_boolean(solved));
}

static bool do_list(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const Suite *suite = asked_suite(client, request->body, no);
    int64_t offset = 0, limit = 100;
    Solved solved;
    if (!suite || !field_whole(request->body, "offset", 0, 1000000000, &offset, no) ||
        !field_whole(request->body, "limit", 0, LIST_MAX, &limit, no))
        return false;
    bool good = load_solved(client, suite, &solved, no);
    json_t *list = json_array();
    for (int64_t i = offset; good && i < suite->set.count && i < offset + limit; i++) {
        json_t *row = json_object();
        add_problem(row, &suite->set.records[i], i + 1, solved.solved[i + 1]);
        json_array_append_new(list, row);
    }
    json_object_set_new(reply, "total", json_integer(suite->set.count));
    json_object_set_new(reply, "problems", list);
    mem_free(solved.solved);
    return good;
}

static void add_position(json_t *out, const Board *board)
{
    Buf text = BUF_EMPTY;
    for (int colour = BLACK; colour <= WHITE; colour++) {
        char point[POINT_TEXT_MAX];
        buf_add_text(&text, colour == BLACK ? "b:" : "/w:");
        for (int i = 0; i < board->rules.width * board->rules.height; i++) {
            Point p = rules_nth(&board->rules, i);
            if (board->cell[p] == (colour == BLACK ? CELL_BLACK : CELL_WHITE))
                buf_add_text(&text, point_text(&board->rules, p, point));
        }
    }
    json_object_set_new(out, "position", json_string(buf_text(&text)));
    json_object_set_new(out, "side", json_colour(board->side));
    buf_free(&text);
}

static bool do_get(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const Suite *suite;
    int64_t number;
    Solved solved;
    const Record *record = asked_problem(client, request->body, &suite, &number, no);
    if (!record) return false;
    bool good = load_solved(client, suite, &solved, no);
    if (good) {
        Board *board = record_board(record, NEAR_SQUARE2);
        json_object_set_new(reply, "suite", json_string(suite->name));
        add_problem(reply, record, number, solved.solved[number]);
        add_position(reply, board);
        board_close(board);
    }
    mem_free(solved.solved);
    return good;
}

/* ---- moves ---- */

/* Plays the moves of a request; "--" is a pass, where the only defence is forbidden. */
static bool play_moves(Board *board, const json_t *body, int *count, Refusal *no)
{
    json_t *list = NULL;
    *count = 0;
    if (!field_array(body, "moves", MOVES_MAX, &list, no)) return false;
    for (size_t i = 0; list && i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i)), *at = text;
        Point p;
        if (!text) return refuse(no, "bad", "\"moves\" must be a list of points.");
        if (board_is_over(board)) return refuse(no, "illegal", "The game is over.");
        ++*count;
        if (strcmp(text, "--") == 0) {
            board_pass(board);
            continue;
        }
        if (!point_parse(&board->rules, &at, &p, &no->err)) return refuse_so(no, "bad");
        if (*at) return refuse(no, "bad", "\"moves\" must be a list of points.");
        if (!board_is_empty(board, p)) return refuse(no, "illegal", "%s is taken.", text);
        if (!ban_allows(board, p, board->side)) {
            no->why = ban_name(ban_at(board, p));
            return refuse(no, "forbidden", "%s is forbidden to Black: a %s.", text, no->why);
        }
        board_play(board, p);
    }
    return true;
}

/* ---- the defence ---- */

typedef struct {
    Pending *pending;
    PoolSlot *slot;
    int64_t deadline;
} Trial;

/* Does the attacker, whoever is to move, still win? *plies: how long it takes if he is to move. */
static Verdict still_wins(const Trial *trial, Board *board, int *plies)
{
    const Pending *pending = trial->pending;
    DfpnLimits limits = {.stop = pool_halt(trial->slot), .deadline = trial->deadline};
    DfpnResult result;
    *plies = 0;
    if (board->side == pending->attacker) {
        VcfResult fours;
        VcfLimits four_limits = {
            .shortest = true, .nodes = 100000, .stop = limits.stop, .deadline = trial->deadline};
        if (vcf_search(pool_vcf(trial->slot), board, &four_limits, &fours) == SOLVE_WIN) {
            *plies = fours.plies;
            return SOLVE_WIN;
        }
    }
    Goal goal = pending->goal == GOAL_WIN ? GOAL_WIN : GOAL_VCT;
    Verdict verdict =
        dfpn_search(pool_dfpn(trial->slot), board, goal, pending->attacker, &limits, &result);
    if (verdict == SOLVE_WIN) *plies = result.plies;
    return verdict;
}

/* What the defender may try: blocks of a five; else whatever touches the threat. */
static int list_defences(const Trial *trial, Board *board, Point *moves)
{
    int n = board_find(board, trial->pending->attacker, CLASS_FIVE, CLASS_FIVE, moves, POINTS_MAX);
    int legal = 0;
    for (int i = 0; i < n; i++) {
        if (ban_allows(board, moves[i], board->side)) moves[legal++] = moves[i];
    }
    if (n) return legal;
    VcfResult win;
    VcfLimits limits = {.stop = pool_halt(trial->slot), .deadline = trial->deadline};
    board_pass(board);
    Verdict threat = vcf_search(pool_vcf(trial->slot), board, &limits, &win);
    board_undo(board);
    n = threat == SOLVE_WIN ? vct_defences(board, &win, moves) : vct_legal(board, moves);
    vct_sort(board, moves, n);
    return n;
}

/* After the solver's move: was it a four, and do fours win whatever the reply? */
static Verdict wins_by_fours(const Trial *trial, Board *board)
{
    Point moves[POINTS_MAX];
    VcfLimits limits = {.stop = pool_halt(trial->slot), .deadline = trial->deadline};
    Verdict verdict = SOLVE_WIN;
    if (board_find(board, board->side, CLASS_FIVE, CLASS_FIVE, moves, 1) ||
        !board_find(board, trial->pending->attacker, CLASS_FIVE, CLASS_FIVE, moves, 1))
        return SOLVE_NONE;
    int n = list_defences(trial, board, moves);
    for (int i = 0; i < n && verdict == SOLVE_WIN; i++) {
        VcfResult fours;
        board_play(board, moves[i]);
        verdict = board_is_over(board) ? SOLVE_NONE
                                       : vcf_search(pool_vcf(trial->slot), board, &limits, &fours);
        board_undo(board);
    }
    return verdict;
}

/* The defence after which the win takes longest; one that refutes it if there is one. */
static Point best_defence(const Trial *trial, Board *board, bool *refutes)
{
    enum { TRIED = 12 };
    Point moves[POINTS_MAX], best = POINT_NONE;
    int n = list_defences(trial, board, moves), longest = -1;
    *refutes = false;
    for (int i = 0; i < n && i < TRIED && os_clock_ms() < trial->deadline; i++) {
        int plies;
        board_play(board, moves[i]);
        Verdict verdict = board_is_over(board) ? SOLVE_NONE : still_wins(trial, board, &plies);
        board_undo(board);
        if (verdict == SOLVE_NONE) {
            *refutes = true;
            return moves[i];
        }
        if (verdict == SOLVE_WIN && plies > longest) {
            longest = plies;
            best = moves[i];
        }
    }
    return best ? best : n ? moves[0] : POINT_NONE;
}

static bool try_move(Pending *pending, PoolSlot *slot)
{
    Trial trial = {pending, slot, os_clock_ms() + pending->ms};
    Board *board = pending->board;
    const Rules *rules = &board->rules;
    json_t *reply = pending->reply;
    const char *state = "go on", *why = "";
    Point answer = POINT_NONE;
    int plies;
    bool refutes = false;
    if (board->won != CELL_EMPTY) {
        state = "solved";
    } else if (board_is_full(board)) {
        state = "wrong";
        why = "The board is full.";
    } else {
        Verdict verdict = still_wins(&trial, board, &plies);
        answer = best_defence(&trial, board, &refutes);
        if (verdict == SOLVE_NONE || refutes) {
            state = "wrong";
            why = "After this the win is gone.";
        } else if (verdict == SOLVE_UNKNOWN) {
            state = "unclear";
            why = "The engine could not prove this in time.";
        } else if (pending->goal == GOAL_VCF && wins_by_fours(&trial, board) == SOLVE_NONE) {
            state = "also wins";
            why = "This wins, too, but not by fours alone.";
        }
    }
    bool wrong = strcmp(state, "wrong") == 0;
    bool goes_on = strcmp(state, "go on") == 0 || strcmp(state, "unclear") == 0;
    json_object_set_new(reply, "state", json_string(state));
    json_object_set_new(reply, "why", json_string(why));
    json_object_set_new(reply, "refutation", json_points(rules, &answer, wrong && answer));
    json_object_set_new(reply, "reply", goes_on ? json_point(rules, answer) : json_null());
    return true;
}

static void after_try(Pending *pending)
{
    const char *state = json_string_value(json_object_get(pending->reply, "state"));
    if (state && strcmp(state, "solved") == 0)
        library_set_solved(pending->hub->library, pending->client->token, pending->suite,
                           pending->number, NULL);
}

/* The position of a problem after the moves of the request. */
static Pending *begin(Client *client, Request *request, int *moves,
                      bool (*work)(Pending *pending, PoolSlot *slot), Refusal *no)
{
    const Suite *suite;
    int64_t number;
    const Record *record = asked_problem(client, request->body, &suite, &number, no);
    if (!record || !ask_is_allowed(client, no)) return NULL;
    Board *board = record_board(record, NEAR_SQUARE2);
    Colour attacker = board->side;
    if (!play_moves(board, request->body, moves, no)) {
        board_close(board);
        return NULL;
    }
    Pending *pending = ask_new(client, request, board, work);
    pending->attacker = attacker;
    pending->goal = problem_goal(record);
    pending->number = number;
    pending->ms = TRY_MS;
    snprintf(pending->suite, sizeof pending->suite, "%s", suite->name);
    return pending;
}

static bool do_try(Client *client, Request *request, json_t *reply, Refusal *no)
{
    int moves = 0;
    (void)reply;
    Pending *pending = begin(client, request, &moves, try_move, no);
    if (!pending) return false;
    if (moves % 2 == 0) {
        ask_drop(pending);
        return refuse(no, "illegal", "The last move must be the solver's.");
    }
    pending->after = after_try;
    ask_start(pending, request);
    return true;
}

static bool do_solution(Client *client, Request *request, json_t *reply, Refusal *no)
{
    int moves = 0;
    (void)reply;
    Pending *pending = begin(client, request, &moves, ask_solve, no);
    if (!pending) return false;
    if (moves % 2 == 1) {
        ask_drop(pending);
        return refuse(no, "illegal", "The solver must be to move.");
    }
    ask_start(pending, request);
    return true;
}

const Verb problem_verbs[] = {
    {"problem.suites", do_suites}, {"problem.list", do_list},         {"problem.get", do_get},
    {"problem.try", do_try},       {"problem.solution", do_solution}, {0},
};

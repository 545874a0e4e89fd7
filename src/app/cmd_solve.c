/* SPDX-License-Identifier: MIT */
/* goren solve: prove a win of the side to move, or show that there is none of the kind. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/mem.h"
#include "base/os.h"
#include "game/record.h"
#include "search/dfpn.h"
#include "search/proof.h"
#include "search/vcf.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    CliRules rules;
    const char *side, *suite, *certificate, *check;
    int goal;
    double time;
    int64_t nodes;
    size_t memory;
    bool exact, json;
} SolveOptions;

static const Opt solve_opts[] = {
    CLI_RULES_OPTS(SolveOptions, rules),
    CLI_SIDE_OPT(SolveOptions, side),
    {.name = "suite",
     .type = OPT_TEXT,
     .offset = offsetof(SolveOptions, suite),
     .value = "FILE.tsv",
     .help = "solve every row of a suite; - is stdin"},
    {.name = "goal",
     .type = OPT_CHOICE,
     .offset = offsetof(SolveOptions, goal),
     .choices = "vcf|vct|win",
     .standard = "vcf",
     .help = "win by fours alone; by fours and threats of such a win; by any moves"},
    {.name = "time",
     .type = OPT_FLOAT,
     .offset = offsetof(SolveOptions, time),
     .min = 0,
     .max = 1e6,
     .standard = "0",
     .value = "S",
     .help = "seconds per position; 0: no limit"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(SolveOptions, nodes),
     .min = 0,
     .max = 1e15,
     .standard = "0",
     .value = "N",
     .help = "nodes per position; 0: no limit"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(SolveOptions, memory),
     .min = 1 << 20,
     .max = 1e12,
     .standard = "256M",
     .help = "for the tables"},
    {.name = "certificate",
     .type = OPT_TEXT,
     .offset = offsetof(SolveOptions, certificate),
     .value = "FILE",
     .help = "write the whole proof of a win, reply by reply; where none is proved FILE stays as "
             "it is, and that is said"},
    {.name = "check",
     .type = OPT_TEXT,
     .offset = offsetof(SolveOptions, check),
     .value = "FILE",
     .help = "replay a certificate and say whether it holds (exit 0) or not (1); - is stdin"},
    {.name = "exact",
     .type = OPT_BOOL,
     .offset = offsetof(SolveOptions, exact),
     .help = "find the shortest win by fours"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(SolveOptions, json),
     .help = "one JSON object per position"},
    {0},
};

static const OptTable solve_table = {
    .name = "goren solve",
    .args = "[POSITION]",
    .args_min = 0,
    .args_max = 1,
    .about = "Proves a win of the side to move, or shows that there is none of that kind. Every "
             "line is replayed and checked before it is printed; -- stands where the defender's "
             "only block is forbidden. With --goal win also draw: neither side can win. In a "
             "suite, over: somebody has won already, or the board is full. Exit 0 if every "
             "position has an answer, none among them; exit 1 if one stays unknown, or a "
             "certificate does not hold.",
    .example = "goren solve --rule renju b:g6i5i9i7e7g5/w:j8k6e8e11k9e5 --goal vcf",
    .opts = solve_opts,
};

/* What was found out about one position. */
typedef struct {
    Verdict verdict;
    bool draw;       /* SOLVE_NONE, and the other side cannot win either */
    bool over;       /* SOLVE_NONE: the game has ended, there is nothing to solve */
    Colour attacker; /* who wins, where someone does */
    Point line[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int plies;
    int64_t nodes;
    int64_t ms;
} Answer;

typedef struct {
    const SolveOptions *options;
    Vcf *vcf;
    Dfpn *dfpn;
    atomic_bool *stop;
    DfpnLimits limits; /* of the prover; it goes on using them for the certificate */
    Answer answer;
    int rows, unknown, asked; /* positions: solved, left open, in all */
} Solve;

static void solve_vcf(Solve *solve, Board *board, int64_t deadline)
{
    static VcfResult result;
    VcfLimits limits = {.nodes = solve->options->nodes,
                        .shortest = solve->options->exact,
                        .stop = solve->stop,
                        .deadline = deadline};
    Answer *answer = &solve->answer;
    answer->verdict = vcf_search(solve->vcf, board, &limits, &result);
    answer->nodes = result.nodes;
    answer->plies = result.plies;
    memcpy(answer->line, result.line, (size_t)result.plies * sizeof *result.line);
}

static Verdict prove(Solve *solve, Board *board, Goal goal, Colour attacker)
{
    DfpnResult result;
    Answer *answer = &solve->answer;
    solve->limits.stop = solve->stop;
    answer->verdict = dfpn_search(solve->dfpn, board, goal, attacker, &solve->limits, &result);
    answer->nodes += result.nodes;
    answer->plies = result.plies;
    memcpy(answer->line, result.line, (size_t)result.plies * sizeof *result.line);
    return answer->verdict;
}

/* Threats first, within a quarter of the limits; then all moves; then all moves of the other side,
 * to tell a draw from a loss. */
static void solve_win(Solve *solve, Board *board, int64_t start, int64_t deadline)
{
    enum { THREAT_NODES = 1000000 };
    Answer *answer = &solve->answer;
    int64_t nodes = solve->options->nodes;
    solve->limits.nodes = nodes && nodes / 4 < THREAT_NODES ? nodes / 4 + 1 : THREAT_NODES;
    solve->limits.deadline = deadline ? start + (deadline - start) / 4 : 0;
    if (prove(solve, board, GOAL_VCT, board->side) == SOLVE_WIN) return;
    answer->verdict = SOLVE_UNKNOWN;
    solve->limits.deadline = deadline;
    solve->limits.nodes = nodes ? nodes - answer->nodes : 0;
    if (nodes && solve->limits.nodes <= 0) return; /* none left: 0 would be no limit */
    if (prove(solve, board, GOAL_WIN, board->side) != SOLVE_NONE) return;
    answer->verdict = SOLVE_UNKNOWN;
    solve->limits.nodes = nodes ? nodes - answer->nodes : 0;
    if (nodes && solve->limits.nodes <= 0) return; /* none left: 0 would be no limit */
    Verdict other = prove(solve, board, GOAL_WIN, colour_other(board->side));
    answer->draw = other == SOLVE_NONE;
    if (other == SOLVE_WIN) answer->attacker = colour_other(board->side);
    answer->verdict = other == SOLVE_UNKNOWN ? SOLVE_UNKNOWN : SOLVE_NONE;
}

static void solve_any(Solve *solve, Board *board, int64_t start)
{
    double time = solve->options->time;
    int64_t deadline = time > 0 ? start + (int64_t)(time * 1000) : 0;
    Answer *answer = &solve->answer;
    answer->verdict = SOLVE_NONE;
    answer->draw = false;
    answer->over = !cli_game_goes_on(board, NULL);
    answer->attacker = board->side;
    answer->plies = 0;
    answer->nodes = 0;
    if (answer->over) return;
    switch ((Goal)solve->options->goal) {
    case GOAL_VCF:
        solve_vcf(solve, board, deadline);
        break;
    case GOAL_VCT:
        solve->limits.nodes = solve->options->nodes;
        solve->limits.deadline = deadline;
        prove(solve, board, GOAL_VCT, board->side);
        break;
    case GOAL_WIN:
        solve_win(solve, board, start, deadline);
        break;
    }
}

static Point certified_move(void *ctx, Board *board)
{
    static VcfResult result;
    Solve *solve = ctx;
    if (solve->options->goal != GOAL_VCF) return dfpn_move(solve->dfpn, board);
    vcf_search(solve->vcf, board, NULL, &result);
    return result.move;
}

/* Writes what was proved last, and replays what was written. */
static bool write_certificate(Solve *solve, Board *board, Err *err)
{
    enum { POSITIONS_MAX = 100000000 };
    Buf out = BUF_EMPTY;
    ProofSummary summary;
    solve->limits.nodes = solve->limits.deadline = 0;
    bool good = proof_write(board, solve->answer.attacker, certified_move, solve, POSITIONS_MAX,
                            &out, err) &&
                proof_check(buf_text(&out), out.len, &summary, err) &&
                os_file_replace(solve->options->certificate, out.data, out.len, err);
    buf_free(&out);
    return good;
}

static json_t *line_json(const Rules *rules, const Answer *answer)
{
    json_t *list = json_array();
    for (int i = 0; i < answer->plies; i++) {
        char text[POINT_TEXT_MAX];
        json_array_append_new(list, json_string(point_text(rules, answer->line[i], text)));
    }
    return list;
}

static const char *answer_name(const Answer *answer)
{
    static const char *const names[] = {"unknown", "none", "win"};
    return answer->over ? "over" : answer->draw ? "draw" : names[answer->verdict];
}

/* Is the length of the line the shortest there is, or only a bound? */
static bool is_exact(const Solve *solve)
{
    const Answer *answer = &solve->answer;
    bool shortest = solve->options->exact && solve->options->goal == GOAL_VCF;
    return answer->plies > 0 && (shortest || answer->plies <= 3);
}

static void print_answer(const Solve *solve, const Rules *rules, const char *id)
{
    const Answer *answer = &solve->answer;
    char text[POINT_TEXT_MAX];
    if (solve->options->json) {
        json_t *out = json_object();
        if (id) json_object_set_new(out, "id", json_string(id));
        json_object_set_new(out, "result", json_string(answer_name(answer)));
        json_object_set_new(out, "move",
                            answer->plies ? json_string(point_text(rules, answer->line[0], text))
                                          : json_null());
        json_object_set_new(out, "line", line_json(rules, answer));
        json_object_set_new(out, "plies", json_integer(answer->plies));
        json_object_set_new(out, "exact", json_boolean(is_exact(solve)));
        json_object_set_new(out, "nodes", json_integer(answer->nodes));
        json_object_set_new(out, "ms", json_integer(answer->ms));
        cli_json(out);
        return;
    }
    if (id) printf("%s: ", id);
    printf("%s", answer_name(answer));
    if (answer->plies) printf(" in %s%d:", is_exact(solve) ? "" : "at most ", answer->plies);
    for (int i = 0; i < answer->plies; i++) printf(" %s", point_text(rules, answer->line[i], text));
    printf("  (%lld nodes, %.3f s)\n", (long long)answer->nodes, (double)answer->ms / 1000);
    fflush(stdout);
}

/* An older file must not pass for the proof of this answer. */
static void note_no_certificate(const char *path)
{
    fflush(stdout);
    fprintf(stderr, "%s: no certificate: no win was proved; %s %s\n", solve_table.name, path,
            os_file_exists(path) ? "is as it was, and is not about this answer" : "is not written");
}

static bool solve_board(Solve *solve, Board *board, const char *id, Err *err)
{
    int64_t start = os_clock_ms();
    Answer *answer = &solve->answer;
    solve_any(solve, board, start);
    answer->ms = os_clock_ms() - start;
    if (answer->plies &&
        !proof_line_holds(board, answer->line, answer->plies, (Goal)solve->options->goal, err))
        return err_prefix(err, "%s: the solver is wrong", id ? id : "position");
    bool someone_wins = answer->verdict == SOLVE_WIN || answer->attacker != board->side;
    if (solve->options->certificate && someone_wins && !write_certificate(solve, board, err))
        return false;
    solve->rows++;
    solve->unknown += answer->verdict == SOLVE_UNKNOWN;
    print_answer(solve, &board->rules, id);
    if (solve->options->certificate && !someone_wins)
        note_no_certificate(solve->options->certificate);
    return true;
}

static bool solve_suite(Solve *solve, const Rules *rules, Err *err)
{
    const SolveOptions *options = solve->options;
    RecordSet set;
    if (!cli_suite(rules, options->suite, options->side, &set, err)) return false;
    bool good = true;
    solve->asked = set.count;
    bool progress = options->json && os_is_terminal(stderr) && !os_is_terminal(stdout);
    for (int i = 0; i < set.count && good; i++) {
        if (progress) fprintf(stderr, "\r%d of %d, %d unknown", i, set.count, solve->unknown);
        Board *board = record_board(&set.records[i], NEAR_SQUARE2);
        good = solve_board(solve, board, set.records[i].name, err);
        board_close(board);
        if (atomic_load(solve->stop)) break;
    }
    if (progress) fprintf(stderr, "\r%40s\r", "");
    record_set_close(&set);
    return good;
}

static bool solve_position(Solve *solve, const Rules *rules, const char *text, Err *err)
{
    Position position;
    if (!cli_position(rules, text, solve->options->side, &position, err)) return false;
    Board *board = cli_board(rules, &position, NEAR_SQUARE2);
    bool good = cli_last_is_allowed(board, &position, err) && cli_game_goes_on(board, err) &&
                solve_board(solve, board, NULL, err);
    board_close(board);
    position_free(&position);
    return good;
}

/* Exit 0 if the certificate holds, 1 if not, 2 if it is none. */
static int check_certificate(const SolveOptions *options)
{
    enum { CERTIFICATE_BYTES_MAX = 1 << 30 };
    Buf bytes = BUF_EMPTY;
    ProofSummary summary = {0};
    Err err;
    bool read = cli_file(options->check, CERTIFICATE_BYTES_MAX, &bytes, &err);
    bool good = read && proof_check(buf_text(&bytes), bytes.len, &summary, &err);
    const char *winner = summary.attacker == BLACK ? "b" : "w";
    buf_free(&bytes);
    if (read && !good && !summary.is_one)
        err_prefix(&err, "%s: no certificate of goren solve", cli_file_name(options->check));
    if (!read || (!good && !summary.is_one)) return cli_fail(&solve_table, &err);
    if (options->json) {
        json_t *out = json_object();
        json_object_set_new(out, "holds", json_boolean(good));
        json_object_set_new(out, "winner", good ? json_string(winner) : json_null());
        json_object_set_new(out, "moves", json_integer(summary.moves));
        json_object_set_new(out, "positions", json_integer(summary.positions));
        if (!good) json_object_set_new(out, "why", json_string(err.text));
        cli_json(out);
    } else if (good) {
        printf("The certificate holds: %s wins. %lld moves, %lld positions replayed.\n",
               summary.attacker == BLACK ? "Black" : "White", (long long)summary.moves,
               (long long)summary.positions);
    } else {
        printf("The certificate does not hold: %s\n", err.text);
    }
    return good ? 0 : 1;
}

int cmd_solve(int argc, char **argv)
{
    static atomic_bool stop;
    SolveOptions options = {0};
    Rules rules;
    Err err;
    int code;
    if (!cli_parse(&solve_table, &argc, argv, &options, &code)) return code;
    bool good = cli_rules(&options.rules, &rules, &err);
    if (good && options.check) {
        if (argc == 0 && !options.suite && !options.certificate) return check_certificate(&options);
        good = err_set(&err, options.certificate
                                 ? "--check reads a certificate and --certificate writes one: "
                                   "give one of them"
                                 : "--check takes no position and no suite");
    }
    if (good && options.exact && options.goal != GOAL_VCF)
        good = err_set(&err, "--exact finds the shortest win by fours; leave it out, or --goal");
    if (good && options.certificate && options.suite)
        good = err_set(&err, "--certificate is for one position");
    if (good && (argc == 1) == (options.suite != NULL))
        good = err_set(&err, "give either a POSITION or --suite FILE.tsv (see --help)");
    if (good && options.side && strcmp(options.side, "b") != 0 && strcmp(options.side, "w") != 0)
        good = err_set(&err, "side=%s: choose one of b|w", options.side);
    if (good && options.certificate) good = os_file_may_write(options.certificate, &err);
    if (!good) return cli_fail(&solve_table, &err);
    os_catch_interrupt(&stop);
    Solve *solve = mem_zero(sizeof *solve);
    solve->options = &options;
    solve->stop = &stop;
    if (options.goal == GOAL_VCF)
        solve->vcf = vcf_try_open(options.memory / 4);
    else
        solve->dfpn = dfpn_open(options.memory);
    if (!solve->vcf && !solve->dfpn)
        good = err_set(&err, "the system gives no %zu MiB for the tables", options.memory >> 20);
    else
        good = options.suite ? solve_suite(solve, &rules, &err)
                             : solve_position(solve, &rules, argv[0], &err);
    code = !good ? cli_fail(&solve_table, &err) : solve->unknown ? 1 : 0;
    if (good && solve->rows < solve->asked)
        code = cli_interrupted(&solve_table, solve->rows, solve->asked, "rows", false);
    vcf_close(solve->vcf);
    dfpn_close(solve->dfpn);
    mem_free(solve);
    return code;
}

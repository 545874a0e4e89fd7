/* SPDX-License-Identifier: MIT */
/* The player `pipe`: an outside brain that speaks the Gomocup protocol, as a child process.
 *
 * The process lives from the first question of a game to the end of it. It gets the first position
 * as BOARD and then one TURN a move, unless the position is not the one it must have in mind.
 * Whatever it does wrong (dies, is late, grows, talks nonsense) is a Fault, and it is put down. Its
 * clock runs from our command to its answer; waiting on our side is not its time.
 *
 * Brains have quirks, and there is an option for each that is known: some drop a command that
 * follows their own move within a millisecond or two (wait), never answer ABOUT (about=no), take
 * INFO rule for an error (rule=no), or lose the thread of TURN (board=yes). */
#include "play/player.h"

#include "base/child.h"
#include "base/mem.h"
#include "base/os.h"
#include "play/brain_line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *cmd, *dir, *folder, *errors;
    size_t memory;
    int wait_ms, start_s, patience_s, end_ms;
    double turn_s;
    int64_t nodes;
    int depth, threads;
    bool about, rule, board, suspend;
} PipeOptions;

typedef struct {
    Player head;
    PipeOptions options; /* texts in arena */
    Arena texts;
    Child *child; /* NULL: not running */
    Rules rules;  /* it was started with; while it runs */
    Point *known; /* moves it has in mind, in order */
    int known_count;
    int64_t heard_ns; /* when its last line came */
    int64_t moved_ns; /* when its last answer to a question came; 0: none yet */
    int64_t turn_ms;  /* as it was last told; −1: not yet */
    int64_t nodes;
    int depth;
    size_t memory; /* it may use; 0: any */
    int logged;    /* lines of this question */
    bool suspends; /* it is stopped off its turn */
    bool swaps;    /* it was told of stones by SWAP2BOARD: the next position comes as BOARD */
    atomic_bool stopped;
    Buf line;
} PipePlayer;

enum {
    LOOK_MS = 200,    /* how often its memory, and whether we are stopped, is looked at */
    LOGGED_MAX = 500, /* lines of one answer that are worth keeping */
    NO_LIMIT = INT32_MAX,
};

static const Opt pipe_opts[] = {
    {.name = "cmd",
     .type = OPT_TEXT,
     .offset = offsetof(PipeOptions, cmd),
     .value = "COMMAND",
     .required = true,
     .help = "the program and its arguments; in double quotes if there is a comma"},
    {.name = "dir",
     .type = OPT_TEXT,
     .offset = offsetof(PipeOptions, dir),
     .help = "where it runs (default: the folder of the program)"},
    {.name = "folder",
     .type = OPT_TEXT,
     .offset = offsetof(PipeOptions, folder),
     .help = "INFO folder: where it may keep files"},
    {.name = "stderr",
     .type = OPT_TEXT,
     .offset = offsetof(PipeOptions, errors),
     .value = "FILE",
     .help = "gets what it writes to stderr"},
    {.name = "memory",
     .type = OPT_BYTES,
     .offset = offsetof(PipeOptions, memory),
     .min = 0,
     .max = 1e13,
     .standard = "0",
     .help = "it may use, with its children; 0: what the match says"},
    {.name = "turn",
     .type = OPT_FLOAT,
     .offset = offsetof(PipeOptions, turn_s),
     .min = 0,
     .max = 1e6,
     .standard = "0",
     .value = "S",
     .help = "for a move at most, where the match gives more; 0: as the match says"},
    {.name = "nodes",
     .type = OPT_COUNT,
     .offset = offsetof(PipeOptions, nodes),
     .min = 0,
     .max = 1e15,
     .standard = "0",
     .help = "likewise positions (INFO max_node)"},
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(PipeOptions, depth),
     .min = 0,
     .max = 100,
     .standard = "0",
     .help = "likewise moves ahead (INFO max_depth)"},
    {.name = "threads",
     .type = OPT_INT,
     .offset = offsetof(PipeOptions, threads),
     .min = 0,
     .max = 256,
     .standard = "0",
     .help = "it may use (INFO thread_num); 0: it is not told"},
    {.name = "wait",
     .type = OPT_INT,
     .offset = offsetof(PipeOptions, wait_ms),
     .min = 0,
     .max = 10000,
     .standard = "5",
     .value = "MS",
     .help = "between its answer and the next command, at least"},
    {.name = "start",
     .type = OPT_INT,
     .offset = offsetof(PipeOptions, start_s),
     .min = 1,
     .max = 3600,
     .standard = "30",
     .value = "S",
     .help = "it may take to start"},
    {.name = "patience",
     .type = OPT_INT,
     .offset = offsetof(PipeOptions, patience_s),
     .min = 1,
     .max = 1e6,
     .standard = "600",
     .value = "S",
     .help = "for a move, if there is no time limit at all"},
    {.name = "end",
     .type = OPT_INT,
     .offset = offsetof(PipeOptions, end_ms),
     .min = 0,
     .max = 60000,
     .standard = "500",
     .value = "MS",
     .help = "it may take to leave after END"},
    {.name = "about",
     .type = OPT_BOOL,
     .offset = offsetof(PipeOptions, about),
     .standard = "yes",
     .help = "ask for its name and version"},
    {.name = "rule",
     .type = OPT_BOOL,
     .offset = offsetof(PipeOptions, rule),
     .standard = "yes",
     .help = "tell it the rule (INFO rule)"},
    {.name = "board",
     .type = OPT_BOOL,
     .offset = offsetof(PipeOptions, board),
     .standard = "no",
     .help = "BOARD at every move in place of TURN"},
    {.name = "suspend",
     .type = OPT_BOOL,
     .offset = offsetof(PipeOptions, suspend),
     .standard = "no",
     .help = "stopped while it is not its turn, as in Gomocup"},
    {0},
};

static const OptTable pipe_table = {
    .name = "pipe",
    .about = "An outside brain that speaks the Gomocup protocol.",
    .example = "pipe:cmd=./pbrain-x, or pipe:cmd=\"./pbrain-x --mode a,b\",suspend,memory=350M",
    .opts = pipe_opts,
};

/* ---- lines ---- */

static void note(PipePlayer *pipe, char mark, const char *text)
{
    const PlayerHost *host = pipe->head.host;
    if (!host || !host->line || pipe->logged > LOGGED_MAX) return;
    if (pipe->logged++ == LOGGED_MAX) {
        host->line(host->ctx, '#', "more lines follow");
    } else {
        host->line(host->ctx, mark, text);
    }
}

static bool fault(Thought *thought, Fault why)
{
    if (thought) thought->fault = why;
    return false;
}

/* Adds a line to what will be sent. */
static void say(PipePlayer *pipe, Buf *out, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(PipePlayer *pipe, Buf *out, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    note(pipe, '<', text);
    buf_add_text(out, text);
    buf_add_text(out, "\r\n");
}

static bool send(PipePlayer *pipe, Buf *out, int64_t deadline, Thought *thought, Err *err)
{
    bool good = child_write(pipe->child, buf_text(out), out->len, deadline, err);
    buf_free(out);
    if (good) return true;
    return fault(thought, child_is_alive(pipe->child) ? FAULT_TIME : FAULT_CRASH);
}

static bool is_too_big(PipePlayer *pipe, Thought *thought, Err *err)
{
    if (!pipe->memory) return false;
    int64_t used = child_memory(pipe->child);
    if (used <= (int64_t)pipe->memory) return false;
    err_set(err, "used %" PRId64 " MB of memory and had %zu", used >> 20, pipe->memory >> 20);
    fault(thought, FAULT_MEMORY);
    return true;
}

/* The next line that is not blank, in pipe->line. */
static bool next_line(PipePlayer *pipe, int64_t deadline, Thought *thought, Err *err)
{
    for (;;) {
        int64_t now = os_clock_ms();
        int64_t pause = now + LOOK_MS < deadline ? now + LOOK_MS : deadline;
        ChildRead got = child_read_line(pipe->child, &pipe->line, pause);
        pipe->heard_ns = os_clock_ns();
        now = pipe->heard_ns / 1000000;
        if (got == CHILD_GONE) {
            err_set(err, "ended without an answer");
            return fault(thought, FAULT_CRASH);
        }
        if (atomic_load(&pipe->stopped)) {
            err_set(err, "was stopped");
            return fault(thought, FAULT_CRASH);
        }
        if (got == CHILD_LATE && is_too_big(pipe, thought, err)) return false;
        /* One that talks without end is late, too. */
        if (now >= deadline) {
            err_set(err, "gave no answer in time");
            return fault(thought, FAULT_TIME);
        }
        if (got == CHILD_LATE || pipe->line.len == 0) continue;
        note(pipe, '>', buf_text(&pipe->line));
        return true;
    }
}

/* ---- life ---- */

static void put_down(PipePlayer *pipe, int64_t deadline)
{
    if (!pipe->child) return;
    child_close(pipe->child, deadline);
    pipe->child = NULL;
    pipe->known_count = 0;
    pipe->moved_ns = 0;
    pipe->turn_ms = -1;
    pipe->swaps = false;
    mem_free(pipe->known);
    pipe->known = NULL;
}

/* The friendly way. */
static void dismiss(PipePlayer *pipe)
{
    if (!pipe->child) return;
    Buf out = BUF_EMPTY;
    int64_t deadline = os_clock_ms() + pipe->options.end_ms;
    if (pipe->suspends) child_resume(pipe->child);
    say(pipe, &out, "END");
    send(pipe, &out, deadline, NULL, NULL);
    put_down(pipe, deadline);
}

static bool await_ok(PipePlayer *pipe, int64_t deadline, Thought *thought, Err *err)
{
    Thought unused = {0};
    for (;;) {
        if (!next_line(pipe, deadline, thought, err)) return err_prefix(err, "START");
        switch (brain_line_read(&pipe->rules, buf_text(&pipe->line), &unused)) {
        case LINE_OK:
            return true;
        case LINE_ERROR:
            err_set(err, "does not play on this board: %.200s", buf_text(&pipe->line));
            return fault(thought, FAULT_NONSENSE);
        default: /* greetings and the like */
            break;
        }
    }
}

static bool start(PipePlayer *pipe, const Rules *rules, Thought *thought, Err *err)
{
    const PipeOptions *options = &pipe->options;
    const PlayerHost *host = pipe->head.host;
    if (rules->k != 5) {
        err_set(err, "outside brains play five in a row only");
        return fault(thought, FAULT_NONSENSE);
    }
    ChildPlan plan = {.command = options->cmd,
                      .folder = options->dir,
                      .own_folder = !options->dir,
                      .stderr_file = options->errors ? options->errors
                                     : host          ? host->stderr_file
                                                     : NULL};
    pipe->child = child_start(&plan, err);
    if (!pipe->child) return fault(thought, FAULT_CRASH);
    pipe->rules = *rules;
    pipe->known = mem_zero((size_t)(rules->width * rules->height) * sizeof *pipe->known);
    pipe->memory = options->memory ? options->memory : host ? host->memory : 0;
    pipe->suspends = options->suspend || (host && host->suspend);
    Buf out = BUF_EMPTY;
    if (rules->width == rules->height) {
        say(pipe, &out, "START %d", rules->width);
    } else {
        say(pipe, &out, "RECTSTART %d,%d", rules->width, rules->height);
    }
    if (options->rule) say(pipe, &out, "INFO rule %d", rule_gomocup_number(rules->kind));
    say(pipe, &out, "INFO game_type 1");
    say(pipe, &out, "INFO max_memory %zu", pipe->memory);
    if (options->folder) say(pipe, &out, "INFO folder %s", options->folder);
    if (options->threads) say(pipe, &out, "INFO thread_num %d", options->threads);
    int64_t deadline = os_clock_ms() + 1000 * (int64_t)options->start_s;
    return send(pipe, &out, deadline, thought, err) && await_ok(pipe, deadline, thought, err);
}

/* ---- questions ---- */

/* As the protocol writes a time that may be missing. */
static int64_t or_none(int64_t ms)
{
    return ms > 0 && ms < NO_LIMIT ? ms : NO_LIMIT;
}

/* What the match allows, and not more than this brain is to have. */
static Limits own_limits(const PipePlayer *pipe, const Limits *limits)
{
    const PipeOptions *options = &pipe->options;
    Limits own = *limits;
    limits_cap(&own, options->turn_s, options->nodes, options->depth);
    return own;
}

/* What has changed since it was last told; the clock always. */
static void say_limits(PipePlayer *pipe, const Limits *limits, Buf *out)
{
    int64_t turn = or_none(limits->turn_ms), left = or_none(limits->left_ms);
    if (pipe->turn_ms < 0) {
        say(pipe, out, "INFO timeout_match %" PRId64, limits->left_ms ? left : 0);
        if (limits->increment_ms)
            say(pipe, out, "INFO time_increment %" PRId64, limits->increment_ms);
        pipe->nodes = 0;
        pipe->depth = 0;
    }
    if (pipe->turn_ms != turn) say(pipe, out, "INFO timeout_turn %" PRId64, turn);
    if (pipe->nodes != limits->nodes) say(pipe, out, "INFO max_node %" PRId64, limits->nodes);
    if (pipe->depth != limits->depth) say(pipe, out, "INFO max_depth %d", limits->depth);
    pipe->turn_ms = turn;
    pipe->nodes = limits->nodes;
    pipe->depth = limits->depth;
    say(pipe, out, "INFO time_left %" PRId64, left);
}

/* The stones of the board with their colours: as they were played, or in reading order if it was
 * set up. */
static int list_stones(const Board *board, Point *points, uint8_t *colours)
{
    const Rules *rules = &board->rules;
    int n = board->plies;
    const Ply *ply = board_last(board);
    while (ply && n > 0 && ply->point != POINT_NONE) {
        n--;
        points[n] = ply->point;
        colours[n] = ply->colour;
        ply = ply->before ? (const Ply *)((const char *)board + ply->before) : NULL;
    }
    if (n == 0 && !ply && board->plies == board->stones) return board->stones;
    n = 0;
    for (int i = 0; i < rules->width * rules->height; i++) {
        Point p = rules_nth(rules, i);
        if (board_is_empty(board, p)) continue;
        points[n] = p;
        colours[n++] = (uint8_t)(board->cell[p] - CELL_BLACK);
    }
    return n;
}

static void say_stones(PipePlayer *pipe, const char *command, const Point *points,
                       const uint8_t *colours, int count, Colour own, Buf *out)
{
    const Rules *rules = &pipe->rules;
    say(pipe, out, "%s", command);
    for (int i = 0; i < count; i++) {
        int x = rules_x(rules, points[i]), y = rules_y(rules, points[i]);
        say(pipe, out, "%d,%d,%d", x, y, colours[i] == own ? 1 : 2);
    }
    say(pipe, out, "DONE");
}

/* TURN if the brain knows all but the last move, BEGIN or BOARD if not. */
static void say_position(PipePlayer *pipe, const Board *board, Buf *out)
{
    Point points[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    uint8_t colours[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int n = list_stones(board, points, colours);
    bool follows =
        pipe->known_count > 0 && n == pipe->known_count + 1 && !pipe->options.board && !pipe->swaps;
    for (int i = 0; follows && i < n - 1; i++) follows = points[i] == pipe->known[i];
    if (n == 0) {
        say(pipe, out, "BEGIN");
    } else if (follows) {
        Point last = points[n - 1];
        say(pipe, out, "TURN %d,%d", rules_x(&pipe->rules, last), rules_y(&pipe->rules, last));
    } else {
        say_stones(pipe, "BOARD", points, colours, n, board->side, out);
    }
    pipe->swaps = false;
    pipe->known_count = n;
    memcpy(pipe->known, points, (size_t)n * sizeof *points);
}

static int64_t deadline_of(const PipePlayer *pipe, const Limits *limits, int64_t from_ms)
{
    const PlayerHost *host = pipe->head.host;
    int64_t ms = 1000 * (int64_t)pipe->options.patience_s;
    if (limits->turn_ms || limits->left_ms) {
        ms = limits->turn_ms ? limits->turn_ms : INT64_MAX;
        if (limits->left_ms && limits->left_ms < ms) ms = limits->left_ms;
        ms += host ? host->grace_ms : 0;
    }
    return from_ms + ms + 1; /* the clock is cut to milliseconds */
}

/* Asks it to do what it suggests. */
static bool accept(PipePlayer *pipe, const Thought *suggested, int64_t deadline, Err *err)
{
    Buf out = BUF_EMPTY;
    Point p = suggested->stones[0];
    say(pipe, &out, "PLAY %d,%d", rules_x(&pipe->rules, p), rules_y(&pipe->rules, p));
    return send(pipe, &out, deadline, NULL, err);
}

/* An ERROR need not be the last word: brains that swallow the first word after their own move
 * complain of the second and then answer. It is, when nothing else follows for a while. */
static bool await_decision(PipePlayer *pipe, int64_t deadline, Thought *thought, Err *err)
{
    enum { AFTER_ERROR_MS = 5000 };
    char error[128] = "";
    int64_t until = deadline;
    for (;;) {
        if (!next_line(pipe, until, thought, err)) {
            if (!*error || thought->fault != FAULT_TIME) return false;
            err_set(err, "answered \"%s\"", error);
            return fault(thought, FAULT_NONSENSE);
        }
        const char *line = buf_text(&pipe->line);
        if (*error) until = os_clock_ms() + AFTER_ERROR_MS;
        switch (brain_line_read(&pipe->rules, line, thought)) {
        case LINE_DECISION:
            return true;
        case LINE_MESSAGE:
            brain_line_message(line, thought);
            break;
        case LINE_SUGGEST:
            if (!accept(pipe, thought, deadline, err)) return fault(thought, FAULT_CRASH);
            break;
        case LINE_ABOUT:   /* of an ABOUT that it took its time over */
        case LINE_OK:      /* one too many */
        case LINE_UNKNOWN: /* an INFO key that is new to it */
            break;
        case LINE_ERROR:
            snprintf(error, sizeof error, "%.100s", line);
            until = os_clock_ms() + AFTER_ERROR_MS;
            break;
        case LINE_NONSENSE:
            err_set(err, "answered \"%.100s\"", line);
            return fault(thought, FAULT_NONSENSE);
        }
        if (until > deadline) until = deadline;
    }
}

/* Everything before the command is on us: the start, the pause that some brains need. */
static bool get_ready(PipePlayer *pipe, const Rules *rules, Thought *thought, Err *err)
{
    int64_t began = os_clock_ns();
    pipe->logged = 0;
    atomic_store(&pipe->stopped, false);
    if (pipe->child && !rules_equal(&pipe->rules, rules)) dismiss(pipe);
    if (!pipe->child && !start(pipe, rules, thought, err)) return false;
    int64_t free_ns = pipe->moved_ns + pipe->options.wait_ms * INT64_C(1000000);
    int64_t rest_ms = (free_ns - os_clock_ns() + 999999) / 1000000;
    if (rest_ms > 0) os_sleep_ms(rest_ms);
    if (pipe->suspends) child_resume(pipe->child);
    thought->waited_ns = os_clock_ns() - began;
    return true;
}

/* Sends the question and reads the answer. A brain at fault does not live on. */
static bool ask(PipePlayer *pipe, Buf *out, const Limits *limits, Thought *thought, Err *err)
{
    int64_t asked = os_clock_ns(), deadline = deadline_of(pipe, limits, asked / 1000000);
    bool good = send(pipe, out, deadline, thought, err) &&
                await_decision(pipe, deadline, thought, err) && !is_too_big(pipe, thought, err);
    pipe->moved_ns = pipe->heard_ns;
    thought->ms = (pipe->heard_ns - asked) / 1000000;
    if (!good) return false;
    if (pipe->suspends) child_suspend(pipe->child);
    thought->waited_ns += os_clock_ns() - pipe->heard_ns; /* its memory measured: on us */
    return true;
}

static bool give_up(PipePlayer *pipe, Err *err)
{
    note(pipe, '#', err ? err->text : "at fault");
    put_down(pipe, 0);
    return false;
}

static bool pipe_think(Player *player, const Board *board, const Limits *limits, Thought *thought,
                       Err *err)
{
    PipePlayer *pipe = (PipePlayer *)player;
    if (!get_ready(pipe, &board->rules, thought, err)) return give_up(pipe, err);
    Buf out = BUF_EMPTY;
    Limits own = own_limits(pipe, limits);
    say_limits(pipe, &own, &out);
    say_position(pipe, board, &out);
    if (!ask(pipe, &out, &own, thought, err)) return give_up(pipe, err);
    if (thought->decision == DECIDE_MOVE && board_is_empty(board, thought->stones[0]))
        pipe->known[pipe->known_count++] = thought->stones[0];
    return true;
}

/* The protocol knows swap2; the three stones of swap1 are the same question, to which two stones
 * more are an answer too: who would rather have it even stays White, with the white one of them. */
static bool pipe_settle(Player *player, Ask wanted, const Board *board, const Limits *limits,
                        Thought *thought, Err *err)
{
    PipePlayer *pipe = (PipePlayer *)player;
    Point points[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    uint8_t colours[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    if (!get_ready(pipe, &board->rules, thought, err)) return give_up(pipe, err);
    Buf out = BUF_EMPTY;
    Limits own = own_limits(pipe, limits);
    say_limits(pipe, &own, &out);
    int n = list_stones(board, points, colours);
    say(pipe, &out, "SWAP2BOARD");
    for (int i = 0; i < n; i++)
        say(pipe, &out, "%d,%d", rules_x(&pipe->rules, points[i]),
            rules_y(&pipe->rules, points[i]));
    say(pipe, &out, "DONE");
    if (!ask(pipe, &out, &own, thought, err)) return give_up(pipe, err);
    pipe->swaps = true;
    if (wanted == ASK_COLOUR && thought->decision == DECIDE_STONES && thought->stone_count == 2)
        thought_set_move(thought, thought->stones[0]);
    return true;
}

/* ---- the rest ---- */

static bool pipe_about(Player *player, const Rules *rules, Buf *out, Err *err)
{
    enum { ABOUT_MS = 1000 };
    PipePlayer *pipe = (PipePlayer *)player;
    Thought unused = {0};
    if (!get_ready(pipe, rules, &unused, err)) return give_up(pipe, err);
    bool known = false;
    if (pipe->options.about) {
        Buf ask_it = BUF_EMPTY;
        say(pipe, &ask_it, "ABOUT");
        int64_t deadline = os_clock_ms() + ABOUT_MS;
        bool going = send(pipe, &ask_it, deadline, NULL, NULL);
        while (going && !known) {
            going = next_line(pipe, deadline, NULL, NULL);
            known = going && brain_line_read(rules, buf_text(&pipe->line), &unused) == LINE_ABOUT;
        }
    }
    buf_add_text(out, known ? buf_text(&pipe->line) : "a brain that does not say its name");
    dismiss(pipe);
    return true;
}

/* There is no way to ask an outside brain for what it has; the answer is that there is none. */
static void pipe_stop(Player *player)
{
    atomic_store(&((PipePlayer *)player)->stopped, true);
}

static void pipe_new_game(Player *player)
{
    dismiss((PipePlayer *)player);
}

static void pipe_close(Player *player)
{
    PipePlayer *pipe = (PipePlayer *)player;
    dismiss(pipe);
    buf_free(&pipe->line);
    arena_close(&pipe->texts);
    mem_free(pipe);
}

static Player *pipe_open(const char *keys, Err *err)
{
    PipePlayer *pipe = mem_zero(sizeof *pipe);
    arena_open(&pipe->texts, 1024);
    pipe->turn_ms = -1;
    if (opts_parse_keys(&pipe_table, keys, &pipe->options, &pipe->texts, err)) return &pipe->head;
    pipe_close(&pipe->head);
    return NULL;
}

const PlayerKind player_pipe = {
    .options = &pipe_table,
    .open = pipe_open,
    .think = pipe_think,
    .settle = pipe_settle,
    .about = pipe_about,
    .stop = pipe_stop,
    .new_game = pipe_new_game,
    .close = pipe_close,
};

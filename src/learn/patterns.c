/* SPDX-License-Identifier: MIT */
/* The learner patterns: plays with itself, and after each game asks the teacher which patterns led
 * to the win (pattern_teacher.h). Its scores follow one of two rules:
 *
 *   document   after the thesis: a new pattern gets its standard score (pattern_standard); seen
 *              again it gains 3; after a game that the pupil lost every pattern that was not seen
 *              loses 2 (the thesis does not say how much; its tables fit 2); never more than 100
 *              from the standard. The pupil is Black in every other game.
 *   winrate    our own: a new pattern is worth nothing, and with a composite its two lines are
 *              taught, so that its own score is what the crossing adds. After every game the
 *              scores move towards what a search saw at each position, as log odds of winning
 *              (pattern_lesson.h); less from game to game, so that they settle.
 *
 * A tournament is the thesis's outlook: each player knows one pattern, drawn by lot; a win gains 3,
 * a loss costs 3, a draw 1. It goes on with what was learnt before.
 *
 * Game number n depends on the seed, n and the book before it alone, so chance needs no saving. */
#include "learn/learner.h"

#include "base/mem.h"
#include "eval/pattern_count.h"
#include "game/notation.h"
#include "learn/pattern_lesson.h"
#include "learn/pattern_teacher.h"
#include "learn/starts.h"
#include "play/player_pattern.h"
#include "play/store_patterns.h"

#include <math.h>
#include <string.h>

typedef enum { SCORING_DOCUMENT, SCORING_WINRATE } Scoring;

/* Of the lesson: what each position puts right of its error, and after how many games half that. */
static const double lesson_rate = 0.2, lesson_half_life = 100;

enum {
    GAIN = 3,          /* of a pattern that is seen again, or wins its game of a tournament */
    FADE = 2,          /* of one that is not seen, after a loss */
    DRAW_COST = 1,     /* in a tournament */
    SCORE_MAX = 20000, /* that the lesson may give */
};

typedef struct {
    int scoring, depth;
    const char *partner;
    bool mixed, tournament;
} PatternsOptions;

typedef struct {
    Learner head;
    PatternsOptions options;
    char *partner_spec; /* owned; options.partner is this */
    uint64_t seed;
    PatternStore *store;
    PatternBook book, saved; /* now, and as the store has it */
    uint8_t *seen;           /* by row of book, of the game under way: bits of Seen */
    int seen_room;
    Board *board;
    Player *partner; /* NULL: itself */
    int rivals[2];   /* of a tournament: Black's and White's row */
    Point *moves;    /* of the last game */
    int count;
    Cell won;
    char *rival[COLOUR_COUNT]; /* owned; who played a colour of it if not the learner */
} PatternsLearner;

typedef enum { SEEN_BLACK = 1, SEEN_WHITE = 2, SEEN_TAUGHT = 4 } Seen;

static const Opt patterns_opts[] = {
    {.name = "scoring",
     .type = OPT_CHOICE,
     .offset = offsetof(PatternsOptions, scoring),
     .standard = "winrate",
     .choices = "document|winrate",
     .help = "how patterns are scored: as in the thesis, or by how often they win"},
    {.name = "depth",
     .type = OPT_INT,
     .offset = offsetof(PatternsOptions, depth),
     .min = 1,
     .max = 8,
     .standard = "2",
     .help = "moves that it looks ahead in its games"},
    {.name = "partner",
     .type = OPT_TEXT,
     .offset = offsetof(PatternsOptions, partner),
     .standard = "",
     .value = "SPEC",
     .help = "whom it plays with; otherwise with itself"},
    {.name = "mixed",
     .type = OPT_BOOL,
     .offset = offsetof(PatternsOptions, mixed),
     .standard = "yes",
     .help = "games begin with stones at random, not on the empty board"},
    {.name = "tournament",
     .type = OPT_BOOL,
     .offset = offsetof(PatternsOptions, tournament),
     .help = "games between players that know one pattern each, of those that are there"},
    {0},
};

static const OptTable patterns_table = {
    .name = "patterns",
    .about = "Composite patterns that lead to wins, with scores. The player pattern:db=FILE plays "
             "with them, goren patterns FILE shows them.",
    .example = "goren learn patterns --games 300 --out patterns.db --every 50",
    .opts = patterns_opts,
};

/* ---- opening and saving ---- */

/* All that games depend on, but for the tournament, which goes on with what is there. */
static void write_conditions(const LearnerPlan *plan, const PatternsOptions *o, Buf *out)
{
    const Rules *r = &plan->rules;
    buf_printf(out, "rule %s\nsize %dx%d\nwin %d\nseed %llu\nscoring %s\ndepth %d\n",
               rule_name(r->kind), r->width, r->height, r->k, (unsigned long long)plan->seed,
               o->scoring == SCORING_WINRATE ? "winrate" : "document", o->depth);
    buf_printf(out, "partner %s\nmixed %s\n", *o->partner ? o->partner : "itself",
               o->mixed ? "yes" : "no");
}

static void patterns_close(Learner *learner)
{
    PatternsLearner *p = (PatternsLearner *)learner;
    pattern_store_close(p->store);
    pattern_book_free(&p->book);
    pattern_book_free(&p->saved);
    player_close(p->partner);
    mem_free(p->partner_spec);
    if (p->board) board_close(p->board);
    for (int c = BLACK; c <= WHITE; c++) mem_free(p->rival[c]);
    mem_free(p->seen);
    mem_free(p->moves);
    mem_free(p);
}

static bool open_store(PatternsLearner *p, const LearnerPlan *plan, Err *err)
{
    Buf conditions = BUF_EMPTY;
    PatternStoreHead head;
    write_conditions(plan, &p->options, &conditions);
    p->store = pattern_store_open(plan->path, err);
    bool good = p->store &&
                pattern_store_begin(p->store, plan->rules.k, buf_text(&conditions), err) &&
                pattern_store_load(p->store, PATTERNS_NOW, &p->book, err);
    if (good) pattern_book_copy(&p->saved, &p->book);
    good = good && pattern_store_head(p->store, &head, err);
    if (good) {
        p->head.games = head.games;
        p->head.losses = head.losses;
        p->head.loss_games = head.loss_games;
    } else if (p->store) {
        err_prefix(err, "%s", plan->path ? plan->path : "patterns");
    }
    buf_free(&conditions);
    return good;
}

static Learner *patterns_open(const LearnerPlan *plan, Err *err)
{
    PatternsLearner *p = mem_zero(sizeof *p);
    p->options = *(const PatternsOptions *)plan->options;
    p->options.partner = p->partner_spec = mem_text(p->options.partner);
    p->seed = plan->seed;
    bool good = true;
    if (*p->options.partner) {
        p->partner = player_open(p->options.partner, err);
        good = p->partner || err_prefix(err, "--partner");
    }
    good = good && open_store(p, plan, err);
    if (good && p->options.tournament && p->book.count < 2)
        good = err_set(err,
                       "a tournament is for patterns that are there, and there are %d: learn "
                       "some without --tournament, or import them (goren patterns)",
                       p->book.count);
    if (!good) return patterns_close(&p->head), NULL;
    p->board = board_open(&plan->rules, NEAR_SQUARE2);
    p->moves = mem_alloc((size_t)(plan->rules.width * plan->rules.height) * sizeof *p->moves);
    return &p->head;
}

/* Who plays a colour, for the record of games. */
static void describe(const PatternsLearner *p, Colour colour, Colour pupil, Buf *out)
{
    char text[PATTERN_TEXT_MAX];
    if (p->rival[colour])
        buf_add_text(out, p->rival[colour]);
    else if (p->options.tournament)
        buf_add_text(out, pattern_text(&p->book.rows[p->rivals[colour]].pattern, text));
    else
        buf_add_text(out, p->partner && colour != pupil ? p->options.partner : "patterns");
}

static Colour pupil_of(int64_t game)
{
    return game % 2 ? BLACK : WHITE;
}

static bool patterns_save(Learner *learner, bool safe, Err *err)
{
    PatternsLearner *p = (PatternsLearner *)learner;
    PatternStoreHead head;
    if (!pattern_store_head(p->store, &head, err)) return false;
    if (head.games < learner->games) {
        Buf black = BUF_EMPTY, white = BUF_EMPTY, moves = BUF_EMPTY;
        describe(p, BLACK, pupil_of(learner->games), &black);
        describe(p, WHITE, pupil_of(learner->games), &white);
        for (int i = 0; i < p->count; i++) {
            char text[POINT_TEXT_MAX];
            buf_add_text(&moves, point_text(&learner->rules, p->moves[i], text));
        }
        PatternGame game = {.number = (int)learner->games,
                            .black = buf_text(&black),
                            .white = buf_text(&white),
                            .winner = (int)p->won - 1,
                            .moves = buf_text(&moves),
                            .losses = learner->losses,
                            .loss_games = learner->loss_games};
        bool good = pattern_store_add(p->store, &game, &p->saved, &p->book, err);
        buf_free(&black);
        buf_free(&white);
        buf_free(&moves);
        if (!good) return false;
        pattern_book_free(&p->saved);
        pattern_book_copy(&p->saved, &p->book);
    }
    return !safe || pattern_store_flush(p->store, err);
}

/* ---- a game ---- */

static Player *player_with(const PatternsLearner *p, int row)
{
    PatternBook book;
    bool is_new;
    if (row < 0) {
        pattern_book_copy(&book, &p->book);
    } else {
        pattern_book_init(&book, p->book.k);
        pattern_book_add(&book, &p->book.rows[row].pattern, &is_new)->score =
            p->book.rows[row].score;
    }
    return player_pattern_with(&book, p->options.depth, 0);
}

static Player *patterns_player(Learner *learner, Err *err)
{
    (void)err;
    return player_with((PatternsLearner *)learner, -1);
}

static void draw_rivals(PatternsLearner *p, Rng *rng)
{
    uint32_t count = (uint32_t)p->book.count;
    p->rivals[BLACK] = (int)rng_below(rng, count);
    p->rivals[WHITE] = (int)rng_below(rng, count - 1);
    if (p->rivals[WHITE] >= p->rivals[BLACK]) p->rivals[WHITE]++;
}

/* Plays on from the board; by_colour think in turn. */
static bool play_on(PatternsLearner *p, Player *const by_colour[], Err *err)
{
    Thought thought;
    while (!board_is_over(p->board)) {
        Colour side = p->board->side;
        if (!player_think(by_colour[side], p->board, &(Limits){0}, &thought, err)) return false;
        if (thought.stones[0] == POINT_NONE) break;
        board_play(p->board, thought.stones[0]);
    }
    return true;
}

static bool patterns_play(Learner *learner, Point *moves, bool *by_lot, LearnerGame *game, Err *err)
{
    (void)by_lot; /* nothing is tried by lot but the stones at the start */
    PatternsLearner *p = (PatternsLearner *)learner;
    Rng rng;
    rng_seed(&rng, p->seed * 1000003 + (uint64_t)learner->games);
    do {
        board_reset(p->board);
        if (p->options.mixed) starts_set(p->board, NULL, 0, &rng);
    } while (board_is_over(p->board));
    game->first = p->board->plies;
    Player *own[COLOUR_COUNT] = {0}, *by_colour[COLOUR_COUNT];
    if (p->options.tournament) draw_rivals(p, &rng);
    Colour pupil = pupil_of(learner->games + 1);
    for (int c = 0; c < COLOUR_COUNT; c++) {
        bool partner = p->partner && !p->options.tournament && (Colour)c != pupil;
        if (!partner) own[c] = player_with(p, p->options.tournament ? p->rivals[c] : -1);
        by_colour[c] = partner ? p->partner : own[c];
    }
    if (p->partner) player_reseed(p->partner, rng_next(&rng));
    bool good = play_on(p, by_colour, err);
    for (int c = 0; c < COLOUR_COUNT; c++) player_close(own[c]);
    game->count = board_moves(p->board, moves);
    game->won = p->board->won;
    return good;
}

/* ---- learning from it ---- */

static void see(PatternsLearner *p, int row, Seen seen)
{
    while (row >= p->seen_room) {
        int room = p->seen_room ? 2 * p->seen_room : 256;
        p->seen = mem_grow(p->seen, (size_t)room);
        memset(p->seen + p->seen_room, 0, (size_t)(room - p->seen_room));
        p->seen_room = room;
    }
    p->seen[row] |= (uint8_t)seen;
}

/* A score as far as its rule lets it go. */
static int bounded(const PatternsLearner *p, const PatternRow *row, int score)
{
    if (p->options.scoring == SCORING_DOCUMENT)
        return pattern_within(&row->pattern, p->book.k, score);
    return score > SCORE_MAX ? SCORE_MAX : score < -SCORE_MAX ? -SCORE_MAX : score;
}

static void teach(PatternsLearner *p, const Pattern *pattern)
{
    bool is_new, by_document = p->options.scoring == SCORING_DOCUMENT;
    int known = pattern_book_score(&p->book, pattern); /* in the other order of its lines, too */
    PatternRow *row = pattern_book_add(&p->book, pattern, &is_new);
    row->sightings++;
    if (is_new && !by_document) row->score = known;
    if (!is_new && by_document) row->score = bounded(p, row, row->score + GAIN);
    see(p, (int)(row - p->book.rows), SEEN_TAUGHT);
    if (is_new) see(p, (int)(row - p->book.rows), p->won == CELL_BLACK ? SEEN_BLACK : SEEN_WHITE);
}

static void on_taught(void *ctx, const Pattern *pattern)
{
    PatternsLearner *p = ctx;
    teach(p, pattern);
    if (p->options.scoring == SCORING_DOCUMENT || !pattern->second) return;
    teach(p, &(Pattern){.main = pattern->main});
    if (pattern->second != pattern->main) teach(p, &(Pattern){.main = pattern->second});
}

/* Goes through the game again: who had which patterns? Returns the mean square of how far the sum
 * of scores was from the result, for who made each move. */
static double look_back(PatternsLearner *p, const LearnerGame *game)
{
    PatternCount *count = pattern_count_open(&p->head.rules, &p->book);
    double wrong = 0;
    board_reset(p->board);
    pattern_count_reset(count, p->board);
    for (int t = 0; t < game->count; t++) {
        Colour mover = p->board->side;
        board_play(p->board, game->moves[t]);
        pattern_count_push(count, p->board);
        if (t < game->first) continue;
        double won = game->won == CELL_EMPTY ? 0.5 : game->won == (Cell)(mover + 1);
        double sum = pattern_count_value(count, mover);
        double error = won - 1 / (1 + exp(-sum / PATTERN_LOGIT));
        wrong += error * error;
        for (int i = 0; i < p->book.count; i++)
            if (pattern_count_has(count, &p->book.rows[i].pattern, mover))
                see(p, i, mover == BLACK ? SEEN_BLACK : SEEN_WHITE);
    }
    pattern_count_close(count);
    return game->count > game->first ? wrong / (game->count - game->first) : 0;
}

static void count_results(PatternsLearner *p, Cell won)
{
    if (won == CELL_EMPTY) return;
    Seen winner = won == CELL_BLACK ? SEEN_BLACK : SEEN_WHITE;
    Seen loser = won == CELL_BLACK ? SEEN_WHITE : SEEN_BLACK;
    for (int i = 0; i < p->book.count; i++) {
        p->book.rows[i].wins += (p->seen[i] & winner) != 0;
        p->book.rows[i].losses += (p->seen[i] & loser) != 0;
    }
}

static void score_by_document(PatternsLearner *p, bool lost)
{
    for (int i = 0; lost && i < p->book.count; i++) {
        PatternRow *row = &p->book.rows[i];
        if (p->seen[i] & SEEN_TAUGHT) continue;
        row->score = bounded(p, row, row->score - FADE);
    }
}

/* Before the game's own patterns are taught: the lesson is about those that played it. */
static void score_by_lesson(PatternsLearner *p, const LearnerGame *game)
{
    double cooled = lesson_half_life / (lesson_half_life + (double)p->head.games);
    PatternLesson lesson = {.depth = p->options.depth, .rate = lesson_rate * cooled};
    double *change = mem_zero((size_t)(p->book.count + 1) * sizeof *change);
    pattern_lesson_learn(&lesson, &p->book, p->board, game, change);
    for (int i = 0; i < p->book.count; i++) {
        PatternRow *row = &p->book.rows[i];
        row->score = bounded(p, row, row->score + (int)lround(change[i]));
    }
    mem_free(change);
}

static void score_rivals(PatternsLearner *p, Cell won)
{
    for (int c = 0; c < COLOUR_COUNT; c++) {
        PatternRow *row = &p->book.rows[p->rivals[c]];
        bool winner = won == (Cell)(c + 1);
        int change = won == CELL_EMPTY ? -DRAW_COST : winner ? GAIN : -GAIN;
        row->score = bounded(p, row, row->score + change);
        row->wins += winner;
        row->losses += won != CELL_EMPTY && !winner;
    }
}

static bool patterns_observe(Learner *learner, const LearnerGame *game, double *loss, Err *err)
{
    (void)err;
    PatternsLearner *p = (PatternsLearner *)learner;
    Colour pupil = pupil_of(learner->games + 1);
    if (!game->rival[BLACK] != !game->rival[WHITE]) pupil = game->rival[BLACK] ? WHITE : BLACK;
    for (int c = BLACK; c <= WHITE; c++) {
        mem_free(p->rival[c]);
        p->rival[c] = game->rival[c] ? mem_text(game->rival[c]) : NULL;
    }
    if (p->seen) memset(p->seen, 0, (size_t)p->seen_room);
    see(p, p->book.count, (Seen)0);
    memcpy(p->moves, game->moves, (size_t)game->count * sizeof *p->moves);
    p->count = game->count;
    p->won = game->won;
    *loss = look_back(p, game);
    if (p->options.tournament) {
        score_rivals(p, game->won);
        return true;
    }
    if (p->options.scoring == SCORING_WINRATE) score_by_lesson(p, game);
    if (game->won != CELL_EMPTY) pattern_teach(p->board, on_taught, p);
    count_results(p, game->won);
    if (p->options.scoring == SCORING_DOCUMENT)
        score_by_document(p, game->won == (Cell)(colour_other(pupil) + 1));
    return true;
}

const LearnerKind learner_patterns = {
    .options = &patterns_table,
    .options_size = sizeof(PatternsOptions),
    .file = "patterns.db",
    .open = patterns_open,
    .play = patterns_play,
    .observe = patterns_observe,
    .save = patterns_save,
    .player = patterns_player,
    .close = patterns_close,
};

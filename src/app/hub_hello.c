/* SPDX-License-Identifier: MIT */
/* hello: what this server can do, and which players a page may name. */
#include "app/hub_runs.h"

#include "game/record.h"
#include "play/game.h"
#include "learn/learner.h"
#include "play/level.h"

#include <stdlib.h>
#include <string.h>

enum { PROTOCOL = 1, LINES_MAX = 20, SPEC_MAX = 500 };

#define SERVE_VERSION "0.1"

/* ---- players ---- */

/* Would this option reach out of the game: to a file of this machine, to a command? */
static bool reaches_out(const PlayerKind *kind, const Opt *opt)
{
    if (kind == &player_pipe) return true;
    return opt->type == OPT_TEXT && opt->value &&
           (strcmp(opt->value, "FILE") == 0 || strcmp(opt->value, "COMMAND") == 0);
}

json_t *json_option(const Opt *opt)
{
    static const char *const types[] = {"int",  "count", "bytes", "float",
                                        "bool", "text",  "size",  "choice"};
    json_t *out = json_pack("{s:s, s:s, s:s?, s:s}", "name", opt->name, "type", types[opt->type],
                            "default", opt->standard, "help", opt->help);
    if (opt->min != opt->max) {
        json_object_set_new(out, "min", json_real(opt->min));
        json_object_set_new(out, "max", json_real(opt->max));
    }
    json_t *choices = opt->choices ? json_array() : json_null();
    for (const char *at = opt->choices; at && *at;) {
        size_t len = strcspn(at, "|");
        json_array_append_new(choices, json_stringn(at, len));
        at += len + (at[len] == '|');
    }
    json_object_set_new(out, "choices", choices);
    return out;
}

/* Is there nothing that it could play with, unless it may reach out? */
static bool needs_trust(const PlayerKind *kind)
{
    for (const Opt *opt = kind->options->opts; opt && opt->name; opt++) {
        if (opt->required && reaches_out(kind, opt)) return true;
    }
    return false;
}

static json_t *json_players(const Hub *hub)
{
    json_t *list = json_array();
    for (const PlayerKind *const *k = player_kinds; *k; k++) {
        const OptTable *table = (*k)->options;
        if (needs_trust(*k) && !hub->plan.trusted) continue;
        json_t *options = json_array();
        for (const Opt *opt = table->opts; opt && opt->name; opt++) {
            bool ours = reaches_out(*k, opt) || opt->type == OPT_BYTES;
            if (!opt->help || (ours && !hub->plan.trusted)) continue;
            json_array_append_new(options, json_option(opt));
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:s?, s:o}", "kind", table->name, "about",
                                              table->about, "example", table->example, "options",
                                              options));
    }
    return list;
}

static json_t *json_learners(void)
{
    json_t *list = json_array();
    for (const LearnerKind *const *k = learner_kinds; *k; k++) {
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o}", "kind", (*k)->options->name, "about",
                                        (*k)->options->about, "options", learn_options(*k)));
    }
    return list;
}

/* What a page may not set, and what it sets. */
typedef struct {
    const Hub *hub;
    const PlayerKind *kind;
    Refusal *no;
    bool memory, small;
} KeyCheck;

/* Is it a file that a learner of this server has written? */
static bool is_learnt(const Hub *hub, const char *path)
{
    Buf start = BUF_EMPTY;
    runs_path(hub, "learnt-", &start);
    bool ours =
        start.len && strncmp(path, start.data, start.len) == 0 && !strchr(path + start.len, '/');
    buf_free(&start);
    return ours;
}

static bool check_key(void *ctx, const Opt *opt, const char *value, Err *err)
{
    (void)err; /* the refusal's own */
    KeyCheck *check = ctx;
    const HubPlan *plan = &check->hub->plan;
    check->memory |= strcmp(opt->name, "memory") == 0;
    check->small |= strcmp(opt->name, "level") == 0 && atoi(value) < LEVEL_MAX;
    if (reaches_out(check->kind, opt) && !plan->trusted && !is_learnt(check->hub, value))
        return refuse(check->no, "denied",
                      "This server does not open files or run commands for a page (%s=): it must "
                      "be started with --trust for that.",
                      opt->name);
    if (strcmp(opt->name, "threads") == 0 && atol(value) > plan->threads)
        return refuse(check->no, "limit", "A player may have %d threads here, not %ld.",
                      plan->threads, atol(value));
    if (opt->type == OPT_BYTES && !plan->trusted)
        return refuse(check->no, "denied", "How much memory a player has is the server's to say.");
    return true;
}

static bool has_memory(const PlayerKind *kind)
{
    for (const Opt *opt = kind->options->opts; opt && opt->name; opt++) {
        if (strcmp(opt->name, "memory") == 0 && opt->type == OPT_BYTES) return true;
    }
    return false;
}

static bool check_keys(const Hub *hub, const PlayerKind *kind, const char *keys, Buf *spec,
                       Refusal *no)
{
    enum { SMALL = 2 << 20 };
    KeyCheck check = {.hub = hub, .kind = kind, .no = no};
    Arena texts;
    arena_open(&texts, 256);
    no->code = "bad"; /* where it is no list of keys at all */
    bool good = opts_each_key(kind->options, keys, &texts, check_key, &check, &no->err);
    arena_close(&texts);
    /* A player below full strength looks at so few positions that a small table is enough, and
     * quicker to have. */
    if (good && !check.memory && has_memory(kind))
        buf_printf(spec, "%cmemory=%zu", *keys ? ',' : ':',
                   check.small ? (size_t)SMALL : hub->plan.memory);
    return good;
}

bool hub_check_player(Hub *hub, const char *player, Buf *spec, Refusal *no)
{
    char name[SPEC_KIND_MAX];
    const char *keys = "";
    if (strlen(player) > SPEC_MAX)
        return refuse(no, "limit", "A player is described in at most %d bytes.", SPEC_MAX);
    if (!spec_split(player, name, &keys, &no->err)) return refuse_so(no, "bad");
    const PlayerKind *kind = player_find(name, &no->err);
    if (!kind) return refuse_so(no, "bad");
    if (kind == &player_pipe && !hub->plan.trusted)
        return refuse(no, "denied",
                      "This server does not run commands for a page: it must be started with "
                      "--trust for that.");
    buf_clear(spec);
    buf_printf(spec, "%s%s%s", name, *keys ? ":" : "", keys);
    if (!check_keys(hub, kind, keys, spec, no)) return false;
    Player *opened = player_open(buf_text(spec), &no->err);
    if (!opened) return refuse_so(no, "bad");
    player_close(opened);
    return true;
}

/* ---- hello ---- */

static json_t *json_names(int count, const char *(*name)(int i))
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, json_string(name(i)));
    return list;
}

static const char *rule_at(int i)
{
    return rule_name((RuleKind)i);
}

static const char *phase_at(int i)
{
    return phase_name((Phase)i);
}

static const char *format_at(int i)
{
    return record_format_name((RecordFormat)i);
}

static bool is_token(const char *text)
{
    return strlen(text) == TOKEN_MAX - 1 && strspn(text, "0123456789abcdef") == TOKEN_MAX - 1;
}

static bool do_hello(Client *client, Request *request, json_t *reply, Refusal *no)
{
    const HubPlan *plan = &client->hub->plan;
    int64_t protocol = 0;
    const char *token = "";
    if (!field_whole(request->body, "protocol", 1, 1000000, &protocol, no) ||
        !field_text(request->body, "client", 100, &token, no))
        return false;
    if (protocol != PROTOCOL)
        return refuse(no, "bad", "This server speaks protocol %d: please load the page again.",
                      PROTOCOL);
    if (*client->token) return refuse(no, "bad", "\"hello\" was said already.");
    if (is_token(token)) {
        memcpy(client->token, token, TOKEN_MAX);
    } else {
        hub_new_id(client->token);
    }
    json_object_update_new(
        reply,
        json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:{s:i, s:i}, s:{s:i, s:i}, s:{s:i, s:i},"
                  " s:{s:I, s:I, s:I, s:I, s:I, s:i, s:i, s:i, s:I}, s:b}",
                  "protocol", PROTOCOL, "version", SERVE_VERSION, "client", client->token, "rules",
                  json_names(RULE_COUNT, rule_at), "phases", json_names(PHASE_COUNT, phase_at),
                  "players", json_players(client->hub), "formats",
                  json_pack("{s:o, s:o}", "in", json_names(FORMAT_COUNT, format_at), "out",
                            json_names(FORMAT_LIB, format_at)),
                  "sizes", "min", 5, "max", SIZE_MAX_SIDE, "win", "min", WIN_MIN, "max", WIN_MAX,
                  "levels", "min", LEVEL_MIN, "max", LEVEL_MAX, "limits", "message_bytes",
                  (json_int_t)HUB_MESSAGE_MAX, "messages_per_second", (json_int_t)plan->rate,
                  "games", (json_int_t)plan->games, "think_ms", (json_int_t)plan->think_ms,
                  "analysis_ms", (json_int_t)plan->analysis_ms, "lines", LINES_MAX, "threads",
                  plan->threads, "slots", plan->slots, "idle_ms", (json_int_t)plan->idle_ms,
                  "trusted", (int)plan->trusted));
    json_object_set_new(reply, "learners", json_learners());
    return true;
}

static bool do_ping(Client *client, Request *request, json_t *reply, Refusal *no)
{
    (void)client, (void)request, (void)reply, (void)no;
    return true;
}

const Verb hello_verbs[] = {{"hello", do_hello}, {"ping", do_ping}, {0}};

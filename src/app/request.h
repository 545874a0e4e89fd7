/* SPDX-License-Identifier: MIT */
/* Request: one message of a page as docs/protocol.md has it, and its fields, each checked as it is
 * taken. Knows nothing of sockets: bytes come in, a request or a sentence goes out. */
#pragma once

#include "base/err.h"
#include "game/notation.h"
#include "game/rules.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why a request is refused: a code for the page, a sentence for the player. */
typedef struct {
    const char *code; /* one of the protocol's */
    const char *why;  /* of a forbidden point; NULL: nothing more to say */
    Err err;
} Refusal;

/* Fills it and returns false. */
bool refuse(Refusal *no, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a sentence that is already in no->err. */
bool refuse_so(Refusal *no, const char *code);

typedef struct {
    int64_t id;       /* 0: the message had none that could be read */
    const char *verb; /* in body */
    json_t *body;     /* owned */
    bool later;       /* set by whoever answers it when there is something to say */
} Request;

/* False: no request; what could be read of it (the id) is there all the same. */
bool request_read(const char *text, size_t len, Request *request, Refusal *no);
void request_free(Request *request);

/* Fields. One that is missing or null leaves *value as it is; what is there must be right. Numbers
 * must lie in the range, texts have at most so many bytes. */
bool field_whole(const json_t *object, const char *key, int64_t min, int64_t max, int64_t *value,
                 Refusal *no);
bool field_number(const json_t *object, const char *key, double min, double max, double *value,
                  Refusal *no);
bool field_bool(const json_t *object, const char *key, bool *value, Refusal *no);
bool field_text(const json_t *object, const char *key, size_t most, const char **value,
                Refusal *no);
bool field_object(const json_t *object, const char *key, json_t **value, Refusal *no);
bool field_array(const json_t *object, const char *key, size_t most, json_t **value, Refusal *no);
/* For fields that there must be. */
bool field_needs_text(const json_t *object, const char *key, size_t most, const char **value,
                      Refusal *no);
/* "rules", or the usual ones. Sizes from 5 up: the page draws no smaller board. */
bool field_rules(const json_t *object, Rules *rules, Refusal *no);
bool field_point(const json_t *object, const char *key, const Rules *rules, Point *p, Refusal *no);
/* A list of points, at most `most`; *count says how many. */
bool field_points(const json_t *object, const char *key, const Rules *rules, Point *points,
                  int most, int *count, Refusal *no);
/* "position" with "side"; no position is the empty board. */
bool field_position(const json_t *object, const Rules *rules, Position *position, Refusal *no);

/* What goes out. */
json_t *json_rules(const Rules *rules);
json_t *json_point(const Rules *rules, Point p);
json_t *json_points(const Rules *rules, const Point *points, int count);
json_t *json_colour(Colour colour); /* "b" or "w" */

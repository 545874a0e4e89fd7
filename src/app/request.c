/* SPDX-License-Identifier: MIT */
#include "app/request.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { VERB_MAX = 40, SIZE_MIN_PAGE = 5, POSITION_BYTES = 64 << 10 };
#define ID_MAX (INT64_C(1) << 53)

bool refuse(Refusal *no, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(no->err.text, sizeof no->err.text, format, args);
    va_end(args);
    return refuse_so(no, code);
}

bool refuse_so(Refusal *no, const char *code)
{
    no->code = code;
    return false;
}

bool request_read(const char *text, size_t len, Request *request, Refusal *no)
{
    json_error_t error;
    *request = (Request){.verb = ""};
    json_t *body = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (!body) return refuse(no, "bad", "The message is no JSON object: %s.", error.text);
    request->body = body;
    if (!json_is_object(body)) return refuse(no, "bad", "The message is no JSON object.");
    const json_t *id = json_object_get(body, "id");
    if (!json_is_integer(id) || json_integer_value(id) < 1 || json_integer_value(id) > ID_MAX)
        return refuse(no, "bad", "The message has no \"id\", a whole number from 1 on.");
    request->id = json_integer_value(id);
    return field_needs_text(body, "do", VERB_MAX, &request->verb, no);
}

void request_free(Request *request)
{
    json_decref(request->body);
    *request = (Request){0};
}

/* ---- fields ---- */

/* NULL: it is not there. */
static json_t *field(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    return json_is_null(value) ? NULL : value;
}

bool field_whole(const json_t *object, const char *key, int64_t min, int64_t max, int64_t *value,
                 Refusal *no)
{
    const json_t *found = field(object, key);
    if (!found) return true;
    if (!json_is_integer(found) || json_integer_value(found) < min ||
        json_integer_value(found) > max)
        return refuse(no, "bad", "\"%s\" must be a whole number from %lld to %lld.", key,
                      (long long)min, (long long)max);
    *value = json_integer_value(found);
    return true;
}

bool field_number(const json_t *object, const char *key, double min, double max, double *value,
                  Refusal *no)
{
    const json_t *found = field(object, key);
    if (!found) return true;
    double number = json_number_value(found);
    if (!json_is_number(found) || !(number >= min && number <= max))
        return refuse(no, "bad", "\"%s\" must be a number from %g to %g.", key, min, max);
    *value = number;
    return true;
}

bool field_bool(const json_t *object, const char *key, bool *value, Refusal *no)
{
    const json_t *found = field(object, key);
    if (!found) return true;
    if (!json_is_boolean(found)) return refuse(no, "bad", "\"%s\" must be true or false.", key);
    *value = json_is_true(found);
    return true;
}

bool field_text(const json_t *object, const char *key, size_t most, const char **value, Refusal *no)
{
    const json_t *found = field(object, key);
    if (!found) return true;
    if (!json_is_string(found)) return refuse(no, "bad", "\"%s\" must be a text.", key);
    if (json_string_length(found) > most)
        return refuse(no, "limit", "\"%s\" is longer than %zu bytes.", key, most);
    *value = json_string_value(found);
    return true;
}

bool field_object(const json_t *object, const char *key, json_t **value, Refusal *no)
{
    json_t *found = field(object, key);
    if (found && !json_is_object(found)) return refuse(no, "bad", "\"%s\" must be an object.", key);
    if (found) *value = found;
    return true;
}

bool field_array(const json_t *object, const char *key, size_t most, json_t **value, Refusal *no)
{
    json_t *found = field(object, key);
    if (found && !json_is_array(found)) return refuse(no, "bad", "\"%s\" must be a list.", key);
    if (found && json_array_size(found) > most)
        return refuse(no, "limit", "\"%s\" has more than %zu entries.", key, most);
    if (found) *value = found;
    return true;
}

bool field_needs_text(const json_t *object, const char *key, size_t most, const char **value,
                      Refusal *no)
{
    if (!field(object, key)) return refuse(no, "bad", "\"%s\" is missing, a text.", key);
    return field_text(object, key, most, value, no);
}

bool field_rules(const json_t *object, Rules *rules, Refusal *no)
{
    json_t *found = NULL;
    const char *name = "freestyle";
    int64_t width = 15, height = 15, k = 5;
    RuleKind kind = RULE_FREESTYLE;
    if (!field_object(object, "rules", &found, no) || !field_text(found, "rule", 20, &name, no) ||
        !field_whole(found, "width", SIZE_MIN_PAGE, SIZE_MAX_SIDE, &width, no) ||
        !field_whole(found, "height", SIZE_MIN_PAGE, SIZE_MAX_SIDE, &height, no) ||
        !field_whole(found, "win", WIN_MIN, WIN_MAX, &k, no))
        return false;
    if (!rule_parse(name, &kind, &no->err)) return refuse_so(no, "bad");
    rules_init(rules, kind, (int)width, (int)height, (int)k);
    return true;
}

static bool read_point(const char *text, const char *key, const Rules *rules, Point *p, Refusal *no)
{
    const char *at = text;
    if (!point_parse(rules, &at, p, &no->err)) return refuse_so(no, "bad");
    if (*at) return refuse(no, "bad", "\"%s\" holds more than one point.", key);
    return true;
}

bool field_point(const json_t *object, const char *key, const Rules *rules, Point *p, Refusal *no)
{
    const char *text = NULL;
    return field_needs_text(object, key, POINT_TEXT_MAX, &text, no) &&
           read_point(text, key, rules, p, no);
}

bool field_points(const json_t *object, const char *key, const Rules *rules, Point *points,
                  int most, int *count, Refusal *no)
{
    json_t *list = NULL;
    *count = 0;
    if (!field_array(object, key, (size_t)most, &list, no)) return false;
    for (size_t i = 0; list && i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        if (!json_is_string(entry) || json_string_length(entry) > POINT_TEXT_MAX)
            return refuse(no, "bad", "\"%s\" must be a list of points, as \"h8\".", key);
        if (!read_point(json_string_value(entry), key, rules, &points[(*count)++], no))
            return false;
    }
    return true;
}

bool field_position(const json_t *object, const Rules *rules, Position *position, Refusal *no)
{
    const char *text = "", *side = "";
    if (!field_text(object, "position", POSITION_BYTES, &text, no) ||
        !field_text(object, "side", 1, &side, no))
        return false;
    if (*side && *side != 'b' && *side != 'w')
        return refuse(no, "bad", "\"side\" must be \"b\" or \"w\".");
    if (!position_parse(rules, text, *side, position, &no->err)) return refuse_so(no, "bad");
    return true;
}

/* ---- what goes out ---- */

json_t *json_rules(const Rules *rules)
{
    return json_pack("{s:s, s:i, s:i, s:i}", "rule", rule_name(rules->kind), "width", rules->width,
                     "height", rules->height, "win", rules->k);
}

json_t *json_point(const Rules *rules, Point p)
{
    char text[POINT_TEXT_MAX];
    return json_string(point_text(rules, p, text));
}

json_t *json_points(const Rules *rules, const Point *points, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, json_point(rules, points[i]));
    return list;
}

json_t *json_colour(Colour colour)
{
    return json_string(colour == BLACK ? "b" : "w");
}

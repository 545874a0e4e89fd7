/* SPDX-License-Identifier: MIT */
/* Any bytes as a message of a page: a request with fields that are what they say, or a refusal with
 * a code and a sentence. */
#include "app/request.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { POINTS = 5, TEXT = 50 };

/* What is refused is refused with a code and a reason. */
static bool check(bool good, Refusal *no)
{
    if (!good && (!no->code || !no->err.text[0])) abort();
    bool result = good;
    *no = (Refusal){0};
    return result;
}

static void take_fields(const Request *request)
{
    Refusal no = {0};
    Rules rules;
    Position position = {0};
    Point points[POINTS], p;
    int count;
    int64_t whole = 7;
    double number = 0.5;
    bool flag;
    const char *text = "";
    json_t *list = NULL, *object = NULL;
    if (check(field_whole(request->body, "whole", 1, 9, &whole, &no), &no) &&
        (whole < 1 || whole > 9))
        abort();
    if (check(field_number(request->body, "number", 0, 1, &number, &no), &no) &&
        !(number >= 0 && number <= 1))
        abort();
    check(field_bool(request->body, "flag", &flag, &no), &no);
    if (check(field_text(request->body, "text", TEXT, &text, &no), &no) && strlen(text) > TEXT)
        abort();
    check(field_array(request->body, "list", POINTS, &list, &no), &no);
    check(field_object(request->body, "object", &object, &no), &no);
    if (!check(field_rules(request->body, &rules, &no), &no)) return;
    if (!rules_check(rules.width, rules.height, rules.k, NULL)) abort();
    if (check(field_point(request->body, "point", &rules, &p, &no), &no) &&
        !rules_inside(&rules, rules_x(&rules, p), rules_y(&rules, p)))
        abort();
    if (check(field_points(request->body, "points", &rules, points, POINTS, &count, &no), &no) &&
        (count < 0 || count > POINTS))
        abort();
    if (check(field_position(request->body, &rules, &position, &no), &no)) position_free(&position);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Request request;
    Refusal no = {0};
    if (check(request_read((const char *)data, size, &request, &no), &no)) {
        if (request.id < 1 || !request.verb) abort();
        take_fields(&request);
    }
    request_free(&request);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "search/params.h"

#include <stdlib.h>
#include <string.h>

const SearchParam search_params[SEARCH_PARAM_COUNT] = {
#define X(name, shape, net, least, most, step, help) {#name, help, least, most, step},
    SEARCH_PARAMS(X)
#undef X
};

static const SearchParams for_shape = {
#define X(name, shape, net, least, most, step, help) shape,
    SEARCH_PARAMS(X)
#undef X
};

static const SearchParams for_net = {
#define X(name, shape, net, least, most, step, help) net,
    SEARCH_PARAMS(X)
#undef X
};

const SearchParams *search_params_for(const EvalKind *eval)
{
    return eval == &eval_net ? &for_net : &for_shape;
}

int search_params_get(const SearchParams *params, int which)
{
    return ((const int *)params)[which];
}

void search_params_put(SearchParams *params, int which, int value)
{
    ((int *)params)[which] = value;
}

static bool set_one(SearchParams *params, const char *word, size_t len, Err *err)
{
    const char *equals = memchr(word, '=', len);
    char *end = NULL;
    long value = equals ? strtol(equals + 1, &end, 10) : 0;
    if (!equals || end != word + len || end == equals + 1)
        return err_set(err, "\"%.*s\" is not NAME=NUMBER", (int)len, word);
    for (int i = 0; i < SEARCH_PARAM_COUNT; i++) {
        const SearchParam *p = &search_params[i];
        if (strlen(p->name) != (size_t)(equals - word) || memcmp(p->name, word, strlen(p->name)))
            continue;
        if (value < p->least || value > p->most)
            return err_set(err, "%s=%ld is out of range: %d … %d", p->name, value, p->least,
                           p->most);
        search_params_put(params, i, (int)value);
        return true;
    }
    return err_set(err, "there is no search parameter \"%.*s\"; goren tune --list names them",
                   (int)(equals - word), word);
}

bool search_params_set(SearchParams *params, const char *text, Err *err)
{
    for (const char *at = text + strspn(text, " "); *at;) {
        size_t len = strcspn(at, " ");
        if (!set_one(params, at, len, err)) return false;
        at += len + strspn(at + len, " ");
    }
    return true;
}

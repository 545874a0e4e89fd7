/* SPDX-License-Identifier: MIT */
/* The page over HTTP. Only what is in the table is served, by its exact path: there is no file
 * system behind it. */
#include "app/serve_inside.h"

#include <libwebsockets.h>

#include <stdio.h>
#include <string.h>

enum { HEADERS_MAX = 2048, CHUNK = 16 << 10 };

/* Nothing from anywhere else, no frame around it; styles may be set on elements. */
static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
    "blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri "
    "'none'; form-action 'none'; frame-ancestors 'none'";

static const PageFile *find_file(const char *path)
{
    if (strcmp(path, "/") == 0) path = "/index.html";
    for (const PageFile *file = page_files; file->path; file++) {
        if (strcmp(file->path, path) == 0) return file;
    }
    return NULL;
}

static bool header_has(struct lws *socket, enum lws_token_indexes header, const char *text)
{
    char value[512];
    int n = lws_hdr_copy(socket, value, sizeof value, header);
    return n > 0 && strstr(value, text);
}

static bool add(struct lws *socket, const char *name, const char *value, unsigned char **at,
                unsigned char *end)
{
    return lws_add_http_header_by_name(socket, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), at,
                                       end) == 0;
}

static bool add_common(struct lws *socket, unsigned char **at, unsigned char *end)
{
    return add(socket, "content-security-policy:", policy, at, end) &&
           add(socket, "x-content-type-options:", "nosniff", at, end) &&
           add(socket, "referrer-policy:", "no-referrer", at, end) &&
           add(socket, "cross-origin-opener-policy:", "same-origin", at, end) &&
           add(socket, "cross-origin-resource-policy:", "same-origin", at, end);
}

/* An answer that is one sentence. */
static int say(struct lws *socket, unsigned code, const char *text)
{
    unsigned char head[LWS_PRE + HEADERS_MAX], body[LWS_PRE + 512];
    unsigned char *start = head + LWS_PRE, *at = start, *end = head + sizeof head;
    int len = snprintf((char *)body + LWS_PRE, sizeof body - LWS_PRE, "%s\n", text);
    if (lws_add_http_common_headers(socket, code, "text/plain; charset=utf-8", (lws_filepos_t)len,
                                    &at, end) != 0 ||
        !add_common(socket, &at, end) ||
        lws_finalize_write_http_header(socket, start, &at, end) != 0)
        return -1;
    if (lws_write(socket, body + LWS_PRE, (size_t)len, LWS_WRITE_HTTP_FINAL) < len) return -1;
    return lws_http_transaction_completed(socket) ? -1 : 0;
}

static int say_unchanged(struct lws *socket, const PageFile *file)
{
    unsigned char head[LWS_PRE + HEADERS_MAX];
    unsigned char *start = head + LWS_PRE, *at = start, *end = head + sizeof head;
    if (lws_add_http_header_status(socket, HTTP_STATUS_NOT_MODIFIED, &at, end) != 0 ||
        !add(socket, "etag:", file->mark, &at, end) ||
        lws_add_http_header_content_length(socket, 0, &at, end) != 0 ||
        lws_finalize_write_http_header(socket, start, &at, end) != 0)
        return -1;
    return lws_http_transaction_completed(socket) ? -1 : 0;
}

int page_answer(struct lws *socket, Connection *connection, const char *path)
{
    unsigned char head[LWS_PRE + HEADERS_MAX];
    unsigned char *start = head + LWS_PRE, *at = start, *end = head + sizeof head;
    if (!lws_hdr_total_length(socket, WSI_TOKEN_GET_URI))
        return say(socket, HTTP_STATUS_METHOD_NOT_ALLOWED, "Only GET is understood here.");
    const PageFile *file = find_file(path);
    if (!page_files[0].path)
        return say(socket, HTTP_STATUS_SERVICE_UNAVAILABLE,
                   "This goren was built without its page: it needs node and npm (scripts/setup).");
    if (!file) return say(socket, HTTP_STATUS_NOT_FOUND, "There is no such page.");
    if (header_has(socket, WSI_TOKEN_HTTP_IF_NONE_MATCH, file->mark))
        return say_unchanged(socket, file);
    if (!header_has(socket, WSI_TOKEN_HTTP_ACCEPT_ENCODING, "gzip"))
        return say(socket, HTTP_STATUS_NOT_ACCEPTABLE,
                   "The page is sent compressed (Accept-Encoding: gzip).");
    if (lws_add_http_common_headers(socket, HTTP_STATUS_OK, file->type, (lws_filepos_t)file->size,
                                    &at, end) != 0 ||
        !add(socket, "content-encoding:", "gzip", &at, end) ||
        !add(socket, "etag:", file->mark, &at, end) ||
        !add(socket, "cache-control:", "no-cache", &at, end) || !add_common(socket, &at, end) ||
        lws_finalize_write_http_header(socket, start, &at, end) != 0)
        return -1;
    connection->file = file;
    connection->sent = 0;
    lws_callback_on_writable(socket);
    return 0;
}

int page_go_on(struct lws *socket, Connection *connection)
{
    unsigned char chunk[LWS_PRE + CHUNK];
    const PageFile *file = connection->file;
    if (!file) return 0;
    size_t left = file->size - connection->sent, n = left < CHUNK ? left : CHUNK;
    bool last = n == left;
    memcpy(chunk + LWS_PRE, file->bytes + connection->sent, n);
    if (lws_write(socket, chunk + LWS_PRE, n, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) <
        (int)n)
        return -1;
    connection->sent += n;
    if (!last) {
        lws_callback_on_writable(socket);
        return 0;
    }
    connection->file = NULL;
    return lws_http_transaction_completed(socket) ? -1 : 0;
}

bool page_host_is_ours(struct lws *socket, bool local_only)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    char host[256];
    if (!local_only) return true;
    if (lws_hdr_copy(socket, host, sizeof host, WSI_TOKEN_HOST) <= 0) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(host, names[i], n) == 0 && (!host[n] || host[n] == ':')) return true;
    }
    return false;
}

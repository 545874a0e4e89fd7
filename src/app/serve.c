/* SPDX-License-Identifier: MIT */
/* The sockets of goren serve. Everything that libwebsockets is told, it is told from this thread;
 * other threads only wake it. */
#include "app/serve.h"

#include "app/serve_inside.h"
#include "base/os.h"

#include <libwebsockets.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { GOODBYE_MS = 500, PING_S = 40, SILENCE_S = 90 };

_Static_assert(CLIENT_HEAD >= LWS_PRE, "messages have too little room before them");

typedef struct {
    const ServePlan *plan;
    Hub *hub;
    struct lws_context *context;
    lws_sorted_usec_list_t timer;
    bool local_only; /* nobody but this machine can connect */
    bool leaving;
} Server;

/* ---- WebSocket ---- */

/* An address has the form scheme://host:port; the page's own has our Host in it. A program that is
 * no browser sends no Origin. */
static bool origin_is_ours(struct lws *socket)
{
    char origin[300], host[256];
    int n = lws_hdr_copy(socket, origin, sizeof origin, WSI_TOKEN_ORIGIN);
    if (n == 0 && !lws_hdr_total_length(socket, WSI_TOKEN_ORIGIN)) return true;
    if (n <= 0 || lws_hdr_copy(socket, host, sizeof host, WSI_TOKEN_HOST) <= 0) return false;
    const char *name = strstr(origin, "://");
    return name && strcmp(name + 3, host) == 0;
}

static int refuse_socket(const Server *server, struct lws *socket, const char *why)
{
    char from[64] = "", origin[200] = "";
    lws_get_peer_simple(socket, from, sizeof from);
    lws_hdr_copy(socket, origin, sizeof origin, WSI_TOKEN_ORIGIN);
    hub_log(server->hub, "turned away",
            json_pack("{s:s, s:s, s:s}", "from", from, "origin", origin, "why", why));
    return 1;
}

static int filter(const Server *server, struct lws *socket)
{
    char path[16] = "";
    lws_hdr_copy(socket, path, sizeof path, WSI_TOKEN_GET_URI);
    if (strcmp(path, "/ws") != 0) return refuse_socket(server, socket, "another path");
    if (!page_host_is_ours(socket, server->local_only))
        return refuse_socket(server, socket, "another host");
    if (!origin_is_ours(socket)) return refuse_socket(server, socket, "another origin");
    if (server->leaving || hub_clients(server->hub) >= server->plan->clients)
        return refuse_socket(server, socket, "too many clients");
    return 0;
}

static int established(const Server *server, struct lws *socket, Connection *connection)
{
    char from[64] = "";
    lws_get_peer_simple(socket, from, sizeof from);
    *connection = (Connection){.client = hub_connect(server->hub, socket, from)};
    return 0;
}

static int receive(struct lws *socket, Connection *connection, const void *bytes, size_t len)
{
    static char reason[] = "the message is too long";
    if (!connection->client) return -1;
    if (lws_frame_is_binary(socket)) {
        static char text_only[] = "messages are text";
        lws_close_reason(socket, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, (unsigned char *)text_only,
                         sizeof text_only - 1);
        return -1;
    }
    if (connection->incoming.len + len > hub_message_room(connection->client)) {
        lws_close_reason(socket, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, (unsigned char *)reason,
                         sizeof reason - 1);
        return -1;
    }
    buf_add(&connection->incoming, bytes, len);
    if (lws_remaining_packet_payload(socket) || !lws_is_final_fragment(socket)) return 0;
    hub_receive(connection->client, buf_text(&connection->incoming), connection->incoming.len);
    buf_free(&connection->incoming); /* an idle client has none */
    return 0;
}

static int writable(struct lws *socket, Connection *connection)
{
    const char *reason = NULL;
    size_t len;
    if (!connection->client) return -1;
    int code = hub_closing(connection->client, &reason);
    if (code) {
        char text[100];
        int n = snprintf(text, sizeof text, "%s", reason ? reason : "");
        lws_close_reason(socket, (enum lws_close_status)code, (unsigned char *)text, (size_t)n);
        return -1;
    }
    char *text = hub_outgoing(connection->client, &len);
    if (!text) return 0;
    if (lws_write(socket, (unsigned char *)text, len, LWS_WRITE_TEXT) < 0) return -1;
    hub_sent(connection->client);
    if (hub_outgoing(connection->client, &len)) lws_callback_on_writable(socket);
    return 0;
}

static void closed(Connection *connection)
{
    if (connection->client) hub_disconnect(connection->client);
    connection->client = NULL;
    buf_free(&connection->incoming);
}

static int on_event(struct lws *socket, enum lws_callback_reasons reason, void *user, void *in,
                    size_t len)
{
    Server *server = lws_context_user(lws_get_context(socket));
    Connection *connection = user;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        if (!page_host_is_ours(socket, server->local_only)) return -1;
        return page_answer(socket, connection, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return page_go_on(socket, connection);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return filter(server, socket);
    case LWS_CALLBACK_ESTABLISHED:
        return established(server, socket, connection);
    case LWS_CALLBACK_RECEIVE:
        return receive(socket, connection, in, len);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return writable(socket, connection);
    case LWS_CALLBACK_CLOSED:
        closed(connection);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        if (server->hub) hub_drain(server->hub);
        return 0;
    default:
        return lws_callback_http_dummy(socket, reason, user, in, len);
    }
}

/* A WebSocket without our subprotocol would land on the first one: it has none to offer. */
static int on_http(struct lws *socket, enum lws_callback_reasons reason, void *user, void *in,
                   size_t len)
{
    if (reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION) return 1;
    return on_event(socket, reason, user, in, len);
}

static const struct lws_protocols protocols[] = {
    {"http", on_http, sizeof(Connection), 0, 0, NULL, 0},
    {"goren.v1", on_event, sizeof(Connection), 4096, 0, NULL, 0},
    {0},
};

/* ---- the loop ---- */

static void on_tick(lws_sorted_usec_list_t *timer)
{
    Server *server = lws_container_of(timer, Server, timer);
    hub_tick(server->hub);
    lws_sul_schedule(server->context, 0, &server->timer, on_tick,
                     (lws_usec_t)HUB_TICK_MS * LWS_US_PER_MS);
}

static void wake(void *ctx)
{
    const Server *server = ctx;
    if (server->context) lws_cancel_service(server->context);
}

static void ready(void *ctx, void *socket)
{
    (void)ctx;
    lws_callback_on_writable(socket);
}

static void silence(int level, const char *line)
{
    (void)level, (void)line;
}

static bool is_local(const char *host)
{
    return strcmp(host, "localhost") == 0 || strncmp(host, "127.", 4) == 0 ||
           strcmp(host, "::1") == 0;
}

static struct lws_context *open_context(Server *server, Err *err)
{
    static const lws_retry_bo_t keep_alive = {.secs_since_valid_ping = PING_S,
                                              .secs_since_valid_hangup = SILENCE_S};
    const ServePlan *plan = server->plan;
    bool everywhere = strcmp(plan->host, "0.0.0.0") == 0 || strcmp(plan->host, "::") == 0;
    struct lws_context_creation_info info = {
        .port = plan->port,
        .iface = everywhere                             ? NULL
                 : strcmp(plan->host, "localhost") == 0 ? "127.0.0.1"
                                                        : plan->host,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_VALIDATE_UTF8 | LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
        .ssl_cert_filepath = plan->cert,
        .ssl_private_key_filepath = plan->key,
        .server_string = "goren",
        .vhost_name = "goren",
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .fd_limit_per_thread = (unsigned)(plan->clients + 100),
        .timeout_secs = 10,
        .keepalive_timeout = 30,
        .pt_serv_buf_size = 8192,
        .retry_and_idle_policy = &keep_alive,
        .user = server,
    };
    if (plan->cert) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
    lws_set_log_level(LLL_ERR, silence);
    struct lws_context *context = lws_create_context(&info);
    if (!context)
        err_set(err, "cannot listen on %s port %d: it is taken, or is no address of this machine%s",
                plan->host, plan->port, plan->cert ? ", or the certificate is none" : "");
    return context;
}

/* Says goodbye, and gives the sockets a moment to say it. */
static void say_goodbye(Server *server)
{
    int64_t until = os_clock_ms() + GOODBYE_MS;
    server->leaving = true;
    hub_dismiss(server->hub, "the server is closing");
    while (hub_clients(server->hub) > 0 && os_clock_ms() < until) lws_service(server->context, 0);
}

/* As a browser on this machine wants it. */
static void add_address(const ServePlan *plan, int port, Buf *out)
{
    bool everywhere = strcmp(plan->host, "0.0.0.0") == 0 || strcmp(plan->host, "::") == 0;
    const char *host = everywhere ? "localhost" : plan->host;
    buf_printf(out, strchr(host, ':') ? "%s://[%s]:%d/" : "%s://%s:%d/",
               plan->cert ? "https" : "http", host, port);
}

bool serve_run(const ServePlan *plan, void (*ready_at)(void *ctx, const char *address), void *ctx,
               const atomic_bool *stop, Err *err)
{
    Server server = {.plan = plan, .local_only = is_local(plan->host)};
    HubPlan hub = plan->hub;
    hub.one_user = server.local_only;
    hub.wake = wake;
    hub.ready = ready;
    hub.ctx = &server;
    server.hub = hub_open(&hub, err);
    if (!server.hub) return false;
    server.context = open_context(&server, err);
    if (server.context) {
        int port = lws_get_vhost_listen_port(lws_get_vhost_by_name(server.context, "goren"));
        hub_log(server.hub, "start", json_pack("{s:s, s:i}", "host", plan->host, "port", port));
        on_tick(&server.timer);
        Buf address = BUF_EMPTY;
        add_address(plan, port, &address);
        hub_say_address(server.hub, buf_text(&address));
        ready_at(ctx, buf_text(&address));
        buf_free(&address);
        while (!atomic_load(stop) && lws_service(server.context, 0) >= 0) continue;
        say_goodbye(&server);
        hub_log(server.hub, "stop", NULL);
    }
    bool good = server.context != NULL;
    hub_stop(server.hub); /* nobody wakes a context that is gone */
    if (good) lws_context_destroy(server.context);
    hub_close(server.hub);
    return good;
}

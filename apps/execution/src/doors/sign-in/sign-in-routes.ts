import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { problemRefusal, refuseProblem, ApiProblem, tokenDigest, writeProblem } from "@crosszone/admin-api";
import { type Author, createRecordRejected, type RecordAct } from "@crosszone/audit";
import { plainPage } from "@crosszone/console";
import {
  answer,
  answerHeaders,
  createTokenBuckets,
  type Door,
  type Emit,
  type Exchange,
  type Refusal,
  type RefusalDetail,
  type RefusalForm,
  type RefusalKind,
  Refused,
  surface,
} from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type RequestHandler, Router } from "express";
import { type ConsoleSettings, personOf, rightsOf } from "../../people/sign-in/console-settings.ts";
import { personActor, type SessionStore } from "../../people/sign-in/session-store.ts";
import { type IdentityProvider, type SignInSecrets, tokenAgeMs } from "./identity-provider.ts";
import {
  type ConsoleSessions,
  cookiesOf,
  isOwnHost,
  newSession,
  readCookie,
  sessionCookie,
  setCookie,
} from "./sessions.ts";

/** What signs people in. */
export interface SignIn {
  /** CONSOLE_URL. */
  readonly url: string;
  /** Returns what the section `console` says now, and the provider that it names. */
  readonly current: () => { readonly settings: ConsoleSettings; readonly provider: IdentityProvider };
  readonly store: SessionStore;
  readonly sessions: ConsoleSessions;
  readonly record: RecordAct;
  readonly emit: Emit<ExecutionEvent>;
}

/** How long a person can take to sign in, milliseconds. */
const signInMs = 600_000;

/** The longest path to return to, so that it fits into a cookie. */
const longestPath = 1_000;

/** Sign-ins that one browser has begun at a time: the cookies of more would not fit into a request. */
const mostBegun = 3;

/** Far more than a logout token has, bytes. */
const mostBytes = 32_768;

type Handler = (exchange: Exchange, body: Buffer) => Promise<void>;

const authorOf = ({ correlationId, from }: Exchange): Author => ({ actor: "unknown", correlationId, from });

/** Creates the routes below `/auth`, which start and end sessions. */
export function createSignInRoutes(signIn: SignIn): RequestHandler {
  const { url, emit, record, sessions } = signIn;
  const router = Router({ caseSensitive: true, strict: true });
  const recordRejected = createRecordRejected(record, (cause) => emit("sign_in_failed", { cause }));
  const providers = createTokenBuckets({ perMinute: 600 });

  /** Returns what reports a refusal: to the log, and within limits to the audit log. */
  const report = (action: "session.start" | "session.end"): Door<string | undefined>["onRefused"] => {
    return async ({ status, reason, message, by: actor = "unknown", cause }, { correlationId, from }) => {
      if (status >= 500) return emit("sign_in_failed", { cause, correlation_id: correlationId });
      const because = reason ?? message;
      emit("sign_in_refused", { by: actor, because, ...from, correlation_id: correlationId });
      const act = { action, target: { type: "session", id: "new" }, details: { because } };
      return recordRejected({ actor, correlationId, from }, act, from.address);
    };
  };

  const open = (action: Parameters<typeof report>[0], handle: Handler): Door<string | undefined> => ({
    auth: () => ({ who: undefined }),
    serve: (exchange, { body }) => handle(exchange, body),
    onRefused: report(action),
    refuse: refuseProblem,
    refusalOf: (error) =>
      problemRefusal(
        isRejection(error)
          ? new ApiProblem("malformed_request", `The logout token is not valid: ${error.message}.`)
          : error,
      ),
    write: writeProblem,
  });

  /** Serves a page of the sign-in. What goes wrong is a page too. A person with a live session has a bucket of its own, and all others at one address one. */
  const page = (handle: Handler): RequestHandler => {
    const [people, addresses] = [createTokenBuckets({ perMinute: 20 }), createTokenBuckets({ perMinute: 60 })];
    return surface<string | undefined>({
      ...open("session.start", handle),
      auth: async ({ request }) => {
        const cookie = readCookie(request, sessionCookie);
        const found = cookie === undefined ? undefined : await sessions.find(tokenDigest(cookie));
        return { who: typeof found === "object" ? found.actor : undefined };
      },
      limit: (person, { from }) => (person === undefined ? addresses.take(from.address) : people.take(person)),
      may: (_who, { request }) =>
        isOwnHost(request, url)
          ? undefined
          : refuseSignIn("foreign_host", { reason: "the request is for another host" }),
      refuse: refuseSignIn,
      refusalOf: (cause) =>
        isRejection(cause) ? refuseSignIn("rejected", { reason: errorText(cause) }) : refuseSignIn("away", { cause }),
      write: (refused, { request }) => noticePage(refused, request, url),
    });
  };

  const body = () => ({ maxBytes: mostBytes, types: ["application/x-www-form-urlencoded"] });
  router.get("/login", page(createLogin(signIn)));
  router.get("/callback", page(createCallback(signIn)));
  router.post("/logout", surface(open("session.end", createLogout(signIn))));
  const signOut = open("session.end", createBackChannelLogout(signIn));
  router.post(
    "/backchannel-logout",
    surface({ ...signOut, strangers: { take: ({ from }) => providers.take(from.address) }, body }),
  );
  return router;
}

const ended = (kind: NoticeKind, detail: RefusalDetail): Refused => new Refused(refuseSignIn(kind, detail));

const isRejection = (error: unknown): error is Error => error instanceof Error && error.name === "RejectedError";

/** The cookie of one sign-in: those of other tabs have other names. */
const cookieOf = (state: string): string => `${sessionCookie}-${state.replaceAll(/[^\w-]/g, "").slice(0, 16)}`;

/**
 * Returns the secrets of a sign-in. They follow from its cookie, which only this browser has: 256 random bits, its end and the page to return
 * to. So a changed cookie has another state.
 */
function secretsOf(cookie: string): SignInSecrets {
  const derive = (what: string): string => hash("sha256", `${what} ${cookie}`, "base64url");
  return { state: derive("state"), nonce: derive("nonce"), verifier: derive("verifier") };
}

/** Returns the path of a page of the console; undefined for any other place. */
function readReturnTo(given: string, url: string): string | undefined {
  const { origin, pathname, search, hash: part } = URL.parse(given, url) ?? {};
  if (!given.startsWith("/") || origin !== url || !/^\/console(\/|$)/.test(pathname ?? "")) return undefined;
  const path = `${pathname}${search}${part}`;
  return path.length > longestPath ? "/console" : path;
}

function redirect(response: ServerResponse, to: string, cookies: readonly string[]): void {
  const headers = ["location", to, "referrer-policy", "no-referrer"];
  const set = cookies.flatMap((cookie) => ["set-cookie", cookie]);
  response.writeHead(302, [...answerHeaders(response), ...headers, ...set]).end();
}

/** Leads to the provider, and back to the page that `return_to` names. */
const createLogin =
  ({ url, current }: SignIn): Handler =>
  async ({ request, response }) => {
    const given = new URL(request.url ?? "", url).searchParams.get("return_to") ?? "/console";
    const returnTo = readReturnTo(given, url);
    if (returnTo === undefined) throw ended("bad_return", { reason: "return_to is no page of the console" });
    const cookie = [newSession(), Date.now() + signInMs, Buffer.from(returnTo).toString("base64url")].join(".");
    const secrets = secretsOf(cookie);
    const to = await current().provider.signInUrl(secrets);
    const begun = cookiesOf(request).flatMap(([name]) => (name.startsWith(`${sessionCookie}-`) ? [name] : []));
    // Browsers send the oldest first. https://www.rfc-editor.org/rfc/rfc6265#section-5.4
    const old = begun.slice(0, 1 - mostBegun).map((name) => setCookie(name));
    redirect(response, to, [setCookie(cookieOf(secrets.state), cookie, signInMs), ...old]);
  };

/** Starts the session of a person whom the provider has sent back, with a new cookie. */
const createCallback =
  ({ url, current, store, emit }: SignIn): Handler =>
  async (exchange) => {
    const { request, response } = exchange;
    const by = authorOf(exchange);
    const { search, searchParams } = new URL(request.url ?? "", url);
    const name = cookieOf(searchParams.get("state") ?? "");
    const started = readCookie(request, name) ?? "";
    const [, end = "", path = ""] = started.split(".");
    const secrets = secretsOf(started);
    const leftMs = Number(end) - Date.now();
    if (secrets.state !== searchParams.get("state") || !(leftMs > 0 && leftMs <= signInMs))
      throw ended("start_again", { reason: "this browser started no such sign-in in the last ten minutes" });
    if (!(await store.useOnce(`state ${secrets.state}`, Number(end))))
      throw ended("start_again", { reason: "the state was used before" });

    const { settings, provider } = current();
    const { idToken, claims } = await provider.redeem(search, secrets);
    const { iss = "", sub = "", sid } = claims;
    const whose = { iss, sub, ...(typeof sid === "string" && { sid }) };
    const actor = personActor(whose);
    const person = personOf(settings, claims);
    if (typeof person === "string") throw ended(person, { reason: person, by: actor });
    const rights = rightsOf(settings, person.groups);
    const message = `You are in ${person.groups.length} groups.`;
    if (rights === undefined) throw ended("no_role", { reason: "no_role", by: actor, message });

    const author = { ...by, actor, from: by.from && { ...by.from, name: person.name } };
    const old = readCookie(request, sessionCookie);
    if (old !== undefined) await store.end({ digest: tokenDigest(old) }, { by: author, because: "replaced" });
    const session = newSession();
    await store.start(tokenDigest(session), { ...whose, person, idToken, by: author, roles: rights.roles });
    emit("session_started", { by: actor, roles: [...rights.roles], correlation_id: by.correlationId });
    const back = readReturnTo(Buffer.from(path, "base64url").toString("utf8"), url) ?? "/console";
    redirect(response, back, [setCookie(sessionCookie, session, settings.session.absolute), setCookie(name)]);
  };

/** Ends the session of the request. The answer says where to sign out of the provider too. */
const createLogout =
  ({ current, store, sessions, emit }: SignIn): Handler =>
  async (exchange) => {
    const { request, response } = exchange;
    const by = authorOf(exchange);
    const holder = await sessions.holderOf(request);
    if (holder === undefined) throw new ApiProblem("unauthorized", "No person is signed in.");
    const { actor, person, session } = holder;
    const author = { ...by, actor, from: by.from && { ...by.from, name: person.name } };
    await store.end({ digest: session.digest }, { by: author, because: "sign_out" });
    emit("sessions_ended", { by: actor, sessions: 1, correlation_id: by.correlationId });
    const next = await current().provider.signOutUrl(store.idTokenOf(session));
    const body = JSON.stringify({ redirect_to: next ?? null });
    answer(response, 200, { contentType: "application/json", body, headers: ["set-cookie", setCookie(sessionCookie)] });
  };

/** Ends the sessions that a logout token of the provider names. */
const createBackChannelLogout =
  ({ current, store, emit }: SignIn): Handler =>
  async (exchange, body) => {
    const { response } = exchange;
    const by = authorOf(exchange);
    const { settings, provider } = current();
    const sent = new URLSearchParams(body.toString("utf8")).getAll("logout_token");
    const [token = ""] = sent;
    const { jti, whose } = await provider.verifyLogout(sent.length === 1 ? token : "");
    const author = { ...by, actor: `subject:${settings.issuer}` };
    const once = { id: `jti ${settings.issuer} ${jti}`, expiresAt: Date.now() + 2 * tokenAgeMs };
    const sessions = await store.end(whose, { by: author, because: "back_channel", once });
    if (sessions === undefined) throw new ApiProblem("malformed_request", "The logout token was used before.");
    emit("sessions_ended", { by: author.actor, sessions, correlation_id: by.correlationId });
    response.writeHead(200, answerHeaders(response)).end();
  };

const noAccess = "You have no access";

/** Why a sign-in ends without a session, for the person: the status, a title, and what to do. */
const notices = {
  start_again: [400, "Start again", "This sign-in took too long, was used before, or began in another browser."],
  bad_return: [400, "Start again", "The link leads to a page outside the console."],
  rejected: [403, "The sign-in was rejected", "The response of your identity provider is not valid. Start again."],
  no_groups: [
    403,
    noAccess,
    "Your identity provider sent no groups. Ask an administrator to add the claim that groups_claim of the console file names.",
  ],
  overage: [
    403,
    noAccess,
    "You are in too many groups, so your identity provider left them out. Ask an administrator to send app roles, or only the groups of this application.",
  ],
  no_role: [403, noAccess, "None of your groups has a role. Ask an administrator to add one of them."],
  foreign_host: [403, "This is another address", "The console has one address, and signs people in only there."],
  too_many: [429, "Wait a little", "This address started too many sign-ins."],
  away: [
    503,
    "Sign-in is not possible right now",
    "Your identity provider or the zone can't be reached. People who are signed in stay signed in. Try again in a minute.",
  ],
} as const;

type NoticeKind = keyof typeof notices;

/** Makes the refusal of a sign-in, which ends with a page instead of a session. */
function refuseSignIn(given: NoticeKind | RefusalKind, detail: RefusalDetail = {}): Refusal {
  const kind = given in notices ? (given as NoticeKind) : "away";
  const [status, title, text] = notices[kind];
  // What is said besides is not from a sender.
  return { ...detail, kind, status, title, message: [detail.message, text].filter(Boolean).join(" ") };
}

const policy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Returns a page that says why a sign-in ended, with a link to the console. It ends the cookie of the sign-in. */
function noticePage({ title = "", message }: Refusal, request: IncomingMessage, url: string): RefusalForm {
  const state = new URL(request.url ?? "", url).searchParams.get("state");
  const cookies = state === null || readCookie(request, cookieOf(state)) === undefined ? [] : [cookieOf(state)];
  const body = plainPage(title, `<p>${message}</p>\n<p><a href="${url}/console">Back to the console</a></p>`);
  const headers = ["referrer-policy", "no-referrer", ...cookies.flatMap((name) => ["set-cookie", setCookie(name)])];
  return { contentType: "text/html; charset=utf-8", body, policy, headers };
}

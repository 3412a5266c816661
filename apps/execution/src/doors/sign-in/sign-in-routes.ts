import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { problemOf, sendProblem, SharedProblem, tokenDigest } from "@crosszone/admin-api";
import { type Author, authorAct, createActLimit, type RecordAct } from "@crosszone/audit";
import { plainPage } from "@crosszone/console";
import {
  answer,
  answerHeaders,
  correlationOfRequest,
  createTokenBuckets,
  type Emit,
  readBody,
  requestIdOf,
  senderOf,
} from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type RequestHandler, Router } from "express";
import { type ConsoleSettings, personOf, rightsOf } from "../../people/sign-in/console-settings.ts";
import { personActor, type SessionStore } from "../../people/sign-in/session-store.ts";
import { type IdentityProvider, type SignInSecrets, tokenAgeMs } from "./identity-provider.ts";
import { type ConsoleSessions, isOwnHost, newSession, readCookie, sessionCookie, setCookie } from "./sessions.ts";

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

/** Far more than a logout token has, bytes. */
const mostBytes = 32_768;

type Handler = (request: IncomingMessage, response: ServerResponse, by: Author) => Promise<void>;

/** A sign-in ends with a page instead of a session. */
class SignInEnd extends Error {
  readonly kind: NoticeKind;
  readonly details: { readonly actor?: string; readonly more?: string };

  constructor(kind: NoticeKind, because: string, details: SignInEnd["details"] = {}) {
    super(because);
    this.kind = kind;
    this.details = details;
  }
}

/** Creates the routes below `/auth`, which start and end sessions. */
export function createSignInRoutes(signIn: SignIn): RequestHandler {
  const { url, emit, record } = signIn;
  const router = Router({ caseSensitive: true, strict: true });
  const isRecorded = createActLimit();
  const [people, provider] = [60, 600].map((perMinute) => createTokenBuckets({ capacity: perMinute, perMinute }));

  /** Reports what was refused: to the log, and within limits to the audit log. */
  async function refused(action: "session.start" | "session.end", because: string, by: Author): Promise<void> {
    const { actor, correlationId: correlation_id, from: { address, client } = {} } = by;
    emit("sign_in_refused", { by: actor, because, address, client, correlation_id });
    if (!isRecorded(address ?? "")) return;
    const act = authorAct(by, { action, target: { type: "session", id: "new" }, details: { because } });
    await record({ ...act, outcome: "rejected" }).catch((cause: unknown) => emit("sign_in_failed", { cause }));
  }
  const authorOf = (request: IncomingMessage, response: ServerResponse): Author => ({
    actor: "unknown",
    correlationId: correlationOfRequest(request.headers, requestIdOf(response)),
    from: senderOf(request),
  });

  /** Serves a page of the sign-in. What goes wrong is a page too. */
  const page = (handle: Handler) => async (request: IncomingMessage, response: ServerResponse) => {
    const by = authorOf(request, response);
    try {
      if (!isOwnHost(request, url)) throw new SignInEnd("foreign_host", "the request is for another host");
      if (people?.take(by.from?.address ?? "") !== 0) throw new SignInEnd("too_many", "too many sign-ins");
      await handle(request, response, by);
    } catch (error) {
      const isOurs = error instanceof SignInEnd;
      const kind = isOurs ? error.kind : isRejection(error) ? "rejected" : "away";
      if (kind === "away") emit("sign_in_failed", { cause: error, correlation_id: by.correlationId });
      else await refused("session.start", errorText(error), { ...by, ...(isOurs && error.details) });
      const state = new URL(request.url ?? "", url).searchParams.get("state");
      const cookies = state === null || readCookie(request, cookieOf(state)) === undefined ? [] : [cookieOf(state)];
      const { more } = isOurs ? error.details : {};
      sendNotice(response, kind, { url, more, cookies: cookies.map((name) => setCookie(name)) });
    }
  };

  /** Serves a route that is no page. What goes wrong is a problem. */
  const route = (handle: Handler) => async (request: IncomingMessage, response: ServerResponse) => {
    const by = authorOf(request, response);
    try {
      await handle(request, response, by);
    } catch (error) {
      const problem = problemOf(
        isRejection(error)
          ? new SharedProblem("malformed_request", `The logout token is not valid: ${error.message}.`)
          : error,
      );
      const { status, message, by: actor = by.actor } = problem;
      if (status >= 500) emit("sign_in_failed", { cause: error, correlation_id: by.correlationId });
      else await refused("session.end", message, { ...by, actor });
      sendProblem(response, problem, by.correlationId);
    }
  };

  router.get("/login", page(createLogin(signIn)));
  router.get("/callback", page(createCallback(signIn)));
  router.post("/logout", route(createLogout(signIn)));
  const signOut = createBackChannelLogout(signIn);
  router.post(
    "/backchannel-logout",
    route(async (request, response, by) => {
      if (provider?.take(by.from?.address ?? "") !== 0) throw new SharedProblem("too_many", "Wait a little.");
      await signOut(request, response, by);
    }),
  );
  return router;
}

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
  async (request, response) => {
    const given = new URL(request.url ?? "", url).searchParams.get("return_to") ?? "/console";
    const returnTo = readReturnTo(given, url);
    if (returnTo === undefined) throw new SignInEnd("bad_return", "return_to is no page of the console");
    const cookie = [newSession(), Date.now() + signInMs, Buffer.from(returnTo).toString("base64url")].join(".");
    const secrets = secretsOf(cookie);
    const to = await current().provider.signInUrl(secrets);
    redirect(response, to, [setCookie(cookieOf(secrets.state), cookie, signInMs)]);
  };

/** Starts the session of a person whom the provider has sent back, with a new cookie. */
const createCallback =
  ({ url, current, store, emit }: SignIn): Handler =>
  async (request, response, by) => {
    const { search, searchParams } = new URL(request.url ?? "", url);
    const name = cookieOf(searchParams.get("state") ?? "");
    const started = readCookie(request, name) ?? "";
    const [, end = "", path = ""] = started.split(".");
    const secrets = secretsOf(started);
    const leftMs = Number(end) - Date.now();
    if (secrets.state !== searchParams.get("state") || !(leftMs > 0 && leftMs <= signInMs))
      throw new SignInEnd("start_again", "this browser started no such sign-in in the last ten minutes");
    if (!(await store.useOnce(`state ${secrets.state}`, Number(end))))
      throw new SignInEnd("start_again", "the state was used before");

    const { settings, provider } = current();
    const { idToken, claims } = await provider.redeem(search, secrets);
    const { iss = "", sub = "", sid } = claims;
    const whose = { iss, sub, ...(typeof sid === "string" && { sid }) };
    const actor = personActor(whose);
    const person = personOf(settings, claims);
    if (typeof person === "string") throw new SignInEnd(person, person, { actor });
    const rights = rightsOf(settings, person.groups);
    const more = `You are in ${person.groups.length} groups.`;
    if (rights === undefined) throw new SignInEnd("no_role", "no_role", { actor, more });

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
  async (request, response, by) => {
    const holder = await sessions.holderOf(request);
    if (holder === undefined) throw new SharedProblem("unauthorized", "No person is signed in.");
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
  async (request, response, by) => {
    const { settings, provider } = current();
    const body = await readBody(request, mostBytes);
    const sent = new URLSearchParams(typeof body === "string" ? "" : body.toString("utf8")).getAll("logout_token");
    const [token = ""] = sent;
    const { jti, whose } = await provider.verifyLogout(sent.length === 1 ? token : "");
    const author = { ...by, actor: `subject:${settings.issuer}` };
    const once = { id: `jti ${settings.issuer} ${jti}`, expiresAt: Date.now() + 2 * tokenAgeMs };
    const sessions = await store.end(whose, { by: author, because: "back_channel", once });
    if (sessions === undefined) throw new SharedProblem("malformed_request", "The logout token was used before.");
    emit("sessions_ended", { by: author.actor, sessions, correlation_id: by.correlationId });
    response.writeHead(200, answerHeaders(response)).end();
  };

/** Why a sign-in ends without a session, for the person: the status, a title, and what to do. */
const notices = {
  start_again: [400, "Start again", "This sign-in took too long, was used before, or began in another browser."],
  bad_return: [400, "Start again", "The link leads to a page outside the console."],
  rejected: [403, "The sign-in was rejected", "The response of your identity provider is not valid. Start again."],
  no_groups: [
    403,
    "You have no access",
    "Your identity provider sent no groups. Ask an administrator to add the claim that groups_claim of the console file names.",
  ],
  overage: [
    403,
    "You have no access",
    "You are in too many groups, so your identity provider left them out. Ask an administrator to send app roles, or only the groups of this application.",
  ],
  no_role: [403, "You have no access", "None of your groups has a role. Ask an administrator to add one of them."],
  foreign_host: [403, "This is another address", "The console has one address, and signs people in only there."],
  too_many: [429, "Wait a little", "This address started too many sign-ins."],
  away: [
    503,
    "Sign-in is not possible right now",
    "Your identity provider or the zone can't be reached. People who are signed in stay signed in. Try again in a minute.",
  ],
} as const;

type NoticeKind = keyof typeof notices;

const policy = "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Sends a page that says why a sign-in ended, with a link to the console. `more`: a sentence, which is not from a sender. */
function sendNotice(
  response: ServerResponse,
  kind: NoticeKind,
  { url, more = "", cookies }: { readonly url: string; readonly more?: string; readonly cookies: readonly string[] },
): void {
  const [status, title, text] = notices[kind];
  const content = `<p>${more === "" ? "" : `${more} `}${text}</p>\n<p><a href="${url}/console">Back to the console</a></p>`;
  const headers = ["referrer-policy", "no-referrer", ...cookies.flatMap((cookie) => ["set-cookie", cookie])];
  const body = plainPage(title, content);
  answer(response, status, { contentType: "text/html; charset=utf-8", body, policy, headers });
}

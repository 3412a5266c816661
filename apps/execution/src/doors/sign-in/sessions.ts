import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiProblem, type SignedInPerson, tokenDigest, type TokenHolder } from "@crosszone/admin-api";
import { type ConsoleSettings, type Person, type Rights, rightsOf } from "../../people/sign-in/console-settings.ts";
import { personActor, readPerson, type SessionStore, type StoredSession } from "../../people/sign-in/session-store.ts";

/** Browsers send it to this host only, and over TLS only; on `localhost` also without. */
export const sessionCookie = "__Host-crosszone";

/** Returns a new cookie of a session: 256 random bits. */
export const newSession = (): string => randomBytes(32).toString("base64url");

/** Returns the cookies of a request, as a browser sends them. */
export const cookiesOf = ({ headers: { cookie = "" } }: IncomingMessage): (readonly [name: string, value: string])[] =>
  cookie.split(";").map((pair) => {
    const [name = "", value = ""] = pair.trim().split(/=(.*)/s, 2);
    return [name, value];
  });

/** Returns the value of a request's cookie; undefined unless it has exactly one of this name. */
export function readCookie(request: IncomingMessage, name: string): string | undefined {
  const [found, ...others] = cookiesOf(request).filter(([given]) => given === name);
  return others.length === 0 ? found?.[1] : undefined;
}

/** Returns a `set-cookie` header; without a value, one that removes the cookie. */
export const setCookie = (name: string, value = "", lifeMs = 0): string =>
  `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(lifeMs / 1_000)}`;

/** Whether a request is for the host of CONSOLE_URL. A page of another host can reach this server by DNS rebinding. */
export function isOwnHost({ headers: { host = "" } }: IncomingMessage, url: string): boolean {
  const { protocol, host: own } = new URL(url);
  return URL.parse(`${protocol}//${host}`)?.host === own;
}

/**
 * Throws a `ApiProblem` for a request with a cookie that the page of another site may have sent.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html#fetch-metadata-headers
 */
function checkOwnPage(request: IncomingMessage, url: string, by: string): void {
  const { method = "", headers } = request;
  const { origin, "sec-fetch-site": site, "content-type": type, "content-length": length } = headers;
  const isSafe = method === "GET" || method === "HEAD";
  const isSameOrigin = site === undefined ? origin === url : site === "same-origin";
  const hasBody = headers["transfer-encoding"] !== undefined || (length ?? "0") !== "0";
  const wrong = [
    [!isOwnHost(request, url), `Open the console at ${url}.`],
    [origin !== undefined && origin !== url, `Requests with a session come from ${url} only.`],
    [!isSafe && !isSameOrigin, "Changes with a session come from the console's own pages. Scripts need a token."],
    [!isSafe && hasBody && !/^application\/[\w.+-]*json\b/.test(type ?? ""), "Send the body as JSON."],
  ] as const;
  const [, message] = wrong.find(([is]) => is) ?? [];
  if (message !== undefined) throw new ApiProblem("foreign_request", message, { by });
}

/** A signed-in person with a live session. */
export interface SessionHolder extends TokenHolder {
  readonly person: SignedInPerson;
  readonly session: StoredSession;
}

/** Returns why a session is over, as the end of its actor in the audit log; otherwise what its person may do now. */
function judge(session: StoredSession, { groups }: Person, settings: ConsoleSettings): Rights | string {
  const { created_at, seen_at, ended_at, now, iss } = session;
  if (ended_at !== null) return "signed out";
  const { idle, absolute } = settings.session;
  if (now >= created_at + absolute || now >= seen_at + idle) return "expired";
  return (iss === settings.issuer ? rightsOf(settings, groups) : undefined) ?? "without a role";
}

/** Returns what finds the person of a request, by the settings in force at this moment. `url`: CONSOLE_URL. */
export function createSessions(store: SessionStore, current: () => ConsoleSettings, url: string) {
  const find = async (digest: string): Promise<SessionHolder | string | undefined> => {
    const session = await store.find(digest);
    if (session === undefined) return undefined;
    const [actor, settings, person] = [personActor(session), current(), readPerson(session)];
    const rights = judge(session, person, settings);
    if (typeof rights === "string") return `${actor} (${rights})`;
    const { roles, scopes } = rights;
    const { name, slackUser, slackTeam } = person;
    const noteUse = (): Promise<void> => store.noteUse(session);
    const expiresAt = session.created_at + settings.session.absolute;
    return { actor, scopes, digest, expiresAt, person: { name, roles, slackUser, slackTeam, noteUse }, session };
  };
  const holderOf = async (request: IncomingMessage): Promise<SessionHolder | undefined> => {
    const cookie = readCookie(request, sessionCookie);
    if (cookie === undefined) return undefined;
    const found = await find(tokenDigest(cookie));
    const by = typeof found === "string" ? found : found?.actor;
    if (by !== undefined) checkOwnPage(request, url, by.replace(/ \([^)]*\)$/, ""));
    if (typeof found === "object") return found;
    throw new ApiProblem("unauthorized", "The session has ended. Sign in again.", { by });
  };
  return { find, holderOf };
}

export type ConsoleSessions = ReturnType<typeof createSessions>;

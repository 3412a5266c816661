import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { crc32 } from "node:zlib";
import { isTokenScope, type TokenScope } from "@crosszone/contracts";
import { readBearer, type Refusal, type Sender } from "@crosszone/service-kit";
import { problemRefusal, ApiProblem } from "./api-problem.ts";

const prefix = "xz_";

/** Length of the random part: 192 bits. */
const randomLength = 32;

/**
 * Returns a new API token: `xz_`, 32 random characters and the CRC-32 of what precedes it. The prefix lets secret scanners find it, and the
 * checksum lets them skip other text, as in GitHub's tokens:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function newTokenText(): string {
  const random = prefix + randomBytes(24).toString("base64url");
  return random + checksumOf(random);
}

/** Whether a text looks like an API token, but has another checksum. */
function isMistyped(token: string): boolean {
  const length = prefix.length + randomLength;
  return token.startsWith(prefix) && token.slice(length) !== checksumOf(token.slice(0, length));
}

/** Returns the SHA-256 of a token, hex. Only the digest is stored, and sent between the zones. */
export const tokenDigest = (token: string): string => hash("sha256", token);

function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString("base64url");
}

export interface TokenHolder {
  /** `token:` and the token's name, `bootstrap` for one of ADMIN_TOKENS, or `person:`, an issuer and its subject. */
  readonly actor: string;
  readonly scopes: readonly TokenScope[];
  /** The digest of its token, or of its session's cookie: finds the holder again after the request. */
  readonly digest: string;
  /** When the token expires, or the session ends at the latest, Unix milliseconds. Absent: never. */
  readonly expiresAt?: number;
  /** Absent for a token. */
  readonly person?: SignedInPerson;
}

/** A person whose session sends a request. */
export interface SignedInPerson {
  readonly name: string;
  readonly roles: readonly string[];
  /** The Slack user that the claims of the sign-in name, and its workspace. */
  readonly slackUser?: string | undefined;
  readonly slackTeam?: string | undefined;
  /** Notes that the person sent a request: an idle session ends. */
  readonly noteUse: () => Promise<void>;
}

/** Finds the signed-in person of a request. */
export interface Sessions {
  /**
   * Returns the person of a request's cookie; undefined without one. Throws a `ApiProblem` when the session has ended, or when the page of
   * another site may have sent the request.
   */
  readonly holderOf: (request: IncomingMessage) => Promise<TokenHolder | undefined>;
  /** Returns the person of the cookie with this digest, or an actor as `findEnded` does; undefined for an unknown cookie. */
  readonly find: (digest: string) => Promise<TokenHolder | string | undefined>;
}

export interface StoredTokens {
  /** Returns the holder of the live token with this digest. */
  readonly find: (digest: string) => Promise<Omit<TokenHolder, "digest"> | undefined>;
  /** Returns the actor of a token that is no longer live, such as `token:ci (revoked)`; undefined for an unknown digest. */
  readonly findEnded: (digest: string) => Promise<string | undefined>;
  /** Whether a live token exists, with this scope if one is given. */
  readonly hasLive: (scope?: TokenScope) => Promise<boolean>;
}

export const noStoredTokens: StoredTokens = {
  find: async () => undefined,
  findEnded: async () => undefined,
  hasLive: async () => false,
};

/** One request with valid credentials. */
export interface CredentialUse {
  /** As an author of the audit log: `token:ci`, `bootstrap`, `subject:` or `person:` and a name, or `zone:` and a caller of the zone link. */
  readonly actor: string;
  readonly from: Sender;
  readonly surface: "api" | "page" | "a2a" | "mcp" | "zone";
}

/** The tokens and sessions that the API accepts. Without any token, and without sign-in, the API is off. */
export interface ApiTokens {
  /** Returns ADMIN_TOKENS. Called for each request, because they may come from a file. */
  readonly tokens: () => readonly string[];
  readonly stored: StoredTokens;
  /** Undefined when people can't sign in. */
  readonly sessions?: Sessions | undefined;
  /** Receives each use. Must not throw. */
  readonly onUse?: ((use: CredentialUse) => void) | undefined;
}

/** The actor of a request with one of ADMIN_TOKENS. No stored token has this name. */
export const bootstrap = "bootstrap";

const everyScope = isTokenScope.schema.enum as readonly TokenScope[];

/**
 * Returns the holder of a token by its digest (`digestOf`); undefined when the token is unknown, expired or revoked. One of ADMIN_TOKENS has
 * every scope while no live token has `tokens:write`, and no scope afterwards. Reads the store each time.
 */
export async function findHolder({ tokens, stored }: ApiTokens, digest: string): Promise<TokenHolder | undefined> {
  if (!isAmong(tokens(), digest)) {
    const found = await stored.find(digest);
    return found && { ...found, digest };
  }
  return { actor: bootstrap, digest, scopes: (await stored.hasLive("tokens:write")) ? [] : everyScope };
}

/**
 * Returns why the holder of a token or a session, by its digest, no longer has a scope, such as `revoked`; undefined while it has. For work
 * that goes on after its request: ask again every few seconds.
 */
export async function whyEnded(known: ApiTokens, digest: string, scope: TokenScope): Promise<string | undefined> {
  const live = (await findHolder(known, digest)) ?? (await known.sessions?.find(digest));
  if (typeof live === "object") return live.scopes.includes(scope) ? undefined : `without the scope ${scope}`;
  return /\(([^)]+)\)$/.exec(live ?? (await known.stored.findEnded(digest)) ?? "")?.[1] ?? "removed";
}

/** Compares every token in constant time. */
function isAmong(tokens: readonly string[], digest: string): boolean {
  const given = Buffer.from(digest);
  return tokens.reduce((found, token) => timingSafeEqual(Buffer.from(tokenDigest(token)), given) || found, false);
}

/**
 * Authenticates a request by its token, or without an `authorization` header by its session. Throws a `ApiProblem` when its token is missing,
 * mistyped, unknown, expired or revoked, when its session has ended, and when the API is off.
 */
export async function authenticate(request: IncomingMessage, known: ApiTokens): Promise<TokenHolder> {
  const given = request.headersDistinct.authorization ?? [];
  const signedIn = given.length === 0 ? await known.sessions?.holderOf(request) : undefined;
  if (signedIn !== undefined) return signedIn;
  const token = given.length === 1 ? readBearer(given[0]) : undefined;
  const digest = token === undefined || isMistyped(token) ? undefined : tokenDigest(token);
  const holder = digest === undefined ? undefined : await findHolder(known, digest);
  if (holder !== undefined) return holder;
  await checkSwitchedOn(known);
  const headers = { "www-authenticate": token === undefined ? "Bearer" : 'Bearer error="invalid_token"' };
  const by = digest === undefined ? undefined : await known.stored.findEnded(digest);
  throw new ApiProblem("unauthorized", adviceFor(token), { headers, by });
}

function adviceFor(token: string | undefined): string {
  if (token === undefined) return "Send one token as Authorization: Bearer.";
  return isMistyped(token)
    ? "The token's checksum is wrong. Copy the whole token again."
    : "The token is not valid. It is unknown, expired or revoked.";
}

/** Returns the refusal of a holder that lacks a scope; undefined when it has it, or none is needed. */
export function lacksScope({ actor, scopes, person }: TokenHolder, scope: TokenScope | undefined): Refusal | undefined {
  if (scope === undefined || scopes.includes(scope)) return undefined;
  const message =
    actor === bootstrap
      ? "ADMIN_TOKENS only work until a live token has the scope tokens:write. Use that token."
      : `${person === undefined ? "The token lacks" : "Your role does not have"} the scope ${scope}.`;
  const headers = { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` };
  return problemRefusal(new ApiProblem("missing_scope", message, { headers }));
}

/** Throws a `ApiProblem` when no token exists and people can't sign in. */
export async function checkSwitchedOn({ tokens, stored, sessions }: ApiTokens): Promise<void> {
  if (sessions === undefined && tokens().length === 0 && !(await stored.hasLive()))
    throw new ApiProblem("api_off", "No token exists. Set ADMIN_TOKENS to turn the API on.");
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, answerHeaders } from "./answer.ts";
import { arrivingBytes, ByteBudget, type HeldBytes } from "./byte-budget.ts";
import { Exchange, HeldAnswers } from "./exchange.ts";
import { isReadableType, readBody } from "./read-request.ts";
import { createTokenBuckets, type Rate, type Shares } from "../values/rates.ts";
import { type Refusal, refusal, Refused } from "./refusal.ts";

/** How the answer to a refusal looks in the protocol of a door. Without one it is empty. */
export interface RefusalForm {
  readonly contentType: string;
  readonly body: string;
  readonly policy?: string;
  /** More headers, as Node takes them raw. */
  readonly headers?: readonly string[];
  /** The status, if the protocol has another one. */
  readonly status?: number;
}

export type WriteRefusal = (refusal: Refusal, exchange: Exchange) => RefusalForm | undefined;

/** Sends the answer to a refusal. Closes the connection if the body is unread: it would be parsed as the next request. */
function sendRefusal(exchange: Exchange, refused: Refusal, write: WriteRefusal): void {
  const { request, response, correlationId } = exchange;
  const { retryAfterMs } = refused;
  const headers = {
    ...refused.headers,
    ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) }),
    ...(!request.complete && { connection: "close" }),
    "x-correlation-id": correlationId,
  };
  const all = Object.entries(headers).flat();
  const form = write(refused, exchange);
  if (form === undefined) return void response.writeHead(refused.status, [...answerHeaders(response), ...all]).end();
  answer(response, form.status ?? refused.status, { ...form, headers: [...all, ...(form.headers ?? [])] });
}

/** Who sent a request, or why it is refused. */
export type Judged<Who> = { readonly who: Who } | Refusal;

/** As `Judged`; or what verifies the body first: until then, the sender is unproven. */
export type Verdict<Who> = Judged<Who> | { readonly confirm: (body: Buffer) => Later<Judged<Who>> };

/** What bodies a door takes. */
export interface BodyRules {
  /** Largest body, bytes. */
  readonly maxBytes: number;
  /** As `isReadable` takes them; every type when absent. */
  readonly types?: readonly string[];
  /** Headers of a refused content type. */
  readonly accept?: Readonly<Record<string, string>>;
  /** Counts the bytes as they arrive. The door's own, by the sender's address, when absent. */
  readonly held?: HeldBytes | undefined;
}

/** What somebody who has proved nothing takes of what all need. */
export interface StrangerLimit {
  /** Takes one request. Returns 0, or how long the sender must wait, milliseconds. */
  readonly take: (exchange: Exchange) => number;
  /** Whether the credentials turned out to be valid. */
  readonly judged?: (exchange: Exchange, isProven: boolean) => void;
}

/** Credentials that a door has accepted and remembers: the last used ones. */
const mostProven = 10_000;

/**
 * Limits the senders of one door. Credentials that it has accepted have a bucket of their own, or none without `proven`; everything else takes from that
 * of its address, and of all `strangers`. `saidBy`: the digest of a request's credentials; undefined for one that costs nothing.
 */
export function limitStrangers(
  rates: { readonly proven?: Rate; readonly address: Rate; readonly strangers?: Rate },
  saidBy: (exchange: Exchange) => string | undefined,
): StrangerLimit {
  const [senders, addresses] = [createTokenBuckets(rates.proven ?? rates.address), createTokenBuckets(rates.address)];
  const strangers = createTokenBuckets(rates.strangers ?? rates.address);
  const proven = new Set<string>();
  return {
    take: (exchange) => {
      const said = saidBy(exchange);
      if (said === undefined) return 0;
      if (proven.has(said)) return rates.proven === undefined ? 0 : senders.take(said);
      return addresses.take(exchange.from.address) || (rates.strangers === undefined ? 0 : strangers.take(""));
    },
    judged: (exchange, isProven) => {
      const said = saidBy(exchange) ?? "";
      proven.delete(said);
      if (isProven) proven.add(said);
      const [oldest] = proven;
      if (oldest !== undefined && proven.size > mostProven) proven.delete(oldest);
    },
  };
}

type Later<Value> = Value | Promise<Value>;

/** A door: who may send what, how often, and what is answered. Every check is made by the surface, in the order of the members. */
export interface Door<Who> {
  /** The methods that it serves; every method when absent. */
  readonly methods?: readonly string[];
  readonly strangers?: StrangerLimit;
  /** Returns who sent a request, or why nobody did. Takes nothing and records nothing: it is asked again while an answer is held. */
  readonly auth: (exchange: Exchange) => Later<Verdict<Who>>;
  /** Called for each request with valid credentials. */
  readonly onUse?: ((who: Who, exchange: Exchange) => unknown) | undefined;
  /** Takes one request of a sender. Returns 0, or how long it must wait, milliseconds. */
  readonly limit?: ((who: Who, exchange: Exchange) => number) | undefined;
  /** Returns why the sender may not have the answer. */
  readonly may?: ((who: Who, exchange: Exchange) => Later<Refusal | undefined>) | undefined;
  /** As `may`, while the answer is held (default `may`). */
  readonly mayStill?: Door<Who>["may"];
  /** What is served at the same time, and whose share a request takes. */
  readonly shares?: { readonly of: Shares; readonly owner: (who: Who, exchange: Exchange) => string } | undefined;
  /**
   * Returns what the body may be; undefined for a request that has none. It is read here, or before `confirm`. When absent, the door reads bodies
   * itself.
   */
  readonly body?: ((exchange: Exchange) => BodyRules | undefined) | undefined;
  readonly serve: (exchange: Exchange, call: ServedCall<Who>) => unknown;
  /** Makes a refusal of what was thrown. `internal` when absent, or without one. */
  readonly refusalOf?: ((error: unknown, exchange: Exchange) => Refusal | undefined) | undefined;
  /** Makes the refusals of the surface itself, where they are not those of every door. */
  readonly refuse?: typeof refusal;
  readonly write: WriteRefusal;
  /** Reports a refusal: to the log, metrics and the audit log. The answer waits for it. Must not reject. */
  readonly onRefused?: ((refusal: Refusal, exchange: Exchange, who: Who | undefined) => unknown) | undefined;
  /** Time between two checks of an answer that is held, milliseconds (default 3,500, which is also the longest). */
  readonly recheckMs?: number;
}

interface ServedCall<Who> {
  readonly who: Who;
  /** Empty when the door reads bodies itself. */
  readonly body: Buffer;
  /** Passes the request on. */
  readonly next: () => void;
}

const noBody: Buffer = Buffer.alloc(0);

/** Nobody waits for the answer any more. */
const gone: Refusal = { kind: "gone", status: 400, message: "the client disconnected" };

/** A failure of the zone takes no right away. */
const lost = (refused: Refusal): Refused | undefined => (refused.status < 500 ? new Refused(refused) : undefined);

function refusalFrom<Who>({ refusalOf, refuse = refusal }: Door<Who>, error: unknown, exchange: Exchange): Refusal {
  return error instanceof Refused
    ? error.refusal
    : (refusalOf?.(error, exchange) ?? refuse("internal", { cause: error }));
}

/** Returns what tells why the sender of an answer that is held may no longer have it. */
function recheckOf<Who>(door: Door<Who>) {
  const { auth, may, mayStill = may } = door;
  return async (exchange: Exchange): Promise<Refused | undefined> => {
    try {
      const verdict = await auth(exchange);
      if ("confirm" in verdict) return undefined;
      const refused = "who" in verdict ? await mayStill?.(verdict.who, exchange) : verdict;
      return refused && lost(refused);
    } catch (error) {
      return lost(refusalFrom(door, error, exchange));
    }
  };
}

/** Returns the listener of a door. It answers, or passes on, every request, and never rejects. */
export function surface<Who>(door: Door<Who>) {
  const { methods, strangers, auth, onUse, limit, may, shares, serve, refuse = refusal } = door;
  const arriving = new ByteBudget(arrivingBytes);
  const answers = new HeldAnswers(recheckOf(door), door.recheckMs);

  /** Until it is whole, a body counts for its address. */
  async function bodyOf(exchange: Exchange): Promise<Buffer> {
    const rules = door.body?.(exchange);
    if (rules === undefined) return noBody;
    const held = rules.held ?? arriving.open(exchange.from.address);
    return readRequestBody(exchange.request, { held, ...rules, refuse }).finally(held.close);
  }

  async function pass(exchange: Exchange, by: { who?: Who }, next: () => void): Promise<Refusal | undefined> {
    const { request } = exchange;
    if (methods !== undefined && !methods.includes(request.method ?? ""))
      return refuse("method_not_allowed", {
        message: `send the request by ${methods.join(" or ")}`,
        headers: { allow: methods.join(", ") },
      });
    const strangerMs = strangers?.take(exchange) ?? 0;
    if (strangerMs > 0) return refuse("too_many", { retryAfterMs: strangerMs });

    const judged = auth(exchange);
    const found = judged instanceof Promise ? await judged : judged;
    const signed = "confirm" in found ? await bodyOf(exchange) : undefined;
    const verdict = "confirm" in found ? await found.confirm(signed ?? noBody) : found;
    if ("status" in verdict) return verdict;
    const { who } = verdict;
    by.who = who;
    strangers?.judged?.(exchange, true);
    const used = onUse?.(who, exchange);
    if (used instanceof Promise) await used;
    const retryAfterMs = limit?.(who, exchange) ?? 0;
    if (retryAfterMs > 0) return refuse("too_many", { retryAfterMs });
    const refused = may?.(who, exchange);
    const forbidden = refused instanceof Promise ? await refused : refused;
    if (forbidden !== undefined) return forbidden;
    const release = shares?.of.take(shares.owner(who, exchange));
    if (shares !== undefined && release === undefined) return refuse("busy", { retryAfterMs: 1_000 });

    // What a signature proves is the request, which can't be proved again later.
    if (!("confirm" in found)) answers.add(exchange);
    const closed = (): void => {
      answers.delete(exchange);
      release?.();
      exchange.close();
    };
    if (exchange.response.closed) closed();
    else exchange.response.once("close", closed);
    const body = signed ?? (door.body === undefined ? noBody : await bodyOf(exchange));
    await serve(exchange, { who, body, next });
    return undefined;
  }

  return async (request: IncomingMessage, response: ServerResponse, next = (): void => undefined): Promise<void> => {
    const exchange = new Exchange(request, response);
    const by: { who?: Who } = {};
    let refused: Refusal | undefined;
    try {
      refused = await pass(exchange, by, next);
    } catch (error) {
      refused = refusalFrom(door, error, exchange);
    }
    if (refused === undefined || refused === gone) return;
    if (refused.status === 401) strangers?.judged?.(exchange, false);
    const isGone = response.destroyed || request.socket.destroyed;
    // Nothing can be answered, and nothing failed.
    if (isGone && refused.status >= 500) return;
    await door.onRefused?.(refused, exchange, by.who);
    if (response.headersSent) response.destroy();
    else if (!isGone) sendRefusal(exchange, refused, door.write);
  };
}

/** Reads the body of a request. Throws a `Refused` for one that is not read, also when the client disconnects before its end. */
export async function readRequestBody(
  request: IncomingMessage,
  { maxBytes, types, accept, held, refuse = refusal }: BodyRules & { readonly refuse?: typeof refusal },
): Promise<Buffer> {
  if (types !== undefined && !isReadableType(request, types)) {
    const named = types.filter((type) => type.includes("/")).join(" or ");
    throw new Refused(refuse("content_type", { message: `send ${named} in UTF-8, not compressed`, headers: accept }));
  }
  const body = await readBody(request, maxBytes, held);
  if (Buffer.isBuffer(body)) return body;
  if (body === "aborted") throw new Refused(gone);
  throw new Refused(
    body === "no_room"
      ? refuse("busy", { retryAfterMs: 1_000 })
      : refuse(body, { message: `send at most ${maxBytes} bytes` }),
  );
}

import type { IncomingMessage, ServerResponse, IncomingHttpHeaders } from "node:http";
import { Refused } from "./refusal.ts";
import { type Sender, senderOf } from "./read-request.ts";
import { randomUUID } from "node:crypto";

/** A request and its answer, at any door. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly correlationId: string;
  /** What the answer is about, if a right to it can end: the name of an agent, or a scope. */
  about: string | undefined;
  #over: AbortController | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    this.correlationId = correlationOfRequest(request.headers, this.requestId);
  }

  /** The HTTP request's id in logs. */
  get requestId(): string {
    return requestIdOf(this.response);
  }

  get from(): Sender {
    return senderOf(this.request);
  }

  /**
   * Aborts when the client disconnects before the answer's end. Aborts with a `Refused` when who sent the request may no longer have the answer:
   * end it then. What is still open a moment later is cut.
   */
  get signal(): AbortSignal {
    if (this.#over === undefined) {
      this.#over = new AbortController();
      if (this.response.destroyed) this.#over.abort();
    }
    return this.#over.signal;
  }

  /** Why the answer ends before its time; undefined while its reader may have it. */
  get lost(): Refused | undefined {
    const reason: unknown = this.#over?.signal.reason;
    return reason instanceof Refused ? reason : undefined;
  }

  /** The response is closed, sent or not. */
  close(): void {
    // Closing after the whole answer is normal; aborting then would cost more than most routes.
    if (!this.response.writableFinished) this.#over?.abort();
  }

  /** Ends an answer that is held. */
  end(why: Refused): void {
    const { response, signal } = this;
    if (signal.aborted) return;
    this.#over?.abort(why);
    setTimeout(() => response.writableEnded || response.destroy(), endMs).unref();
  }
}

/** How long a door can take to end an answer whose reader lost its right, milliseconds. */
const endMs = 1_000;

/** Time between two checks whether an answer may still be held, milliseconds: who has lost a right loses it within 5 seconds. */
const recheckMs = 3_500;
const ticks = 7;

type Recheck = (exchange: Exchange) => Promise<Refused | undefined>;

/**
 * Ends the answers of a door whose readers have lost their right. One timer serves all of them, and spreads their checks. A check that rejects,
 * because a database fails, ends nothing.
 */
export class HeldAnswers {
  readonly #recheck: Recheck;
  readonly #tickMs: number;
  readonly #due = new Map<Exchange, number>();
  #now = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(recheck: Recheck, everyMs = recheckMs) {
    this.#recheck = recheck;
    this.#tickMs = Math.min(recheckMs, everyMs) / ticks;
  }

  /** Checks an answer again and again until it is deleted. */
  add(exchange: Exchange): void {
    this.#due.set(exchange, this.#now + ticks);
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  delete(exchange: Exchange): void {
    this.#due.delete(exchange);
  }

  #tick(): void {
    this.#now += 1;
    if (this.#due.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const [exchange, at] of this.#due) {
      if (at > this.#now) continue;
      this.#due.set(exchange, this.#now + ticks);
      this.#recheck(exchange).then(
        (why) => why && exchange.end(why),
        () => undefined,
      );
    }
  }
}

/** The contract's form of correlation ids: one line of printable ASCII without spaces, so that an id can't forge a log line. */
const validId = /^[\x21-\x7e]{1,128}$/;

const id: unique symbol = Symbol("request id");

/**
 * Returns the id of a request in logs: a valid `x-request-id` header, otherwise a new UUID. Always the same for one response. Stored on the
 * response itself, because `setHeader` would cost more than all other headers together.
 */
export function requestIdOf(response: ServerResponse & { [id]?: string }): string {
  return (response[id] ??= idIn(response.req.headers["x-request-id"]) ?? randomUUID());
}

const idIn = (value: unknown): string | undefined =>
  typeof value === "string" && validId.test(value) ? value : undefined;

/**
 * Returns the correlation id of a request: from `x-correlation-id`, or, on a platform that strips unknown headers, from the member
 * `correlation_id` of W3C baggage. Without a valid one it returns the request id. https://www.w3.org/TR/baggage/#header-content
 */
export function correlationOfRequest(
  { "x-correlation-id": own, baggage }: IncomingHttpHeaders,
  requestId: string,
): string {
  return idIn(own) ?? idIn(typeof baggage === "string" && memberOf(baggage, "correlation_id")) ?? requestId;
}

function memberOf(baggage: string, key: string): string | undefined {
  for (const member of baggage.split(",")) {
    // Properties of the member follow a semicolon.
    const [pair = ""] = member.split(";", 1);
    const end = pair.indexOf("=");
    if (end > 0 && pair.slice(0, end).trim() === key) return decoded(pair.slice(end + 1).trim());
  }
  return undefined;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

import { hash, randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { type Problem, ZoneError, type ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import { answer, createTokenBuckets, readBearer } from "@crosszone/service-kit";
import type { MessageEnds } from "../../answering/message-ends.ts";

export interface ViewApiDeps {
  readonly messages: MessageEnds;
  /** Asks execution for the holder of a token. Called for each request. */
  readonly zone: Client<ZoneMethods>;
  readonly onFailure: (cause: unknown) => void;
}

/** Requests of all callers together, per minute. A person looks up a message; nothing else reads it. */
const perMinute = 120;

type Kind = "unauthorized" | "method_not_allowed" | "not_found" | "too_many" | "unavailable" | "execution_unavailable";

const scope = "runs:read";

/** Timeout of the check of a token, milliseconds. */
const checkMs = 5_000;

const problems: Readonly<Record<Kind, readonly [status: number, title: string, detail: string]>> = {
  unauthorized: [
    401,
    "A valid token is required",
    `Send a token of execution with the scope ${scope} as Authorization: Bearer.`,
  ],
  method_not_allowed: [405, "Method not allowed", "Use GET."],
  not_found: [404, "Not found", "No message that has ended has this reference. Ends are kept for PARKED_RETENTION_MS."],
  too_many: [429, "Too many requests", "Wait a little."],
  unavailable: [503, "The database is unreachable", "Try again in a moment."],
  execution_unavailable: [503, "The token can't be checked", "Execution can't be reached. Try again in a moment."],
};

const path = /^\/api\/v1\/messages\/([\w-]{1,255})$/;

/** Returns the read-only API of the verification zone: `GET /api/v1/messages/<reference>` answers a `MessageRecord`. */
export function createViewApi({ messages, zone, onFailure }: ViewApiDeps): RequestListener {
  const bucket = createTokenBuckets({ capacity: perMinute, perMinute });

  return (request, response) => {
    const send = (status: number, body: object, headers: readonly string[] = []): void =>
      answer(response, status, {
        contentType: status === 200 ? "application/json" : "application/problem+json",
        body: JSON.stringify(body),
        headers: [...headers, "cache-control", "no-store"],
      });
    const refuse = (kind: Kind, headers: readonly string[] = []): void => {
      const [status, title, detail] = problems[kind];
      const type = `https://crosszone.dev/problems/${kind.replaceAll("_", "-")}`;
      send(status, { type, title, status, detail, correlation_id: randomUUID() } satisfies Problem, headers);
    };
    const show = (): void => {
      if (request.method !== "GET") return refuse("method_not_allowed", ["allow", "GET"]);
      const reference = path.exec(request.url ?? "")?.[1];
      if (reference === undefined) return refuse("not_found");
      messages.find(reference).then(
        (found) => (found === undefined ? refuse("not_found") : send(200, found)),
        (cause: unknown) => {
          onFailure(cause);
          refuse("unavailable", ["retry-after", "1"]);
        },
      );
    };
    const token = readBearer(request.headers.authorization);
    if (token === undefined) return refuse("unauthorized", ["www-authenticate", "Bearer"]);
    // Before the check: unknown tokens must not crowd out the questions on the zone link.
    const waitMs = bucket.take("all");
    if (waitMs > 0) return refuse("too_many", ["retry-after", String(Math.ceil(waitMs / 1_000))]);
    zone
      .call("check_token", { digest: hash("sha256", token), scope }, { timeoutMs: checkMs })
      .then(show, (cause: unknown) => {
        if (cause instanceof ZoneError && cause.kind === "unauthorized")
          return refuse("unauthorized", ["www-authenticate", 'Bearer error="invalid_token"']);
        onFailure(cause);
        return refuse("execution_unavailable", ["retry-after", "1"]);
      });
  };
}

import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { apiSources, openApi } from "@crosszone/contracts/openapi";
import type { Check } from "./checks.ts";
import { costOf } from "./cpu-meter.ts";
import type { Door, Sendable } from "./door.ts";
import type { Zones } from "./doors.ts";
import { bodies, forms, type Members, plantedWord } from "./growths.ts";

/** What attackers hold, and what they do to it. */
export interface World {
  readonly zones: Zones;
  readonly pids: Readonly<Record<Door["zone"], number>>;
  /** Returns a token with every scope but one. */
  readonly without: (scope: string) => string;
  /** Returns a token of its own, and how it is revoked. */
  readonly newToken: () => Promise<{ readonly token: string; readonly revoke: () => Promise<unknown> }>;
  /** A token that may send one request a minute. */
  readonly slow: string;
}

type Way = "api" | "a2a" | "mcp" | "hooks" | "link" | "slack" | "sign-in" | "open";

/** A door, once for each way of asking it. */
export interface Served extends Door {
  readonly way: Way;
  readonly takesBody: boolean;
}

/** Returns the doors of both zones that are served, each once. */
export function servedDoors(doors: readonly Door[], { url, askUrl, verificationUrl }: Zones): Served[] {
  const prefixes: readonly (readonly [string, Way])[] = [
    [`${url}/api/v1`, "api"],
    [`${url}/rpc`, "link"],
    [`${url}/auth`, "sign-in"],
    [`${askUrl}/a2a`, "a2a"],
    [`${askUrl}/mcp`, "mcp"],
    [`${askUrl}/hooks`, "hooks"],
    [`${verificationUrl}/slack`, "slack"],
  ];
  const once = new Map<string, Served>();
  for (const door of doors) {
    const { url: at, body, method } = door.plain();
    const way = prefixes.find(([prefix]) => at.startsWith(prefix))?.[1] ?? "open";
    if (door.name.startsWith("stranger") && way !== "open" && way !== "sign-in") continue;
    // The reading door of an operation knows its query; the other one sends its body.
    const place = ["api", "open", "sign-in", "slack"].includes(way) ? `${method} ${at.split("?", 1)[0]}` : door.name;
    const known = once.get(place);
    const takesBody = known?.takesBody === true || (method !== "GET" && body !== undefined && body !== "");
    once.set(place, { ...(known ?? door), ...(known === undefined && { operation: door.operation }), way, takesBody });
  }
  return [...once.values()];
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask({ method, url, headers, body }: Sendable): Promise<Answer> {
  const sent = body === "" || method === "GET" ? undefined : body;
  const signal = AbortSignal.timeout(30_000);
  const response = await fetch(url, { method, headers, body: sent, signal, redirect: "manual" });
  // A stream would not end.
  if (response.headers.get("content-type") !== "text/event-stream")
    return { status: response.status, headers: response.headers, text: await response.text() };
  const { value = new Uint8Array() } = (await response.body?.getReader().read()) ?? {};
  return { status: response.status, headers: response.headers, text: Buffer.from(value).toString() };
}

const saying = (sent: Sendable, headers: Sendable["headers"]): Sendable => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
});
const as = (token: string) => ({ authorization: `Bearer ${token}` });

/** Returns what is wrong with a status. */
async function mustBe(sent: Sendable, ...statuses: readonly number[]): Promise<string | undefined> {
  const { status, text } = await ask(sent);
  return statuses.includes(status) ? undefined : `${status} instead of ${statuses.join(" or ")}: ${text.slice(0, 120)}`;
}

const withoutCredentials = (sent: Sendable): Sendable => {
  const { authorization: _, "x-slack-signature": __, ...headers } = sent.headers;
  return { ...sent, headers };
};

/** The members of an answer of an operation that are content, as the API's document says. */
const scopes: ReadonlyMap<string, string> = new Map(
  Object.keys(apiSources).flatMap((part) =>
    Object.entries(openApi(part as keyof typeof apiSources).paths).flatMap(([template, path]) =>
      Object.entries(path as Readonly<Record<string, { security?: readonly { adminToken: readonly string[] }[] }>>).map(
        ([method, { security }]) => [`${method} ${template}`, security?.[0]?.adminToken[0] ?? ""] as const,
      ),
    ),
  ),
);
const keyOf = ({ operation }: Served): string => `${operation?.method} ${operation?.template}`;
const scopeOf = (door: Served): string => (door.way === "api" ? (scopes.get(keyOf(door)) ?? "") : "ask");

/** Sends until a door refuses because of the rate. */
async function spent(sent: () => Sendable, most: number): Promise<string | undefined> {
  for (let count = 0; count < most; count += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(sent())));
    const refused = answers.find(({ status }) => status === 429);
    if (refused) return Number(refused.headers.get("retry-after")) > 0 ? undefined : "429 without Retry-After";
  }
  return `no 429 after ${most} requests`;
}

/** Sends a body that never ends, and returns whether the door ends it. */
function sendSlowly({ method, url, headers }: Sendable): Promise<string | undefined> {
  const { hostname, port, pathname, search } = new URL(url);
  const lines = Object.entries({ ...headers, host: "localhost", "content-length": "1000" });
  const socket = connect({ host: hostname, port: Number(port) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.on("error", () => undefined).write(`${method} ${pathname}${search} HTTP/1.1\r\n${head}\r\n{`);
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      socket.destroy();
      resolve("a body without end is still awaited after 12 seconds");
    }, 12_000);
    socket.resume().on("close", () => {
      clearTimeout(late);
      resolve(undefined);
    });
  });
}

/** Returns the shape whose cost more than doubles with its length. */
async function growsTooFast(door: Served, { pids }: World): Promise<string | undefined> {
  const isJson = /json/.test(door.plain().headers["content-type"] ?? "");
  const shapes = isJson ? ["nested lists", "other members"] : ["other fields", "a long field"];
  const most = 400_000;
  for (const name of shapes) {
    const write = { ...bodies, ...forms }[name] ?? String;
    const costAt = async (size: number) => {
      const sent = { ...door.plain(), body: write(size) };
      const costs = [await costOf(pids[door.zone], sent), await costOf(pids[door.zone], sent)];
      return Math.min(...costs.map(({ all }) => all));
    };
    const [half, whole] = [await costAt(most / 2), await costAt(most)];
    if (whole > 100 && whole > 2.8 * half) return `${name}: ${Math.round(half)} ms, then ${Math.round(whole)} ms`;
  }
  return undefined;
}

/** Opens an answer that is held, revokes its token, and returns what is wrong after five seconds and a half. */
async function outlivesRight(sent: Sendable, { newToken }: World): Promise<string | undefined> {
  const { token, revoke } = await newToken();
  const leaving = new AbortController();
  const { method, url, headers, body = "" } = saying(sent, as(token));
  const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(30_000)]);
  const asked = fetch(url, { method, headers, ...(body !== "" && { body }), signal });
  const ended = asked
    .then((response) => response.text())
    .then(
      () => "ended",
      () => "ended",
    );
  const pause = (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, "held"));
  if ((await Promise.race([ended, pause(1_000)])) === "ended") return "the answer was not held";
  await revoke();
  const is = await Promise.race([ended, pause(5_500)]);
  leaving.abort();
  return is === "ended" ? undefined : "still held after 5.5 seconds";
}

export interface Attack {
  /** The checks of the surface that stop it: without all of them, it succeeds. */
  readonly checks: readonly Check[];
  /** Returns what is wrong; undefined when it was stopped. */
  readonly on: (door: Served, world: World) => Promise<string | undefined>;
  /** Whether there is something to take. */
  readonly applies?: (door: Served, world: World) => Promise<boolean>;
}

const api = "api" as const;
const unknownQuery = (sent: Sendable, query: string): Sendable => ({
  ...sent,
  url: `${sent.url.split("?", 1)[0]}?${query}`,
});

export const attacks = {
  "bad query": { checks: ["thrown"], on: ({ plain }) => mustBe(unknownQuery(plain(), "nothing_known=1"), 400) },
  paging: {
    checks: ["thrown"],
    on: async ({ plain, operation: { query = [] } = {} as never }) => {
      const wrong = { limit: ["0", "201", "a"], offset: ["-1"], cursor: ["!"] };
      for (const [name, values] of Object.entries(wrong))
        for (const value of query.includes(name) ? values : []) {
          const found = await mustBe(unknownQuery(plain(), `${name}=${encodeURIComponent(value)}`), 400);
          if (found !== undefined) return `${name}=${value}: ${found}`;
        }
      return undefined;
    },
  },
  "401": {
    checks: ["who"],
    on: async ({ plain }) =>
      (await mustBe(withoutCredentials(plain()), 401)) ??
      ("authorization" in plain().headers ? mustBe(saying(plain(), as("wrong")), 401) : undefined),
  },
  "403": {
    checks: ["may", "who"],
    on: (door, { without }) => mustBe(saying(door.plain(), as(without(scopeOf(door)))), 403),
  },
  "404": {
    checks: ["thrown"],
    on: ({ plain }) => mustBe({ ...plain(), url: `${plain().url.split("?", 1)[0]}/nothing/here` }, 404),
  },
  "413": {
    checks: ["size"],
    on: ({ plain }) =>
      mustBe({ ...saying(plain(), { "idempotency-key": randomUUID() }), body: " ".repeat(3_000_000) }, 413),
  },
  "415": {
    checks: ["type"],
    on: ({ plain }) => mustBe(saying(plain(), { "content-type": "text/plain" }), 415),
  },
  "429": {
    checks: ["rate"],
    on: (door, { slow, zones }) => {
      const { plain, way } = door;
      if (way === api)
        return spentThen(saying(plain(), as(slow)), { ...plain(), url: `${zones.url}/api/v1/session` }, slow);
      const one = way === "a2a" || way === "mcp" ? () => saying(plain(), as(slow)) : () => withoutProof(plain(), way);
      return spent(one, way === "a2a" || way === "mcp" ? 40 : 4_000);
    },
  },
  "slow body": { checks: ["time"], on: ({ plain }) => sendSlowly(plain()) },
  "quadratic body": { checks: ["growth"], on: growsTooFast },
  "revoked in the middle": { checks: ["right"], on: ({ plain }, world) => outlivesRight(plain(), world) },
  "content without the scope": {
    checks: ["content"],
    applies: async ({ plain }) => (await ask(plain())).text.includes(plantedWord),
    on: async ({ plain }, { without }) => {
      const { text } = await ask(saying(plain(), as(without("content:read"))));
      return text.includes(plantedWord) ? "the answer has content" : undefined;
    },
  },
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

/** Uses up what a token may send, and asks another door with it. */
async function spentThen(sent: Sendable, cheap: Sendable, token: string): Promise<string | undefined> {
  const one = (): Sendable => ({ ...saying(cheap, as(token)), method: "GET", body: "" });
  // The token may send one more each tenth of a second.
  for (let round = 0; round < 20; round += 1) {
    const first = await spent(one, 2_000);
    if (first !== undefined) return first;
    if ((await ask(sent)).status === 429) return undefined;
  }
  return "no 429 with a token that has sent too much";
}

/** Strangers are limited before they are known; the zone link by its caller. */
const withoutProof = (sent: Sendable, way: Way): Sendable => (way === "hooks" ? withoutCredentials(sent) : sent);

export const isStream = ({ operation }: Served): boolean =>
  operation?.method === "get" && operation.template.endsWith("}/events");

/** Returns whether a schema has members with content. */
export function hasContent(door: Served): boolean {
  const part = Object.keys(apiSources).find(
    (one) => openApi(one as keyof typeof apiSources).paths[door.operation?.template ?? ""] !== undefined,
  );
  if (part === undefined) return false;
  const { paths, components } = openApi(part as keyof typeof apiSources);
  const seen = new Set<unknown>();
  const has = (value: unknown): boolean => {
    if (typeof value !== "object" || value === null || seen.has(value)) return false;
    seen.add(value);
    const { $ref: ref, "x-content": isContent } = value as Members;
    if (isContent === true) return true;
    if (typeof ref === "string")
      return has(
        ref
          .split("/")
          .slice(1)
          .reduce((at, step) => (at as Members)[step], { components } as unknown),
      );
    return Object.values(value).some(has);
  };
  const operation = paths[door.operation?.template ?? ""]?.[door.operation?.method ?? ""] as Members | undefined;
  return has(operation?.["responses"]);
}

import { setTimeout as delay } from "node:timers/promises";
import { serve } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import type { Exchange } from "./exchange.ts";
import { createShares, createTokenBuckets } from "../values/rates.ts";
import { isReadableType } from "./read-request.ts";
import { refusal, Refused } from "./refusal.ts";
import { type Door, surface } from "./surface.ts";

const granted = new Set<string>();

/** A door of senders whose token is their name. It answers with the body. */
const usual: Door<string> = {
  methods: ["POST"],
  auth: ({ request }) => {
    const who = request.headers.authorization ?? "";
    return granted.has(who) ? { who } : refusal("unauthorized");
  },
  body: () => ({ maxBytes: 100, types: ["application/json"] }),
  serve: ({ response }, { body }) => void response.end(body),
  write: ({ kind }) => ({ contentType: "text/plain", body: kind }),
};

interface Sent {
  readonly method?: string;
  readonly body?: RequestInit["body"];
  readonly type?: string;
}

async function open(door: Partial<Door<string>> = {}) {
  const reported: string[] = [];
  const onRefused: Door<string>["onRefused"] = ({ kind }, _exchange, who = "nobody") => reported.push(`${kind} ${who}`);
  const listener = surface({ ...usual, onRefused, ...door });
  const url = await serve((request, response) => void listener(request, response));
  granted.add("ann").add("bob");
  const send = async (who: string, { method = "POST", body = "{}", type = "application/json" }: Sent = {}) => {
    const headers = { authorization: who, "content-type": type };
    const response = await fetch(url, { method, body, headers, duplex: "half" });
    return [response.status, await response.text()];
  };
  return { url, send, reported };
}

test("a request passes every check, or gets its refusal, which is reported once", async () => {
  const { send, reported } = await open({ may: (who) => (who === "bob" ? refusal("missing_scope") : undefined) });
  expect(await send("ann")).toEqual([200, "{}"]);
  expect(await send("ann", { method: "PUT" })).toEqual([405, "method_not_allowed"]);
  expect(await send("eve")).toEqual([401, "unauthorized"]);
  expect(await send("bob")).toEqual([403, "missing_scope"]);
  expect(await send("ann", { type: "text/plain" })).toEqual([415, "content_type"]);
  const large = "x".repeat(101);
  for (const body of [large, new Blob([large]).stream()])
    expect(await send("ann", { body })).toEqual([413, "too_large"]);
  expect(reported).toEqual([
    "method_not_allowed nobody",
    "unauthorized nobody",
    "missing_scope bob",
    "content_type ann",
    "too_large ann",
    "too_large ann",
  ]);
});

test("what is thrown is a refusal: a known one, one that the door makes of it, or an internal error", async () => {
  const thrown: unknown[] = [new Refused(refusal("not_found")), new Error("known"), new Error("unknown")];
  const { send } = await open({
    serve: () => {
      throw thrown.shift();
    },
    refusalOf: (error) => ((error as Error).message === "known" ? refusal("busy") : undefined),
  });
  const answers = [await send("ann"), await send("ann"), await send("ann")];
  expect(answers).toEqual([
    [404, "not_found"],
    [429, "busy"],
    [500, "internal"],
  ]);
});

test("strangers and senders have limits of their own; a sender that proves itself gives back what it took as a stranger", async () => {
  const strangers = createTokenBuckets({ perMinute: 1 });
  const senders = createTokenBuckets({ perMinute: 2 });
  const { send } = await open({
    strangers: { take: () => strangers.take("all"), judged: (_exchange, is) => void (is && strangers.giveBack("all")) },
    limit: (who) => senders.take(who),
  });
  const statuses = async (who: string) => [await send(who), await send(who), await send(who)].map(([status]) => status);
  expect(await statuses("ann")).toEqual([200, 200, 429]);
  expect(await statuses("bob")).toEqual([200, 200, 429]);
  expect(await statuses("eve")).toEqual([401, 429, 429]);
});

test("X33: one sender does not hold what all need", async () => {
  const held: Exchange[] = [];
  const { send } = await open({
    shares: { of: createShares({ all: 3, each: 2 }), owner: (who) => who },
    serve: (exchange) => void held.push(exchange),
  });
  const waiting = ["ann", "ann", "bob"].map((who) => send(who));
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(3);
  expect([await send("ann"), await send("bob")]).toEqual([
    [429, "busy"],
    [429, "busy"],
  ]);
  for (const { response } of held.splice(0)) response.end();
  expect((await Promise.all(waiting)).map(([status]) => status)).toEqual([200, 200, 200]);
  const again = send("ann");
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
  held[0]?.response.end();
  expect((await again)[0]).toBe(200);
});

describe("X3: an answer that is held ends when its reader loses the right", () => {
  test("the door learns why and can say it; one that does not end it is cut", async () => {
    const lost: unknown[] = [];
    const held = (exchange: Exchange, isPolite: boolean): void => {
      exchange.response.write("a");
      exchange.signal.addEventListener("abort", () => {
        lost.push(exchange.lost?.refusal.kind);
        if (isPolite) exchange.response.end("z");
      });
    };
    const { send } = await open({ recheckMs: 20, serve: (exchange, { who }) => held(exchange, who === "ann") });
    const polite = send("ann");
    const cut = send("bob").catch(() => "cut");
    await delay(100);
    granted.clear();
    expect([await polite, await cut]).toEqual([[200, "az"], "cut"]);
    expect(lost).toEqual(["unauthorized", "unauthorized"]);
  });

  test("a right that can't be checked ends nothing", async () => {
    let isDown = false;
    let checks = 0;
    const auth: Door<string>["auth"] = () => {
      checks += 1;
      if (isDown) throw new Error("the database is away");
      return { who: "ann" };
    };
    const held: Exchange[] = [];
    const { send } = await open({ recheckMs: 20, auth, serve: (exchange) => void held.push(exchange) });
    const answer = send("ann");
    await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
    isDown = true;
    const before = checks;
    await expect.poll(() => checks, { timeout: 30_000 }).toBeGreaterThan(before + 2);
    held[0]?.response.end("whole");
    expect(await answer).toEqual([200, "whole"]);
  });
});

test.each([
  ["application/json", true],
  ["application/json; charset=utf-8", true],
  ['Application/JSON ; Charset="UTF-8"', true],
  ["application/json; version=1", true],
  ["application/json; charset=latin1", false],
  ["application/vnd.a+json", true],
  ["text/plain", false],
  ["", false],
])("the content type %j is read: %s", (type, is) => {
  const request = { headers: { "content-type": type } } as Parameters<typeof isReadableType>[0];
  expect(isReadableType(request, ["application/json", "+json"])).toBe(is);
  request.headers["content-encoding"] = "gzip";
  expect(isReadableType(request, ["application/json", "+json"])).toBe(false);
});

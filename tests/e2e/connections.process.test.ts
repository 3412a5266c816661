import * as fc from "fast-check";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { zoneMethods } from "@crosszone/contracts";
import { openFilesLimit } from "@crosszone/service-kit";
import { tune } from "@crosszone/testkit/tune";
import { describe, expect, test } from "vitest";
import { startExecution, type Execution } from "../harness/start-execution.ts";
import { expectedAnswer } from "../hostile/oracle.ts";
import { rawRequests } from "../hostile/raw-requests.ts";
import { type Asked, noteAsked, oracleLimits, wrongWith } from "../hostile/send-bodies.ts";
import { goodRequest, isWell, rawConnect, startZone, statusesIn, type ZoneName } from "../hostile/zones.ts";

const zones: ZoneName[] = ["execution", "verification"];
const openFiles = openFilesLimit() ?? Infinity;

describe.each(zones)("%s", (name) => {
  test.skipIf(openFiles > 1_000_000)("a start with fewer open files than connections logs one warning", async () => {
    const zone = await startZone(name, tune({ MAX_CONNECTIONS: 1_000_000 }));
    const warnings = zone.log.filter(({ event }) => event === "config_warning");
    expect(warnings.map(({ warning }) => warning)).toEqual([
      expect.stringMatching(`^Open files: ${openFiles} may be open, 1000200 may be needed `),
    ]);
  });

  test("S19: no broken or ambiguous HTTP is answered twice, and no smuggled request is answered", async () => {
    const zone = await startZone(name);
    const wrong: unknown[] = [];
    for (const { name: what, bytes, answers } of rawRequests) {
      const { socket, closed } = rawConnect(zone.url, bytes);
      if (answers.includes("closed")) socket.end();
      const text = await closed;
      const [status = "closed", ...more] = statusesIn(text);
      // Verification has no such path, and answers before it reads a body.
      const allowed = name === "verification" ? [...answers, 404] : answers;
      if (!allowed.includes(status) || more.length > 0 || /"ok"|<html|\bat .*:\d+/i.test(text))
        wrong.push({ what, status, more, text: text.slice(0, 300) });
    }
    expect(wrong).toEqual([]);
    expect(await isWell(zone)).toBe(true);
  });

  test("S19: a request that is cut at any byte, half-closed or reset does not affect others", async () => {
    const zone = await startZone(name);
    const request = goodRequest(name);
    const answered: boolean[] = [];
    for (let at = 0; at <= request.length; at += 1) {
      const [half, reset] = [rawConnect(zone.url, request.slice(0, at)), rawConnect(zone.url, request.slice(0, at))];
      half.socket.end();
      reset.socket.once("connect", () => reset.socket.resetAndDestroy());
      const [text] = await Promise.all([half.closed, reset.closed]);
      answered.push(statusesIn(text).includes(200));
    }
    expect(answered.indexOf(true)).toBe(answered.length - 1);
    expect(await isWell(zone)).toBe(true);
  });

  test("S19: garbage after a valid request does not prevent its answer", async () => {
    const zone = await startZone(name);
    for (const garbage of [
      "garbage\r\n\r\n",
      "\0".repeat(10_000),
      gzipSync("x".repeat(1_000)).toString("latin1"),
      "{}".repeat(50_000),
    ]) {
      const { closed } = rawConnect(zone.url, Buffer.from(goodRequest(name, "keep-alive") + garbage, "latin1"));
      expect(statusesIn(await closed)).toEqual([200, 400]);
    }
  });

  test("100-continue is answered before the request", async () => {
    const zone = await startZone(name);
    const [head = "", body = ""] = goodRequest(name).split("\r\n\r\n");
    const { socket, closed } = rawConnect(zone.url, `${head}\r\nExpect: 100-continue\r\n\r\n`);
    await delay(50);
    socket.write(body);
    expect(statusesIn(await closed)).toEqual([100, 200]);
  });

  test("a request that never ends is cut when the zone stops, and the stop succeeds", async () => {
    const zone = await startZone(name, tune({ REQUEST_TIMEOUT_MS: 60_000 }));
    // Verification refuses events until Slack has identified it.
    await expect.poll(async () => (await fetch(`${zone.url}/readyz`)).status).toBe(200);
    const { closed } = rawConnect(zone.url, endlessRequests[name]());
    await delay(200);
    expect(await zone.stop()).toBe(0);
    expect(statusesIn(await closed)).toEqual([]);
    expect(zone.log.filter(({ level }) => level === "error")).toEqual([]);
  });
});

/** Requests whose body never ends and is read by the zone. */
const endlessRequests: Record<ZoneName, () => string> = {
  execution: () => `POST /rpc HTTP/1.1\r\nHost: a\r\n${endlessBody}`,
  verification: () =>
    `POST /slack/events HTTP/1.1\r\nHost: a\r\nX-Slack-Signature: v0=${"0".repeat(64)}\r\n` +
    `X-Slack-Request-Timestamp: ${Math.floor(Date.now() / 1_000)}\r\n${endlessBody}`,
};

const endlessBody = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";

const text = fc.string({ unit: "binary", maxLength: 40 });
const item = fc.record(
  { text, name: text, size: fc.oneof(fc.nat(), fc.double()), x: fc.jsonValue() },
  { requiredKeys: [] },
);
const params = fc.record(
  {
    channel: fc.oneof(text, fc.jsonValue()),
    text,
    bot_token: text,
    agent: fc.constantFrom("builtin", "nobody", ""),
    task_id: text,
    wait_ms: fc.oneof(fc.constant(0), fc.integer({ max: 0 }), fc.jsonValue()),
    correlation_id: text,
    attachments: fc.array(fc.oneof(item, fc.jsonValue())),
    thread: fc.array(fc.oneof(item, fc.jsonValue())),
  },
  { requiredKeys: [] },
);
const request = fc.record(
  {
    jsonrpc: fc.constantFrom("2.0", "2.0", "2.0", "1.0", 2),
    method: fc.oneof(fc.constantFrom(...Object.keys(zoneMethods)), fc.constantFrom("__proto__", "toString", ""), text),
    params: fc.oneof(params, params, fc.jsonValue()),
    id: fc.oneof(fc.uuid(), fc.uuid(), text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.jsonValue()),
  },
  { requiredKeys: ["jsonrpc"] },
);
const bytes = fc.oneof(
  request.map((value) => Buffer.from(JSON.stringify(value))),
  fc.array(request).map((value) => Buffer.from(JSON.stringify(value))),
  fc.json().map((json) => Buffer.from(json)),
  fc.uint8Array().map((array) => Buffer.from(array)),
);

test("Z2, Z3, H1: the dispatcher of the execution zone answers every input of fast-check as the oracle expects", async () => {
  const execution: Execution = await startExecution({
    token: "t".repeat(32),
    log: [],
    limits: { maxRunning: 1e6 },
  });
  const asked: Asked = new Map();
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      const expected = expectedAnswer(body, oracleLimits);
      noteAsked(expected, asked);
      const answer = await execution.app.dispatch(body, { caller: "local", correlationId: "c" });
      const http = { status: answer === undefined ? 204 : 200, contentType: "application/json", body: answer ?? "" };
      expect(wrongWith(http, expected, asked)).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
  await execution.stop();
});

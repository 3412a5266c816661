import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { openFilesLimit } from "@crosszone/service-kit";
import { tune } from "@crosszone/testkit/tune";
import { describe, expect, test } from "vitest";
import { goodRequest, isWell, rawConnect, startZone, statusesIn, type ZoneName } from "../hostile/zones.ts";
import { rawRequests } from "../hostile/raw-requests.ts";

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
    expect(await isWell(zone)).toBe(true);
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

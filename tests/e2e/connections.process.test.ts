// suite: rest
// @module-tag judge
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { openFilesLimit } from "@crosszone/service-kit";
import { tune } from "@crosszone/testkit/tune";
import { describe, expect, test } from "vitest";
import { goodRequest, isWell, rawConnect, startZone, statusesIn, type ZoneName } from "../hostile/zones.ts";

/** Bytes for one connection, and the answers that they may get. `closed`: no answer. */
interface RawRequest {
  readonly name: string;
  readonly bytes: string | Buffer;
  readonly answers: readonly (number | "closed")[];
}

/** A request that both zones answer with `{"status":"ok"}`. Smuggled, it must not be answered. */
const smuggled = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

const post = (headers: string, body = ""): string =>
  `POST /rpc HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;
const chunked = (body: string): string => post("Transfer-Encoding: chunked", body);
const get = (headers: string): string => `GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n\r\n`;

const raws = (answers: RawRequest["answers"], all: Record<string, string | Buffer>): RawRequest[] =>
  Object.entries(all).map(([name, bytes]) => ({ name, bytes, answers }));

/** Requests that two programs could read differently. https://www.rfc-editor.org/rfc/rfc9112#section-11.2 */
const smuggling = raws([400], {
  "a length and chunks": post("Content-Length: 5\r\nTransfer-Encoding: chunked", `0\r\n\r\n${smuggled}`),
  "chunks and a length": post("Transfer-Encoding: chunked\r\nContent-Length: 60", `0\r\n\r\n${smuggled}`),
  "two lengths": post(`Content-Length: 2\r\nContent-Length: ${smuggled.length}`, smuggled),
  "the same length twice": post("Content-Length: 2\r\nContent-Length: 2", `{}${smuggled}`),
  "a list of lengths": post("Content-Length: 2, 2", `{}${smuggled}`),
  "a length with a sign": post("Content-Length: +2", `{}${smuggled}`),
  "a length below nought": post("Content-Length: -1", smuggled),
  "a length in hexadecimal": post("Content-Length: 0x2", `{}${smuggled}`),
  "no length in its header": post("Content-Length: ", smuggled),
  "a length beyond all numbers": post(`Content-Length: ${"9".repeat(30)}`, smuggled),
  "a length with a space": post("Content-Length: 1 0", smuggled),
  "a space before the colon": post("Content-Length : 2", `{}${smuggled}`),
  "a folded header": post("X: a\r\n b\r\nContent-Length: 2", `{}${smuggled}`),
  "a folded encoding": post("Transfer-Encoding:\r\n chunked", `0\r\n\r\n${smuggled}`),
  "an encoding behind chunked": post("Transfer-Encoding: chunked, identity", `0\r\n\r\n${smuggled}`),
  "another encoding": post("Transfer-Encoding: xchunked", `0\r\n\r\n${smuggled}`),
  "two encodings": post("Transfer-Encoding: chunked\r\nTransfer-Encoding: cow", `0\r\n\r\n${smuggled}`),
  "a control before chunked": post("Transfer-Encoding: \u000bchunked", `0\r\n\r\n${smuggled}`),
  "a header of line feeds": `POST /rpc HTTP/1.1\nHost: a\nContent-Length: 2\n\n{}${smuggled}`,
  "a carriage return alone": post("X: a\rContent-Length: 0", smuggled),
  "a NUL in a header": post("X: a\0b\r\nContent-Length: 2", `{}${smuggled}`),
  "a header without a colon": post("Content-Length\r\nX: a", smuggled),
  "a header without a name": post(": 2", smuggled),
  "a chunk of no size": chunked(`\r\n{}\r\n0\r\n\r\n${smuggled}`),
  "a chunk of size g": chunked(`g\r\n{}\r\n0\r\n\r\n${smuggled}`),
  "a chunk below nought": chunked(`-2\r\n{}\r\n0\r\n\r\n${smuggled}`),
  "a chunk in 0x": chunked(`0x2\r\n{}\r\n0\r\n\r\n${smuggled}`),
  "a chunk beyond all numbers": chunked(`${"f".repeat(20)}\r\n{}\r\n0\r\n\r\n${smuggled}`),
  "a chunk that is longer than said": chunked(`2\r\n{}{}\r\n0\r\n\r\n${smuggled}`),
  "chunks with line feeds": chunked(`2\n{}\n0\n\n${smuggled}`),
});

const lines = raws([400], {
  "no version": "GET /healthz\r\nHost: a\r\n\r\n",
  "HTTP/0.9": "GET /healthz\r\n\r\n",
  "HTTP/2 by surprise": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a version of the future": "GET /healthz HTTP/3.7\r\nHost: a\r\n\r\n",
  "more behind the version": "GET /healthz HTTP/1.1 x\r\nHost: a\r\n\r\n",
  "a method nobody knows": "HELLO /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
  "a method of 100,000 letters": `${"A".repeat(100_000)} / HTTP/1.1\r\nHost: a\r\n\r\n`,
  "a method in small letters": "get /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
  "a NUL in the path": "GET /heal\0thz HTTP/1.1\r\nHost: a\r\n\r\n",
  TLS: Buffer.from("16030100a5010000a10303", "hex"),
  SSH: "SSH-2.0-OpenSSH_9.9\r\n",
  SMTP: "EHLO example.com\r\n",
  noise: Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 197 + 91) % 256)),
  "no host": "GET /nowhere HTTP/1.1\r\n\r\n",
  "an encoded body before anything": gzipSync("x".repeat(10_000)),
});

const paths = raws([400, 404, 405], {
  "a path upwards": get("").replace("/nowhere", "/../../etc/passwd"),
  "a path of two slashes": get("").replace("/nowhere", "//"),
  "a path with a broken escape": get("").replace("/nowhere", "/%ZZ"),
  "a path in another encoding": Buffer.from(get("").replace("/nowhere", "/é"), "latin1"),
  "another host's path": get("").replace("/nowhere", "http://example.com/rpc"),
  "a query of 7,000 letters": get("").replace("/nowhere", `/nowhere?${"q".repeat(7_000)}`),
  "an asterisk": get("").replace("GET /nowhere", "OPTIONS *"),
  "a wish for another protocol": get("Upgrade: websocket\r\nSec-WebSocket-Version: 13").replace(
    "close",
    "upgrade, close",
  ),
  "a wish for HTTP/2": get("Upgrade: h2c\r\nHTTP2-Settings: AAA").replace("close", "Upgrade, close"),
  "a header of every printable byte": get(
    `X: ${Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join("")}`,
  ),
});

const others: RawRequest[] = [
  ...raws([431], {
    "5,000 headers": get(Array.from({ length: 5_000 }, (_, at) => `X-${at}: a`).join("\r\n")),
    "a header of a megabyte": get(`X: ${"a".repeat(1_000_000)}`),
    "a path of a megabyte": get("").replace("/nowhere", `/${"a".repeat(1_000_000)}`),
    "headers without end": `GET / HTTP/1.1\r\n${"a: b\r\n".repeat(50_000)}`,
  }),
  ...raws([404], { "300 headers that fit": get(Array.from({ length: 300 }, (_, at) => `X${at}: a`).join("\r\n")) }),
  ...raws([405], { CONNECT: "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n" }),
  ...raws([417], { "an expectation": post("Expect: gold\r\nContent-Length: 2", "{}") }),
  ...raws(["closed"], { nothing: "", "empty lines": "\r\n\r\n" }),
  ...raws([413], { "a chunk with an endless extension": chunked(`2;${"x".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`) }),
];

/** Requests that no client library sends. */
const rawRequests: readonly RawRequest[] = [...smuggling, ...lines, ...paths, ...others];

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

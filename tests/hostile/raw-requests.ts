import { gzipSync } from "node:zlib";

/** Bytes for one connection, and the answers that they may get. `closed`: no answer. */
export interface RawRequest {
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
export const rawRequests: readonly RawRequest[] = [...smuggling, ...lines, ...paths, ...others];

import { once } from "node:events";
import { get, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { close, createHttpServer, type HttpLimits, listen } from "./http-server.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

const json: NonNullable<HttpLimits["onBadRequest"]> = ({ status, code, reason }) => ({
  contentType: "application/json",
  body: JSON.stringify({ status, code, reason }),
});

async function start(listener: RequestListener, limits: HttpLimits = {}) {
  const server = createHttpServer(listener, { onBadRequest: json, ...limits });
  const { port, url } = await listen(server, { port: 0, host: "127.0.0.1" });
  ends.push(() => close(server, { deadlineMs: 0 }));
  return { server, port, url };
}

const hello: RequestListener = (_request, response) => response.end("hello");

interface Raw {
  readonly socket: Socket;
  /** Everything that the server sent until the connection was closed. */
  readonly closed: Promise<string>;
}

function raw(port: number, bytes: string): Raw {
  const socket = connect({ port, host: "127.0.0.1" });
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));
  socket.on("error", () => undefined);
  socket.write(bytes);
  // A write can fail after the response has arrived: only the response counts.
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(text)));
  return { socket, closed };
}

const bodyOf = (text: string): unknown => JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));

describe("malformed HTTP gets a response in the app's own format", () => {
  test.each([
    ["noise", "\u0016\u0003\u0001 hello\r\n\r\n", "400 HPE_INVALID_METHOD"],
    ["a wrong version", "GET / HTTP/9.9\r\nHost: a\r\n\r\n", "400 HPE_INVALID_VERSION"],
    ["a header flood", `GET / HTTP/1.1\r\nHost: a\r\n${"X-A: b\r\n".repeat(5_000)}`, "431 HPE_HEADER_OVERFLOW"],
    ["a header too long", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(17_000)}\r\n\r\n`, "431 HPE_HEADER_OVERFLOW"],
    ["a request line too long", `GET /${"a".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, "431 HPE_HEADER_OVERFLOW"],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      "400 HPE_UNEXPECTED_CONTENT_LENGTH",
    ],
    ["no host", "GET / HTTP/1.1\r\n\r\n", "400 HOST_MISSING"],
    ["CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", "405 CONNECT"],
    ["an expectation", "POST / HTTP/1.1\r\nHost: a\r\nExpect: gold\r\n\r\n", "417 EXPECT"],
  ])("%s", async (_name, bytes, refusal) => {
    const [status = "", code = ""] = refusal.split(" ");
    const { port, url } = await start(hello);
    const text = await raw(port, bytes).closed;
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toMatch(/\r\ncontent-type: application\/json\r\n/i);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(bodyOf(text)).toEqual({ status: Number(status), code, reason: expect.stringMatching(/^the .+/) });
    expect(await (await fetch(url)).text()).toBe("hello");
  });

  test("an app's error body that fails is replaced by plain text", async () => {
    const broken = (): never => {
      throw new Error("no");
    };
    const { port } = await start(hello, { onBadRequest: broken });
    expect(await raw(port, "noise\r\n\r\n").closed).toMatch(/text\/plain[^]*the request is not valid HTTP\/1\.1$/);
  });
});

test("S19: the response to a refused, unread body arrives, however large the body is", async () => {
  const refuse: RequestListener = (_request, response) =>
    response.writeHead(413, { connection: "close", "content-length": 2 }).end("no");
  const { port } = await start(refuse);
  const size = 5_000_000;
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`;
  for (let round = 0; round < 20; round += 1) {
    const { socket, closed } = raw(port, head);
    socket.write(Buffer.alloc(size, "x"));
    expect(await closed).toMatch(/^HTTP\/1\.1 413 [^]*no$/);
  }
});

test("idle connections are kept open longer than by a load balancer", async () => {
  const { port } = await start(hello);
  const [response] = (await once(
    get({ port, host: "127.0.0.1", headers: { connection: "keep-alive" } }),
    "response",
  )) as [{ headers: Record<string, string>; destroy: () => void }];
  expect(response.headers["keep-alive"]).toBe("timeout=65");
  response.destroy();
});

test("a server can be closed again when its sockets have not reported their end", async () => {
  const { server, port } = await start(hello);
  await (await fetch(`http://127.0.0.1:${port}`)).text();
  await close(server, { deadlineMs: 0 });
  await once(server, "close");
  expect(await close(server, { deadlineMs: 0 })).toEqual({ destroyed: 0 });
});

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { LinkError, type SendOptions } from "@crosszone/jsonrpc";
import { expect, onTestFinished, test } from "vitest";
import { createHttpsTransport, type HttpsTransportOptions } from "./https-transport.ts";

/** Sends a message to a server that runs the given script. */
async function send(
  listener: RequestListener,
  { maxBytes, ...sending }: Pick<HttpsTransportOptions, "maxBytes"> & Pick<SendOptions, "onNotification"> = {},
): Promise<Uint8Array> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`;
  const transport = createHttpsTransport({ url, ...(maxBytes !== undefined && { maxBytes }) });
  onTestFinished(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  return transport.send(Buffer.from("{}"), { timeoutMs: 2_000, session: "s", correlationId: "c", ...sending });
}

async function failure(sent: Promise<unknown>): Promise<LinkError> {
  const error: unknown = await sent.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LinkError);
  return error as LinkError;
}

const note = (n: number): string => `{"jsonrpc":"2.0","method":"task_event","params":{"n":${n}}}`;
const events = [
  ...[1, 2].map((n) => `data: ${note(n)}\n\n`),
  ":\n\n",
  'data: {"jsonrpc":"2.0","result":1,"id":"é"}\n\n',
];
const streaming =
  (pieces: readonly string[], cut = false): RequestListener =>
  ({ headers }, response) => {
    const isTaken = headers.accept?.includes("text/event-stream") === true;
    response.writeHead(isTaken ? 200 : 406, { "content-type": "text/event-stream; charset=utf-8" });
    for (const piece of pieces) response.write(piece);
    if (cut) setImmediate(() => response.destroy());
    else response.end();
  };
const listening = (): { heard: string[]; onNotification: (message: Uint8Array) => void } => {
  const heard: string[] = [];
  return { heard, onNotification: (bytes) => heard.push(Buffer.from(bytes).toString()) };
};

test("the last event is the answer, and earlier events are passed on as they arrive", async () => {
  const { heard, onNotification } = listening();
  const answer = await send(streaming(events), { onNotification });
  expect(JSON.parse(Buffer.from(answer).toString())).toEqual({ jsonrpc: "2.0", result: 1, id: "é" });
  expect(heard).toEqual([note(1), note(2)]);
});

test.each([
  ["cut off", true, "unreachable"],
  ["ended too early", false, "invalid_response"],
] as const)("a message whose stream is %s can be sent again", async (_how, cut, kind) => {
  const { heard, onNotification } = listening();
  expect(await failure(send(streaming(events.slice(0, 2), cut), { onNotification }))).toMatchObject({
    kind,
    retryable: true,
  });
  expect(heard).toEqual([note(1), note(2)]);
});

test("one event can be as large as an answer, and no larger", async () => {
  const endless = streaming([`data: ${"x".repeat(5_000)}\n\n`]);
  const error = await failure(send(endless, { ...listening(), maxBytes: 4_000 }));
  expect(error).toMatchObject({ kind: "invalid_response", retryable: false });
});

import type { Response } from "express";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Protocol } from "../protocols/protocol.ts";
import type { Fault } from "./switchboard.ts";

const oversizedBytes = 64 * 1024 * 1024;

export interface Broken {
  readonly protocol: Protocol;
  readonly body: unknown;
  /** Number of earlier requests for this task. */
  readonly before: number;
  readonly slowMs: number;
}

/** Answers a request with a fault. `answer` is the correct response, for faults that only delay it or come first. */
export async function breakOnPurpose(fault: Fault, response: Response, broken: Broken): Promise<void> {
  const { protocol, body, before, slowMs } = broken;
  const answer = (asTask = false): object => protocol.answer(body, { asTask });
  const say = (status: number, text: string): void => void response.status(status).type("text").send(text);
  switch (fault) {
    case "ok":
      return void response.json(answer());
    case "working":
      return void response.json(answer(true));
    case "rpc_error":
      return void response.json(protocol.refuse(body, "Told to fail."));
    case "wrong_id":
      return void response.json({ ...answer(), [protocol.idMember]: "of-another-request" });
    case "bad_request":
      return say(400, "Told to refuse.");
    case "server_error":
      return say(500, "Told to fail.");
    case "malformed":
      return void response.type("json").send('{"jsonrpc": "2.0", "result": ');
    case "redirect":
      return response.redirect(302, `${response.req.baseUrl}/elsewhere`);
    case "flaky":
      return before < 2 ? say(503, "Told to be flaky.") : void response.json(answer());
    case "rate_limited":
      if (before > 0) return void response.json(answer());
      response.set("retry-after", "1");
      return say(429, "Told to be busy.");
    case "slow":
      await delay(slowMs, undefined, { ref: false });
      return void response.json(answer());
    case "oversized":
      return flood(response);
    case "hang":
      return undefined;
  }
}

/** Sends an endless JSON string as fast as it is read, until the client disconnects. */
async function flood(response: Response): Promise<void> {
  response.type("json");
  await pipeline(Readable.from(pieces()), response).catch(() => undefined);
}

function* pieces(): Generator<Buffer> {
  yield Buffer.from('{"jsonrpc":"2.0","result":"');
  const piece = Buffer.alloc(65_536, "a");
  for (let sent = 0; sent < oversizedBytes; sent += piece.length) yield piece;
  yield Buffer.from('"}');
}

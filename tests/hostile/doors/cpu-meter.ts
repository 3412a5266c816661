import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Sendable } from "./door.ts";

/** A process is at rest when its thread has taken less than this in each of several pauses, milliseconds. */
const [restMs, pauseMs, calmPauses, mostPauses] = [0.8, 12, 6, 2_000];
const requestMs = 120_000;

/** Returns the CPU time that the main thread of a process has taken, and its time in the queue for a core, milliseconds. */
function threadTimes(pid: number): readonly [cpu: number, waited: number] {
  const [cpu = "", waited = ""] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return [Number(cpu) / 1e6, Number(waited) / 1e6];
}

/** Waits until the process has done all that was asked of it. */
async function restOf(pid: number): Promise<void> {
  let calm = 0;
  for (let pause = 0; calm < calmPauses && pause < mostPauses; pause += 1) {
    const [cpu, waited] = threadTimes(pid);
    await delay(pauseMs);
    const [later, waitedLater] = threadTimes(pid);
    calm = later - cpu < restMs && waitedLater - waited < pauseMs / 2 ? calm + 1 : 0;
  }
}

let address = 0;

/** Sends a request, each from another address of loopback, and resolves with the status of its answer; 0 without one. */
export async function send({ method, url, headers, body = "" }: Sendable): Promise<number> {
  address = (address + 1) % 60_000;
  const localAddress = `127.${1 + Math.floor(address / 250 / 250)}.${Math.floor(address / 250) % 250}.${1 + (address % 250)}`;
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) };
  const signal = AbortSignal.timeout(requestMs);
  try {
    const sent = request(url, { method, headers: { ...headers, ...length }, localAddress, agent: false, signal });
    sent.on("error", () => undefined).end(body);
    const [response] = (await once(sent, "response", { signal })) as [IncomingMessage];
    // A stream would not end.
    if (response.headers["content-type"] === "text/event-stream") response.destroy();
    else await once(response.resume(), "close", { signal });
    return response.statusCode ?? 0;
  } catch {
    return 0;
  }
}

export interface Cost {
  /** CPU time of the main thread until the last answer, and until all work that the requests began is done, milliseconds. */
  readonly answered: number;
  readonly all: number;
  /** Of the last request. */
  readonly status: number;
}

/** Sends requests, one after the other, and returns what they cost. */
export async function costOf(pid: number, ...requests: readonly Sendable[]): Promise<Cost> {
  const [before] = threadTimes(pid);
  let status = 0;
  for (const one of requests) status = await send(one);
  const [answered] = threadTimes(pid);
  await restOf(pid);
  return { answered: answered - before, all: threadTimes(pid)[0] - before, status };
}

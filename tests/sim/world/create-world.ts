import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { PassThrough, Writable } from "node:stream";
import type { Message } from "@crosszone/dev-slack";
import { createRandom } from "../../harness/random.ts";
import { noteRequests, type AgentRequests } from "../../resist/judge/stores.ts";
import { failDatabases, type Troubles } from "../faults/troubles.ts";
import { type SeedPlan, calmAgentMs } from "../plan-seed.ts";
import type { Databases } from "../template.ts";
import {
  runIn,
  agenda,
  beginLife,
  DeadProcessError,
  type Life,
  currentLife,
  never,
  wait,
} from "../time/virtual-time.ts";
import { createLink, type Callee } from "./link.ts";
import { simulateSlack, type SimulatedSlack } from "./slack.ts";
import { startExecutionZone, startVerificationZone } from "./zones.ts";
import { AgentFailure, type AgentClient, type AgentReply, type AgentRequest } from "@crosszone/agent-bridge";
import { bracketAnswer, type AgentBody } from "../../harness/bracket-workflows.ts";

export type World = ReturnType<typeof createWorld>;

interface WorldOptions {
  readonly seed: number;
  readonly troubles: Troubles;
  readonly note: (what: string) => void;
  readonly databases: Databases;
  /** Called when the app has posted or changed a message. */
  readonly onChanged: (message: Message) => void;
  /** See `SeedPlan`. */
  readonly awayMs: SeedPlan["awayMs"];
  /** Whether Slack allows no bursts. */
  readonly isStrict: boolean;
  /** Unix milliseconds. */
  readonly beganAt: number;
  /** Whether `note` gets the zones' logs. */
  readonly logs: boolean;
}

/** Time of a call of the tool, in which its process can die, milliseconds. */
const toolMs = 1_500;

/** Slack's timeout for the response to an event, milliseconds. */
const ackTimeoutMs = 3_000;

/** Creates both zones, Slack, the agents, and everything between them. */
export function createWorld(options: WorldOptions) {
  const { seed, troubles, note, databases, onChanged, awayMs, beganAt, logs } = options;
  const [pauses, choice] = [createRandom(seed, 41), createRandom(seed, 42)];
  // A platform starts again at once what did not start.
  const pauseMs = (hadStarted: boolean): number =>
    (hadStarted ? awayMs?.(agenda.now() - beganAt) : undefined) ?? (pauses.chance(0.3) ? 0 : pauses.int(3_000));
  /** For each task, the processes that logged its end. */
  const ends = new Map<string, string[]>();
  const logOf = (name: string) => (line: string) => {
    if (logs) note(`${name} ${line.trim()}`);
    if (!line.includes('"task_ended"')) return;
    const { task_id } = JSON.parse(line) as { readonly task_id: string };
    ends.getOrInsertComputed(task_id, () => []).push(name);
  };
  failDatabases((life, text) => {
    const trouble = troubles.next(text.startsWith("update job set state = 4") ? "ending" : "database", life);
    if (trouble !== undefined) note(`${life.name} database ${trouble}: ${text.trim().slice(0, 130)}`);
    return trouble;
  });
  const oneOf = <Handle>({ running }: { readonly running: readonly Running<Handle>[] }) => {
    const able = running.filter(
      (one): one is Running<Handle> & { handle: Handle } => one.handle !== undefined && one.isStopping !== true,
    );
    return able.length === 0 ? undefined : choice.pick(able);
  };

  const requests = noteRequests();
  let calls = 0;
  const act = async (text: string): Promise<void> => {
    requests.note(`call ${(calls += 1)}`, JSON.stringify({ input: { text } }));
    note(`${currentLife()?.name} calls the tool: ${text}`);
    await wait(toolMs);
  };
  const agentClient = simulateAgents(seed, { isOver: troubles.isOver, requests });
  const execution = createFleet<Callee>({
    zone: "execution",
    note,
    pauseMs,
    start: async (life, publish) => {
      const parts = { databaseUrl: databases.execution, onLine: logOf(life.name), agentClient, act };
      const { handle, stop } = await startExecutionZone(parts);
      publish({ life, handle });
      return stop;
    },
  });
  const link = createLink({ troubles, note, callee: () => oneOf(execution)?.handle });
  const verification = createFleet<RequestListener>({
    zone: "verification",
    note,
    pauseMs,
    start: async (life, onListener) => {
      const parts = { folder: databases.folder, onLine: logOf(life.name), slackEnv: slack.env };
      const { stop } = await startVerificationZone({ ...parts, transport: link(life), onListener });
      return stop;
    },
  });
  const slack: SimulatedSlack = simulateSlack({
    seed,
    troubles,
    note,
    onChanged,
    isStrict: options.isStrict,
    send: (headers, body) => {
      const one = oneOf(verification);
      return one === undefined ? Promise.resolve(0) : deliver(one, headers, body);
    },
  });
  return { slack, verification, execution, ends, requests };
}

/** Sends an event to a process. Resolves with the status, or with 0 if the process dies or does not answer in time. */
function deliver(
  { life, handle }: Running<RequestListener> & { readonly handle: RequestListener },
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<number> {
  return new Promise((resolve) => {
    agenda.plan(ackTimeoutMs, () => resolve(0));
    life.onDeath(() => resolve(0));
    const take = (): void => void request(handle, headers, body).then(resolve);
    runIn(life, () => agenda.plan(0, take));
  });
}

/** Passes an event to a listener like a server. Resolves with the status when the response is complete. */
function request(listener: RequestListener, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  const socket = new PassThrough() as unknown as Socket;
  const incoming = new IncomingMessage(socket);
  Object.assign(incoming, {
    method: "POST",
    url: "/slack/events",
    httpVersion: "1.1",
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  });
  Object.assign(incoming.headers, { host: "127.0.0.1", "content-length": String(Buffer.byteLength(body)), ...headers });
  incoming.push(body);
  incoming.push(null);
  incoming.complete = true;
  const response = new ServerResponse(incoming);
  response.assignSocket(new Writable({ write: (_chunk, _encoding, done) => done() }) as unknown as Socket);
  const { promise, resolve } = Promise.withResolvers<number>();
  response.once("finish", () => resolve(response.statusCode));
  response.once("close", () => resolve(0));
  listener(incoming, response);
  return promise;
}

/** A running process of a zone. */
interface Running<Handle> {
  readonly life: Life;
  /** The handle by which others call it. Undefined while it starts. */
  handle?: Handle;
  /** Stops it cleanly. Undefined while it starts. */
  stop?: () => Promise<void>;
  isStopping?: boolean;
}

interface FleetOptions<Handle> {
  readonly zone: Life["zone"];
  readonly note: (what: string) => void;
  /** Returns when a process is replaced that has ended, or did not start, milliseconds. */
  readonly pauseMs: (hadStarted: boolean) => number;
  /** Starts a process. It may publish its handle before it has started. */
  readonly start: (life: Life, publish: (handle: Handle) => void) => Promise<() => Promise<void>>;
}

/** Creates the processes of a zone: one, or two during a redeploy. A process that ends is replaced. */
function createFleet<Handle>({ zone, note, pauseMs, start }: FleetOptions<Handle>) {
  const running: Running<Handle>[] = [];
  let number = 0;
  let isOver = false;

  function begin(): void {
    if (isOver) return;
    const life = beginLife(`${zone} ${(number += 1)}`, zone);
    const one: Running<Handle> = { life };
    running.push(one);
    note(`${life.name} starts`);
    life.onDeath(() => {
      running.splice(running.indexOf(one), 1);
      note(`${life.name} is dead`);
      if (running.every(({ isStopping }) => isStopping)) agenda.plan(pauseMs(one.stop !== undefined), begin);
    });
    void runIn(life, () => boot(one));
  }

  async function boot(one: Running<Handle>): Promise<void> {
    const { life } = one;
    try {
      one.stop = await start(life, (handle) => (one.handle = handle));
    } catch (error) {
      if (!life.isAlive || error instanceof DeadProcessError) return;
      note(`${life.name} did not start: ${String(error)}`);
      life.die();
    }
  }

  async function end(one: Running<Handle>): Promise<void> {
    const { life, stop } = one;
    one.isStopping = true;
    note(`${life.name} is told to stop`);
    const ended = Promise.withResolvers<void>();
    life.onDeath(ended.resolve);
    if (stop === undefined) life.die();
    else void runIn(life, () => stop().finally(() => agenda.plan(0, life.die)));
    await ended.promise;
  }

  return {
    running: running as readonly Running<Handle>[],
    start: begin,
    /** Replaces the oldest process by a new one. Both run during the overlap. */
    redeploy: (overlapMs: number) => {
      const [old] = running;
      begin();
      if (old !== undefined) agenda.plan(overlapMs, () => old.life.isAlive && void end(old));
    },
    /** Stops all processes cleanly. Resolves when they have ended. */
    stop: async () => {
      isOver = true;
      await Promise.all(running.map(end));
    },
  };
}

/** Simulates the agents `newer` and `older` behind a failing network. They put their input in brackets of their protocol. */
function simulateAgents(
  seed: number,
  { isOver, requests }: { readonly isOver: () => boolean; readonly requests: AgentRequests },
): AgentClient {
  const random = createRandom(seed, 30);

  async function send({ body = "", headers: asked = {}, signal, timeoutMs, agent }: AgentRequest): Promise<AgentReply> {
    const life = currentLife();
    if (life?.isAlive !== true) return never();
    requests.note(asked["idempotency-key"], body);
    const dice = isOver() ? 100 : random.int(100);
    const usualMs = 5 + random.int(200) + (dice >= 85 && dice < 95 ? random.int(3_000) : 0);
    const tookMs = isOver() ? calmAgentMs : usualMs;
    await new Promise<void>((resolve, reject) => {
      const limit = agenda.plan(timeoutMs, () =>
        reject(new AgentFailure("call_timeout", `${agent.name} did not answer.`)),
      );
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      agenda.plan(tookMs, () => {
        agenda.cancel(limit);
        resolve();
      });
    });
    if (dice < 4) throw new AgentFailure("unreachable", `${agent.name} cannot be reached.`);
    if (dice < 8) return { status: 503, headers: { "content-type": "text/plain" }, body: Buffer.from("busy") };
    const headers = { "content-type": "application/json" };
    return {
      status: 200,
      headers,
      body: Buffer.from(JSON.stringify(runIn(undefined, () => bracketAnswer(JSON.parse(body) as AgentBody)))),
    };
  }

  const missing = async (): Promise<AgentReply> => ({ status: 404, headers: {}, body: new Uint8Array() });
  return {
    send,
    fetchCard: missing,
    fetchAs: () => () => Promise.reject(new TypeError("fetch failed")),
    close: async () => undefined,
  };
}

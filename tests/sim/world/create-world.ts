import { IncomingMessage, ServerResponse, type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { PassThrough, Writable } from "node:stream";
import type { Message } from "@crosszone/dev-slack";
import { noteRequests } from "../../chaos/judge/judge-stores.ts";
import { createRandom } from "../../harness/random.ts";
import { failDatabases } from "../faults/failing-database.ts";
import type { Troubles } from "../faults/troubles.ts";
import type { SeedPlan } from "../plan/plan-seed.ts";
import type { Databases } from "../template.ts";
import { runIn } from "../time/life.ts";
import { agenda } from "../time/virtual-time.ts";
import { simulateAgents } from "./agents.ts";
import { createFleet, type Fleet, type Running } from "./fleet.ts";
import { createLink, type Callee } from "./link.ts";
import { simulateSlack, type SimulatedSlack } from "./slack-deliveries.ts";
import { startExecutionZone, startVerificationZone } from "./zones.ts";

export type World = ReturnType<typeof createWorld>;

export interface WorldOptions {
  readonly seed: number;
  readonly troubles: Troubles;
  readonly note: (what: string) => void;
  readonly databases: Databases;
  /** Called when the app has posted or changed a message. */
  readonly onChanged: (message: Message) => void;
  /** See `SeedPlan`. */
  readonly awayMs: SeedPlan["awayMs"];
  /** Unix milliseconds. */
  readonly beganAt: number;
  /** Whether `note` gets the zones' logs. */
  readonly logs: boolean;
}

/** Slack's timeout for the response to an event, milliseconds. */
const ackTimeoutMs = 3_000;

/** Creates both zones, Slack, the agents, and everything between them. */
export function createWorld(options: WorldOptions) {
  const { seed, troubles, note, databases, onChanged, awayMs, beganAt, logs } = options;
  const [pauses, choice] = [createRandom(seed, 41), createRandom(seed, 42)];
  const pauseMs = (): number => awayMs?.(agenda.now() - beganAt) ?? (pauses.chance(0.3) ? 0 : pauses.int(3_000));
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
  const oneOf = <Handle>(fleet: Fleet<Handle>): (Running<Handle> & { handle: Handle }) | undefined => {
    const able = fleet.running.filter(
      (one): one is Running<Handle> & { handle: Handle } => one.handle !== undefined && one.isStopping !== true,
    );
    return able.length === 0 ? undefined : choice.pick(able);
  };

  const requests = noteRequests();
  const agentClient = simulateAgents(seed, { isOver: troubles.isOver, requests });
  const execution = createFleet<Callee>({
    zone: "execution",
    note,
    pauseMs,
    start: async (life, publish) => {
      const parts = { databaseUrl: databases.execution, onLine: logOf(life.name), agentClient };
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
    send: (headers, body) => {
      const one = oneOf(verification);
      if (one === undefined) return Promise.resolve(0);
      return deliver(one, headers, body);
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
    const take = (): void =>
      void request(handle, { method: "POST", path: "/slack/events", headers, body }).then(resolve);
    runIn(life, () => agenda.plan(0, take));
  });
}

interface SimulatedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Passes a request to a listener like a server. Resolves with the status when the response is complete. */
function request(listener: RequestListener, { method, path, headers, body = "" }: SimulatedRequest): Promise<number> {
  const socket = new PassThrough() as unknown as Socket;
  const incoming = new IncomingMessage(socket);
  Object.assign(incoming, { method, url: path, httpVersion: "1.1", httpVersionMajor: 1, httpVersionMinor: 1 });
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

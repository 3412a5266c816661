import type { Version } from "@crosszone/a2a";
import { hitlUri, hopsHeader } from "@crosszone/agent-bridge";
import { ZoneError } from "@crosszone/contracts";
import type { Exchange } from "@crosszone/service-kit";
import { readTraceparent } from "@crosszone/service-kit/tracing";
import { type Agent, mayAsk } from "../../agents/agent.ts";
import type { AskedTask } from "../../tasks/ask/asked-task.ts";
import type { Asker, AskRequest } from "../../tasks/ask/asker.ts";
import type { AskRoutesDeps } from "../ask-routes-deps.ts";

/** Returns an agent. Throws `unknown_agent`, the same for one that does not exist and for one that the program may not ask. */
export function agentFor({ ask, rejected }: AskRoutesDeps, asker: Asker, name: string): Promise<Agent> {
  if (!mayAsk(asker, name)) rejected?.(asker, "a2a", { action: "ask.agent", because: "agent not allowed" });
  return ask.agent(asker, name);
}

/** A request of a program to an agent that it may ask. */
export type ProgramCall = Awaited<ReturnType<typeof openProgramCall>>;

/** Opens a call to the agent that an exchange is about. Throws `unknown_agent`. */
export async function openProgramCall(
  deps: AskRoutesDeps,
  exchange: Exchange,
  call: {
    readonly asker: Asker;
    readonly version: Version;
    /** Aborts when the client disconnects, or with an error when its program may no longer ask. */
    readonly signal: AbortSignal;
    /** Keeps the connection open while an answer takes its time. */
    readonly hold: () => void;
    readonly card: () => Promise<object>;
  },
) {
  const { ask, pageKey } = deps;
  const { asker } = call;
  const { headers } = exchange.request;
  const agent = await agentFor(deps, asker, exchange.about ?? "");
  const traceparent = readTraceparent(headers["traceparent"]);
  const request: AskRequest = { asker, surface: "a2a", correlationId: exchange.correlationId, traceparent };
  return {
    ...call,
    ask,
    pageKey,
    agent,
    request,
    /** Returns a task of this program and this agent. Throws `task_not_found`. */
    find: async (taskId: string): Promise<AskedTask> => {
      const task = await ask.find(asker, taskId);
      if (task.agent !== agent.name) throw new ZoneError("task_not_found", { task_id: taskId });
      return task;
    },
    key: textOf(headers["idempotency-key"]),
    hops: hopsOf(headers[hopsHeader]),
    hitl: wantsHitl(exchange),
    lastEvent: readEventId(textOf(headers["last-event-id"])),
  };
}

const textOf = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === "string" && header !== "" ? header : undefined;

const hopsOf = (header: string | readonly string[] | undefined): number =>
  typeof header === "string" && /^\d{1,4}$/.test(header) ? Number(header) : 0;

/** Whether the client knows the extension by which agents ask people. 0.3 has another name for the header. */
export const wantsHitl = ({ request: { headers } }: Exchange): boolean =>
  [headers["a2a-extensions"], headers["x-a2a-extensions"]]
    .join()
    .split(",")
    .some((uri) => uri.trim() === hitlUri);

/** A place in the events of a stream: after an event of the task, and after a number of the events into which the next one is divided. */
interface EventPlace {
  readonly seq: number;
  readonly parts: number;
}

/** Returns the place that an event id names: `12`, or `12.1`; undefined for another text. */
function readEventId(id: string | undefined): EventPlace | undefined {
  const [, seq, parts = "0"] = /^(\d{1,16})(?:\.(\d{1,2}))?$/.exec(id ?? "") ?? [];
  const place = { seq: Number(seq), parts: Number(parts) };
  return Number.isSafeInteger(place.seq) ? place : undefined;
}

export const eventId = ({ seq, parts }: EventPlace): string => (parts === 0 ? `${seq}` : `${seq}.${parts}`);

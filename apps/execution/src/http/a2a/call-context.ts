import type { Version } from "@crosszone/a2a";
import type { Agent } from "../../agents/agent.ts";
import type { AskedTask } from "../../ask/asked-task.ts";
import type { AskService } from "../../ask/ask-service.ts";
import type { AskRequest } from "../../ask/asker.ts";

/** A request of a program to an agent that it may ask. */
export interface CallContext {
  readonly ask: AskService;
  readonly request: AskRequest;
  readonly agent: Agent;
  readonly version: Version;
  readonly card: () => Promise<object>;
  /** Returns a task of this program and this agent. Throws `task_not_found`. */
  readonly find: (taskId: string) => Promise<AskedTask>;
  /** Signs page tokens. */
  readonly pageKey: Uint8Array;
  /** The `Idempotency-Key`. */
  readonly key: string | undefined;
  readonly hops: number;
  /** Whether the client knows the extension by which agents ask people. */
  readonly hitl: boolean;
  /** The `Last-Event-ID` of a stream that continues. */
  readonly lastEvent: EventPlace | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A place in the events of a stream: after an event of the task, and after a number of the events into which the next one is divided. */
export interface EventPlace {
  readonly seq: number;
  readonly parts: number;
}

/** Returns the place that an event id names: `12`, or `12.1`; undefined for another text. */
export function readEventId(id: string | undefined): EventPlace | undefined {
  const [, seq, parts = "0"] = /^(\d{1,16})(?:\.(\d{1,2}))?$/.exec(id ?? "") ?? [];
  const place = { seq: Number(seq), parts: Number(parts) };
  return Number.isSafeInteger(place.seq) ? place : undefined;
}

export const eventId = ({ seq, parts }: EventPlace): string => (parts === 0 ? `${seq}` : `${seq}.${parts}`);

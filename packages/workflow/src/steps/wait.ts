import type { eventWaitKind } from "@crosszone/agent-calls";
import { isoTime } from "@crosszone/service-kit/text";
import { WorkflowFault } from "../mapping/scope.ts";
import { asText } from "../mapping/template.ts";
import { type LeafKind, timedOut } from "./step-kind.ts";

/** The event that a step waits for. */
export interface EventAsk {
  readonly name: string;
  readonly key: string;
}

/** The output of a step that an event ended. `event`: its payload, any JSON; `at`: when it arrived, ISO 8601. */
export interface TakenEvent {
  readonly event: unknown;
  readonly at: string;
}

const ways = ["for_ms", "until", "event"] as const;

/** The longest wait, milliseconds: 400 days. */
const mostMs = 400 * 86_400_000;

/** Waits for a time or an event. */
export const wait: LeafKind<"wait"> = {
  form: "leaf",
  pausesDeadline: true,
  takes: "waits",
  job: "event_wait" satisfies typeof eventWaitKind,
  check: (step) => {
    const given = ways.filter((way) => step[way] !== undefined);
    if (given.length === 0) return [[[], `needs one of ${ways.join(", ")}`]];
    return given.slice(1).map((way) => [[way], `is too much: the step has ${String(given[0])}`]);
  },
  expressions: ({ until, event }) => [
    { kind: "mapping", value: until, keys: ["until"] },
    { kind: "mapping", value: event?.key, keys: ["event", "key"] },
  ],
  outputMembers: ["at", "event", "timed_out"],
  start: ({ for_ms = 0, until, event }, { at, resolve }) => {
    if (until !== undefined) return { due_at: momentOf(asText(resolve(until)), at), is_moment: true };
    if (event === undefined) return { due_at: at + for_ms };
    const { name, key, timeout_ms = mostMs } = event;
    return { call: { input: { name, key: asText(resolve(key)) } satisfies EventAsk }, due_at: at + timeout_ms };
  },
  whenDue: ({ id, event }, at) => {
    if (event === undefined) return { state: "succeeded", output: { at: isoTime(at) } };
    if (event.on_timeout === "continue") return { state: "succeeded", output: { timed_out: true } };
    return timedOut(`The event "${event.name}" did not arrive within the timeout of the step "${id}".`);
  },
  output: (_, { record }) => record.output ?? null,
};

/** Reads a time, ISO 8601 with an offset; returns Unix milliseconds. */
function momentOf(text: string, at: number): number {
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (moment <= at + mostMs) return moment;
  const given = JSON.stringify(text.slice(0, 60));
  const wrong = Number.isNaN(moment)
    ? `is not an ISO 8601 time with an offset, such as ${isoTime(at).slice(0, 10)}T09:00:00+01:00`
    : `is more than 400 days away: the latest time is ${isoTime(at + mostMs)}`;
  throw new WorkflowFault("mapping_failed", `\`until\` is ${given}, which ${wrong}.`);
}

import { startThread } from "@crosszone/service-kit";
import { PlanFault, WorkflowFault } from "../mapping/scope.ts";
import { createBlockingThread } from "../threads/blocking-thread.ts";
import { TimeLimitError } from "../threads/within-time.ts";
import {
  allCharactersOf,
  type ConditionValues,
  type FromConditionThread,
  mapValues,
  mostCharacters,
  overBudget,
  type SentValue,
  type ToConditionThread,
} from "./condition-values.ts";
import { evaluationMs, failed } from "./condition.ts";

/** More memory than a condition within its budget needs. A thread that needs more ends; the process continues. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** Timeout for one condition on the thread, including the transfer of its values, milliseconds. */
const answerMs = evaluationMs + 2_000;

interface Sent {
  readonly number: number;
  readonly characters: number;
}

/** The values that were sent in this turn of the event loop. The conditions of a loop's items all read the same, possibly large, input. */
let sent: Map<object, Sent> | undefined;
let characters = 0;

const thread = createBlockingThread<ToConditionThread, FromConditionThread>({
  start: (settings) =>
    startThread(import.meta.url, "./condition-thread", {
      workerData: settings,
      transferList: [settings.port],
      resourceLimits,
    }),
  onEnded: () => forget(),
});

function forget(): void {
  sent = undefined;
  characters = 0;
}

function forgetAll(): void {
  if (sent === undefined) return;
  forget();
  thread.notify({ type: "forget" });
}

export interface ConditionRequest {
  readonly expression: string;
  readonly variables: Iterable<string>;
  readonly values: ConditionValues;
}

/** Returns whether a condition holds, with bounded time and memory. Throws like `Condition.holds`. Blocks until its thread answers. */
export function evaluateOnThread({ expression, variables, values }: ConditionRequest): boolean {
  const sizes = sizesOf(values);
  const read = sizes.values().reduce((sum, size) => sum + size, 0);
  if (read > mostCharacters) throw failed(overBudget());
  // The thread never keeps more than one condition can read.
  if (characters + read > mostCharacters) forgetAll();
  const added = new Map<number, unknown>();
  const request = {
    type: "evaluate",
    expression,
    variables: [...variables],
    values: mapValues(values, (value) => send(value, { size: sizes.get(value) ?? 0, added })),
    added,
    characters: mostCharacters - read,
  } as const;
  const answer = requestAnswer(request);
  if ("isTrue" in answer) return answer.isTrue;
  if ("fault" in answer) throw new WorkflowFault("condition_failed", answer.fault);
  throw new PlanFault(answer.exhausted);
}

function requestAnswer(request: ToConditionThread): FromConditionThread {
  try {
    return thread.send(request, answerMs);
  } catch (error) {
    if (error instanceof TimeLimitError) throw new PlanFault(`A condition ${error.message}; make it compare less.`);
    throw error;
  }
}

/** Returns the size of each value in characters. A value that was already sent is not counted again. */
function sizesOf({ input, outputs, names }: ConditionValues): ReadonlyMap<unknown, number> {
  const all = new Set([input, ...outputs.values(), ...names.values()]);
  const sizeOf = (value: unknown): number =>
    sent?.get(value as object)?.characters ?? allCharactersOf(value, mostCharacters);
  return new Map(Array.from(all, (value) => [value, sizeOf(value)]));
}

function send(
  value: unknown,
  { size, added }: { readonly size: number; readonly added: Map<number, unknown> },
): SentValue {
  if (typeof value !== "object" || value === null) return { value };
  if (sent === undefined) setImmediate(forgetAll);
  sent ??= new Map();
  const known = sent.get(value);
  if (known) return { sent: known.number };
  const number = sent.size;
  sent.set(value, { number, characters: size });
  characters += size;
  added.set(number, value);
  return { sent: number };
}

import { startThread } from "@crosszone/service-kit";
import { PlanFault } from "../plan-fault.ts";
import { createBlockingThread } from "../threads/blocking-thread.ts";
import { TimeLimitError } from "../within-time.ts";
import { WorkflowFault } from "../workflow-fault.ts";
import { allCharactersOf, mostCharacters, overBudget } from "./condition-budget.ts";
import type { FromConditionThread, SentValue, ToConditionThread } from "./condition-messages.ts";
import { mapValues, type ConditionValues } from "./condition-values.ts";
import { evaluationMs, failed } from "./condition.ts";

/** More than what conditions may read and make takes; a thread that needs more ends, and the process does not. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** How long the thread may take for one condition, milliseconds, with what is sent to it. */
const answerMs = evaluationMs + 2_000;

interface Sent {
  readonly number: number;
  readonly characters: number;
}

/** What was sent since the event loop turned: the conditions of all items of a loop ask for the same input, which may be large. */
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

function forgetAndTell(): void {
  if (sent === undefined) return;
  forget();
  thread.tell({ type: "forget" });
}

export interface AskedCondition {
  readonly expression: string;
  readonly variables: Iterable<string>;
  readonly values: ConditionValues;
}

/** Whether a condition holds, with its time and memory bounded. Throws as `Condition.holds` does. Waits for a thread of its own. */
export function evaluateOnThread({ expression, variables, values }: AskedCondition): boolean {
  const sizes = sizesOf(values);
  const read = sizes.values().reduce((sum, size) => sum + size, 0);
  if (read > mostCharacters) throw failed(overBudget());
  // The thread never keeps more than one condition may read.
  if (characters + read > mostCharacters) forgetAndTell();
  const added = new Map<number, unknown>();
  const question = {
    type: "evaluate",
    expression,
    variables: [...variables],
    values: mapValues(values, (value) => send(value, { size: sizes.get(value) ?? 0, added })),
    added,
    characters: mostCharacters - read,
  } as const;
  const answer = ask(question);
  if ("isTrue" in answer) return answer.isTrue;
  if ("fault" in answer) throw new WorkflowFault("condition_failed", answer.fault);
  throw new PlanFault(answer.exhausted);
}

function ask(question: ToConditionThread): FromConditionThread {
  try {
    return thread.ask(question, answerMs);
  } catch (error) {
    if (error instanceof TimeLimitError) throw new PlanFault(`A condition ${error.message}; compare less in it.`);
    throw error;
  }
}

/** How many characters each value holds, counted once while it is known. */
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
  if (sent === undefined) setImmediate(forgetAndTell);
  sent ??= new Map();
  const known = sent.get(value);
  if (known) return { sent: known.number };
  const number = sent.size;
  sent.set(value, { number, characters: size });
  characters += size;
  added.set(number, value);
  return { sent: number };
}

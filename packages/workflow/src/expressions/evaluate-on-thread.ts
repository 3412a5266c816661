import { createRequestThread } from "../request-thread.ts";
import {
  allCharactersOf,
  type ConditionAnswer,
  type ConditionRequest,
  type ConditionValues,
  mapValues,
  mostCharacters,
  overBudget,
  type SentValue,
  type ToConditionThread,
} from "./condition-values.ts";
import { evaluationMs, conditionFault } from "./condition.ts";

/** Timeout for one condition on the thread, including the transfer of its values and the start of the thread, milliseconds. */
const answerMs = evaluationMs + 10_000;

const request = createRequestThread<ToConditionThread, ConditionAnswer>({
  module: "./condition-thread",
  importer: import.meta.url,
  answerMs,
});

/** The values that the thread keeps. The conditions of a loop's items all read the same, possibly large, input. */
const sent = new Map<unknown, { readonly number: number; readonly characters: number }>();
let characters = 0;
let isFresh = true;

function forget(): void {
  sent.clear();
  characters = 0;
  isFresh = true;
}

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** Evaluates a condition with bounded time and memory, after those that were requested before. Never throws. */
export function evaluateOnThread(asked: ConditionRequest): Promise<ConditionAnswer> {
  waiting += 1;
  const answer = last
    .then(() => evaluate(asked))
    .finally(() => {
      waiting -= 1;
      // Large values are not kept for conditions that may never come.
      if (waiting === 0) forget();
    });
  last = answer;
  return answer;
}

async function evaluate({ expression, variables, values }: ConditionRequest): Promise<ConditionAnswer> {
  const sizes = sizesOf(values);
  const read = sizes.values().reduce((sum, size) => sum + size, 0);
  if (read > mostCharacters) return { fault: conditionFault(overBudget()).message };
  // The thread never keeps more than one condition can read.
  if (characters + read > mostCharacters) forget();
  const added = new Map<number, unknown>();
  const numbered = mapValues(values, (value) => numberOf(value, { size: sizes.get(value) ?? 0, added }));
  const message = { expression, variables, values: numbered, isFresh, added, characters: mostCharacters - read };
  isFresh = false;
  try {
    return await request(message);
  } catch (error) {
    forget();
    return { exhausted: `A condition ${(error as Error).message}; make it compare less.` };
  }
}

/** Returns the size of each value in characters. A value that was already sent is not counted again. */
function sizesOf({ input, outputs, names }: ConditionValues): ReadonlyMap<unknown, number> {
  const all = new Set([input, ...outputs.values(), ...names.values()]);
  const sizeOf = (value: unknown): number => sent.get(value)?.characters ?? allCharactersOf(value, mostCharacters);
  return new Map(Array.from(all, (value) => [value, sizeOf(value)]));
}

function numberOf(
  value: unknown,
  { size, added }: { readonly size: number; readonly added: Map<number, unknown> },
): SentValue {
  if (typeof value !== "object" || value === null) return { value };
  const known = sent.get(value);
  if (known) return { sent: known.number };
  const number = sent.size;
  sent.set(value, { number, characters: size });
  characters += size;
  added.set(number, value);
  return { sent: number };
}

/** Timeout for all conditions of one event, milliseconds. */
const mostMs = 8_000;

/** Conditions of one event, by step and attempt. */
export type ConditionAsks = ReadonlyMap<string, ConditionRequest>;
export type ConditionAnswers = Map<string, ConditionAnswer>;

/**
 * Evaluates conditions one after the other, and adds the answers. Each run has at most one condition on the thread, so that runs alternate. `usedMs`:
 * the time that earlier conditions of the event took. Returns the time after these.
 */
export async function answerConditions(
  asks: ConditionAsks,
  answers: ConditionAnswers,
  usedMs: number,
): Promise<number> {
  let total = usedMs;
  for (const [key, asked] of asks) {
    const startedAt = performance.now();
    const tooLong = { exhausted: `Conditions took longer than ${String(mostMs)} ms together. Simplify them.` };
    answers.set(key, total > mostMs ? tooLong : await evaluateOnThread(asked));
    total += performance.now() - startedAt;
  }
  return total;
}

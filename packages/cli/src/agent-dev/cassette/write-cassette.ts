import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../../program/errors.ts";
import type { AgentAnswer } from "../talk/agent-answer.ts";
import { createCleaner, type ModelExchange } from "../model/model-exchange.ts";
import type { Turn } from "../wire/conversations.ts";
import type { Cassette, CassetteAnswer, Judgement } from "./cassette.ts";

export interface Recording {
  readonly name: string;
  readonly turns: readonly Turn[];
  /** All that were recorded; those outside of the conversation's time are left out. */
  readonly models: readonly ModelExchange[];
}

/** Returns a conversation as a cassette that expects the same answer again. Throws a `UsageError` when it has no answer. */
export function cassetteOf({ name, turns, models }: Recording): Cassette {
  const answer = turns.at(-1)?.answer;
  if (answer === undefined)
    throw new UsageError("There is no answered conversation to save. Ask a question first, and wait for its answer.");
  const wire = turns.flatMap(({ exchanges }) => exchanges);
  const from = wire[0]?.at ?? "";
  const until = Math.max(...wire.map(({ at, duration_ms = 0 }) => Date.parse(at) + duration_ms));
  return {
    name,
    recorded_at: from,
    messages: turns.map(({ message }) => message),
    answer: recordedAnswer(answer),
    expect: expectationsOf(answer),
    wire,
    model: models.filter(({ at }) => at >= from && Date.parse(at) <= until),
  };
}

export function recordedAnswer({ state, text, data, files }: AgentAnswer): CassetteAnswer {
  return { state, text, ...(data.length > 0 && { data }), ...(files.length > 0 && { files }) };
}

/** Returns the judgements of a new cassette: the same state, text and data. */
export function expectationsOf({ state, text, data }: AgentAnswer): readonly Judgement[] {
  return [
    ...(state === "completed" ? [] : [{ state }]),
    ...(text === "" ? [] : [{ exact: text }]),
    ...(data.length === 0 || text !== "" ? [] : [{ exact: data }]),
  ];
}

/** Returns the file of a cassette: `<folder>/<name>.json`, or the name itself when it is a path of a .json file. */
export function cassettePath(folder: string, name: string): string {
  if (name.endsWith(".json")) return name;
  if (!/^[\w][\w .-]*$/.test(name))
    throw new UsageError(`A cassette's name has letters, digits, "-", "_" and ".", got "${name}".`);
  return join(folder, "cassettes", `${name}.json`);
}

/** Writes a cassette without secrets. */
export function writeCassette(path: string, cassette: Cassette, secrets: readonly string[]): void {
  const text = createCleaner(secrets)(JSON.stringify(cassette));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
}

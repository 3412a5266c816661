import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { UsageError } from "../program/errors.ts";
import { readJson } from "../text/read-json.ts";

/**
 * Reads the input of a run: JSON, `@file` with JSON, or `-` for JSON from the standard input, overridden by any number of `key=value`
 * members. Returns undefined when none is given. Throws a `UsageError` when an input can't be read.
 */
export async function readInput(
  given: readonly string[],
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<{ readonly input?: unknown }> {
  const pairs = given.map(asPair);
  const documents = given.filter((_, index) => pairs[index] === undefined);
  const [document, second] = documents;
  if (second !== undefined) throw new UsageError("Only one --input can be a document. Use key=value for the others.");
  const members = pairs.filter((pair) => pair !== undefined);
  if (document === undefined) return members.length === 0 ? {} : { input: Object.fromEntries(members) };
  const input = await readDocument(document, stdin);
  if (members.length === 0) return { input };
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new UsageError("key=value needs an object to add to, and the input is not an object.");
  return { input: Object.fromEntries([...Object.entries(input), ...members]) };
}

async function readDocument(given: string, stdin: AsyncIterable<Uint8Array | string>): Promise<unknown> {
  if (given === "-") return parse(await text(stdin), "The standard input");
  if (given.startsWith("@")) return parse(await readText(given.slice(1)), given.slice(1));
  const read = readJson(given);
  if ("value" in read) return read.value;
  if (read.changed !== undefined) throw new UsageError(`--input can't be used: ${read.problem}.`);
  throw new UsageError(
    `--input "${given}" is neither JSON (${read.problem}) nor key=value. Quote a plain text as '"text"', or read a file with @file.`,
  );
}

function parse(content: string, where: string): unknown {
  const read = readJson(content);
  if ("value" in read) return read.value;
  throw new UsageError(
    read.changed !== undefined ? `${where} can't be used: ${read.problem}.` : `${where} is not JSON: ${read.problem}`,
  );
}

async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  });
}

/** A value that is JSON keeps its type. Any other is text, including a number that would change. */
function asPair(given: string): readonly [string, unknown] | undefined {
  const [, key, value = ""] = /^([^=\s{}[\]"@-][^=\s{}[\]"]*)=(.*)$/s.exec(given) ?? [];
  if (key === undefined) return undefined;
  const read = readJson(value);
  if ("value" in read) return [key, read.value];
  if (typeof read.changed === "object") throw new UsageError(`--input ${key} can't be used: ${read.problem}.`);
  return [key, value];
}

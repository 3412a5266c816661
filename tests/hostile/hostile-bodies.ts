import { readFileSync } from "node:fs";
import { readCases } from "@crosszone/contracts/corpus";
import { createRandom, type Random } from "../harness/random.ts";
import { envelopes, largeValues, memberNames, nesting, severalMessages, truncations } from "./corpus/requests.ts";
import { encodings, numbers, strings, syntaxErrors } from "./corpus/texts.ts";
import type { HostileBody } from "./hostile-body.ts";
import { mutateBytes, mutateValue } from "./mutations.ts";

/** All bodies of an idea. `createHostileBodies` generates others. The largest come first: the first memory that a run measures has held them. */
const corpus: readonly HostileBody[] = [
  ...envelopes,
  ...severalMessages,
  ...memberNames,
  ...syntaxErrors,
  ...numbers,
  ...strings,
  ...encodings,
  ...truncations,
  ...nesting,
  ...largeValues,
].toSorted((one, other) => other.bytes.length - one.bytes.length);

/** The contract's methods with the schemas of their params. */
const table = readFileSync(new URL("../../schemas/methods.json", import.meta.url), "utf8");
const methods = Object.entries(JSON.parse(table) as Record<string, { readonly params: string }>);

/** Requests for each valid and invalid case of a method's params, and each case of a whole request. */
const fixtureRequests: readonly unknown[] = [
  ...methods.flatMap(([method, { params: file }]) =>
    read(file.replace(".schema.json", "")).map((value, index) => {
      const params = unwaiting(value);
      return { jsonrpc: "2.0", method, params, id: `${method}-${index}` };
    }),
  ),
  ...read("jsonrpc/zone-request"),
  ...read("jsonrpc/request"),
];

/** Most requests wait for no news: a hundred thousand of them would take days. */
function unwaiting(params: unknown): unknown {
  const waits = typeof params === "object" && params !== null && "wait_ms" in params && params.wait_ms !== null;
  return waits && Number(params.wait_ms) > 10 ? { ...params, wait_ms: 10 } : params;
}

function read(schema: string): unknown[] {
  return readCases(schema).map(({ value }) => value);
}

/** Start values for mutations, in addition to real requests. Large ones would only slow the run down. */
const small = corpus.filter(({ bytes }) => bytes.length <= 1_500);

/**
 * Returns a function that returns body `number` of a seed, always the same one: first the corpus, then mutants of cases and of the corpus. Some
 * mutants are valid requests.
 */
export function createHostileBodies(seed: number): (number: number) => HostileBody {
  return (number) => {
    const thought = corpus[number];
    if (thought !== undefined) return thought;
    const random = createRandom(seed, number);
    return breakRequest(withId(random.pick(fixtureRequests), `${seed}-${number}`), random, fixtureRequests);
  };
}

/** Returns a request as it is, or broken as a value or as bytes, or a body of the corpus instead of it. */
export function breakRequest(request: unknown, random: Random, others: readonly unknown[]): HostileBody {
  const other = random.pick(others);
  const dice = random.int(100);
  if (dice < 10) return { name: "as it is", bytes: written(request, random) };
  if (dice < 15) return random.pick(small);
  if (dice < 60) {
    const { value, how } = mutateValue(request, random, other);
    return { name: how, bytes: written(value, random) };
  }
  const either = (value: unknown): Buffer =>
    random.chance(0.2) ? Buffer.from(random.pick(small).bytes) : written(value, random);
  const { bytes, how } = mutateBytes(either(request), random, either(other));
  return { name: how, bytes };
}

/** Gives nearly every request its own id, since the same id means the same task. */
function withId(request: unknown, id: string): unknown {
  const isObject = typeof request === "object" && request !== null && !Array.isArray(request);
  return isObject && "id" in request ? { ...request, id } : request;
}

function written(value: unknown, random: Random): Buffer {
  return Buffer.from(JSON.stringify(value, null, random.chance(0.1) ? "\t" : 0) ?? "");
}

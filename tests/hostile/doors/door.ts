import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { bodies, forms, type Growth, growthsOf, type schemaAt, texts } from "./growths.ts";

/** A request, as it is sent. */
export interface Sendable {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Door {
  readonly name: string;
  readonly zone: "execution" | "verification";
  /** Of an operation of the API, once. */
  readonly operation?: { readonly template: string; readonly method: string; readonly query: readonly string[] };
  /** Returns the harmless request; a body is filled with spaces to a length. */
  readonly plain: (length?: number) => Sendable;
  /** `most`: the longest body that the door takes, which only asking it tells. */
  readonly growths: (most: number) => Iterable<Growth<Sendable>>;
}

const root = resolve(import.meta.dirname, "../../..");
export const sourcesOf = (...patterns: string[]): string =>
  globSync(patterns, { cwd: root, exclude: (path) => /\.test\.|testing|browser/.test(path) })
    .map((file) => readFileSync(resolve(root, file), "utf8"))
    .join("\n");
export const found = (text: string, pattern: RegExp): readonly RegExpExecArray[] => [...text.matchAll(pattern)];

/** Every header that a zone reads, but those that end a request or its connection. */
const headerNames = new Set(
  found(
    sourcesOf("apps/*/src/**/*.ts", "packages/{admin-api,service-kit,a2a}/src/**/*.ts"),
    /[hH]eaders(?:Distinct)?(?:\?\.|\.|\[")([a-z]+(?:-[a-z]+)*)/g,
  )
    .map(([, name = ""]) => name)
    .filter(
      (name) => !/^(content-(length|encoding)|get|has|set|append|host|expect|connection|transfer-encoding)$/.test(name),
    ),
);

/** The longest request line and header, with room for the rest of it. */
const mostHeader = 15_000;

/** Returns a door whose callers choose its query, the last name of its path, and its headers. */
export function readingDoor(
  name: string,
  plain: () => Sendable,
  { query = [], headers = [] }: { readonly query?: readonly string[]; readonly headers?: readonly string[] } = {},
): Door {
  const at = (change: (url: string) => string): Sendable => ({ ...plain(), url: change(plain().url) });
  const saying = (more: Sendable["headers"]): Sendable => ({ ...plain(), headers: { ...plain().headers, ...more } });
  /** Few things read these texts, and no more than so long ones. */
  const short = (place: string, most: number, write: (text: string) => Sendable) =>
    texts(place, most, write).slice(0, 3);
  function* growths(): Generator<Growth<Sendable>> {
    for (const one of query)
      yield* short(`?${one}`, mostHeader / 3, (text) => at((url) => `${url}?${one}=${encodeURIComponent(text)}`));
    for (const [how, write] of Object.entries(forms))
      yield { name: `?${how}`, most: mostHeader, at: (size) => at((url) => `${url}?${write(size)}`) };
    yield* short("path", mostHeader / 3, (text) => at((url) => url.replace(/[^/]*$/, encodeURIComponent(text))));
    for (const one of [...headers.map((header) => header.toLowerCase()), ...headerNames])
      yield* short(one, mostHeader, (text) => saying({ [one]: text }));
    const many = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, n) => [`x-${n}`, "a"]));
    yield { name: "headers", most: 500, at: (size) => saying(many(size)) };
  }
  return { name, zone: "execution", plain, growths };
}

interface Body {
  /** A text is sent as it is. */
  readonly sample: unknown;
  readonly schemas?: readonly ReturnType<typeof schemaAt>[];
  /** Puts a value into the frame of its protocol. */
  readonly wrap?: (value: unknown) => unknown;
  readonly others?: typeof bodies;
}

/** Returns a door whose callers choose its body. */
export function bodyDoor(
  name: string,
  at: (body: string) => Sendable,
  { sample, schemas = [], wrap = (value) => value, others = bodies }: Body,
): Door {
  const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(wrap(value)));
  function* growths(most: number): Generator<Growth<Sendable>> {
    const room = most - text(sample).length - 200;
    const inside = typeof sample === "string" ? [] : growthsOf(sample, schemas, room);
    for (const one of inside) yield { ...one, at: (size) => at(text(one.at(size))) };
    for (const [how, write] of Object.entries(others)) yield { name: how, most, at: (size) => at(write(size)) };
  }
  return { name, zone: "execution", plain: (length = 0) => at(text(sample).padEnd(length)), growths };
}

export const jsonType = { "content-type": "application/json", accept: "application/json, text/event-stream" };
export const formType = { "content-type": "application/x-www-form-urlencoded" };

/** Returns a function that returns a POST request with a body. */
export const posting =
  (url: string, headers: () => Sendable["headers"], method = "POST") =>
  (body: string): Sendable => ({ method, url, headers: headers(), body });

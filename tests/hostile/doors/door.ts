import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { forms, type Growth, growthsOf, jsonBodies, type schemaAt, texts } from "./growths.ts";

/** A request, as it is sent. */
export interface Sendable {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A way into a zone, and how what comes through it can grow. `most`: the longest body that the door takes, which only asking it tells. */
export interface Door {
  readonly name: string;
  /** Returns the harmless request; a body is padded with spaces to a length. */
  readonly plain: (length?: number) => Sendable;
  readonly growths: (most: number) => Iterable<Growth<Sendable>>;
}

/** The longest request line and header, with room for the rest of it. */
const mostHeader = 15_000;

const root = resolve(import.meta.dirname, "../../..");

/** The headers that sources read, but those that end a request or a connection. */
const headerNames: readonly string[] = [
  ...new Set(
    globSync(["apps/*/src/**/*.ts", "packages/{admin-api,service-kit,a2a}/src/**/*.ts"], { cwd: root })
      .filter((file) => !/test|browser/.test(file))
      .flatMap((file) => [
        ...readFileSync(resolve(root, file), "utf8").matchAll(/[hH]eaders(?:Distinct)?(?:\?\.|\.|\[")([a-z][a-z-]+)/g),
      ])
      .map(([, name = ""]) => name),
  ),
].filter(
  (name) =>
    !/^(content-length|get|has|set|append|host|expect|connection|transfer-encoding|content-encoding|location)$/.test(
      name,
    ),
);

/** Returns a door whose callers choose its query, its path's last name and its headers. */
export function readingDoor(
  name: string,
  plain: () => Sendable,
  { query, headers }: { readonly query: readonly string[]; readonly headers: readonly string[] },
): Door {
  const inQuery = (text: string): Sendable => ({ ...plain(), url: `${plain().url}?${text}` });
  const withHeader =
    (header: string) =>
    (text: string): Sendable => ({
      ...plain(),
      headers: { ...plain().headers, [header]: text.replaceAll("\n", "\t") },
    });
  return {
    name,
    plain,
    *growths() {
      for (const one of query)
        yield* texts(`?${one}`, mostHeader / 3, (text) => inQuery(`${one}=${encodeURIComponent(text)}`), true);
      for (const [how, write] of Object.entries(forms))
        yield { name: `?${how}`, most: mostHeader, at: (size) => inQuery(write(size)) };
      yield* texts(
        "path",
        mostHeader / 3,
        (text) => ({
          ...plain(),
          url: `${plain().url.replace(/\/[^/]*$/, "")}/${encodeURIComponent(text)}`,
        }),
        true,
      );
      for (const header of new Set([...headers, ...headerNames]))
        yield* texts(header, mostHeader, withHeader(header.toLowerCase()), true);
      yield {
        name: "headers",
        most: 500,
        at: (size) => ({
          ...plain(),
          headers: {
            ...plain().headers,
            ...Object.fromEntries(Array.from({ length: size }, (_, n) => [`x-${n}`, "a"])),
          },
        }),
      };
    },
  };
}

interface Body {
  /** Sent as it is when it is a text. */
  readonly sample: unknown;
  readonly schemas: readonly ReturnType<typeof schemaAt>[];
  /** Puts a value into the frame of its protocol. */
  readonly wrap?: (value: unknown) => unknown;
  readonly bodies?: typeof jsonBodies;
}

/** Returns a door whose callers choose its body. */
export function jsonDoor(
  name: string,
  at: (body: string) => Sendable,
  { sample, schemas, wrap = (value) => value, bodies = jsonBodies }: Body,
): Door {
  const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(wrap(value)));
  return {
    name,
    plain: (length = 0) => at(text(sample).padEnd(length)),
    *growths(most) {
      const room = most - text(sample).length - 200;
      for (const { name: place, most: largest, at: grown } of growthsOf(
        typeof sample === "string" ? undefined : sample,
        schemas,
        room,
      ))
        yield { name: place, most: largest, at: (size) => at(text(grown(size))) };
      for (const [how, write] of Object.entries(bodies)) yield { name: how, most, at: (size) => at(write(size)) };
    },
  };
}

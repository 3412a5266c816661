import { isDeepStrictEqual } from "node:util";
import type { OpenApiDocument } from "./open-api-document.ts";

type Members = Readonly<Record<string, unknown>>;

/**
 * Makes one document of several. A component that is in more than one has to be the same in all of them, and a path is in one only; otherwise
 * it throws, since the document would say what is not so.
 */
export function mergeDocuments(first: OpenApiDocument, others: readonly OpenApiDocument[]): OpenApiDocument {
  const all = [first, ...others];
  const sections = new Set(all.flatMap(({ components }) => Object.keys(components)));
  return {
    ...first,
    paths: mergeMembers(
      all.map(({ paths }) => paths),
      () => false,
    ) as OpenApiDocument["paths"],
    components: Object.fromEntries(
      [...sections].map((section) => [
        section,
        mergeMembers(
          all.map(({ components }) => components[section] ?? {}),
          isDeepStrictEqual,
        ),
      ]),
    ),
  };
}

function mergeMembers(all: readonly Members[], mayMeet: (one: unknown, other: unknown) => boolean): Members {
  const merged = new Map<string, unknown>();
  for (const [name, member] of all.flatMap(Object.entries<unknown>)) {
    if (merged.has(name) && !mayMeet(merged.get(name), member))
      throw new Error(`two parts of the API say what ${name} is: name one of them otherwise`);
    merged.set(name, member);
  }
  return Object.fromEntries(merged);
}

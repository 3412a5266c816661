import { isDeepStrictEqual } from "node:util";
import type { OpenApiDocument } from "./open-api-document.ts";

type Members = Readonly<Record<string, unknown>>;

/** Merges several documents. Throws if a component differs between documents, or a path is in more than one. */
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
      throw new Error(`two parts of the API define ${name}: rename one of them`);
    merged.set(name, member);
  }
  return Object.fromEntries(merged);
}

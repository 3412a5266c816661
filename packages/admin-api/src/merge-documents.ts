import { isDeepStrictEqual } from "node:util";
import { apiMethods, type ApiPart, type OpenApiDocument } from "./api-part.ts";

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

/** Throws unless a part serves exactly what its document describes. `/openapi.json` is served for all parts. */
export function checkServed({ document, paths }: ApiPart): void {
  const said = operationsOf(document.paths);
  const served = operationsOf(paths);
  const wrong = [
    ...[...said].filter((line) => !served.has(line)).map((line) => `${line} is in the document but not served`),
    ...[...served].filter((line) => !said.has(line)).map((line) => `${line} is served but not in the document`),
  ];
  if (wrong.length > 0) throw new Error(wrong.join("; "));
}

function operationsOf(paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Set<string> {
  const all = Object.entries(paths).flatMap(([template, path]) =>
    apiMethods.filter((method) => method in path).map((method) => `${method.toUpperCase()} ${template}`),
  );
  return new Set(all);
}

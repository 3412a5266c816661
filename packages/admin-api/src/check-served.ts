import { apiMethods, type ApiPart } from "./api-part.ts";

/** Throws unless a part serves what its document says, and nothing else. `/openapi.json` is served for all of them. */
export function checkServed({ document, paths }: ApiPart): void {
  const said = operationsOf(document.paths);
  const served = operationsOf(paths);
  const wrong = [
    ...[...said].filter((line) => !served.has(line)).map((line) => `${line} is in the document and not served`),
    ...[...served].filter((line) => !said.has(line)).map((line) => `${line} is served and not in the document`),
  ];
  if (wrong.length > 0) throw new Error(wrong.join("; "));
}

function operationsOf(paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Set<string> {
  const all = Object.entries(paths).flatMap(([template, path]) =>
    apiMethods.filter((method) => method in path).map((method) => `${method.toUpperCase()} ${template}`),
  );
  return new Set(all);
}

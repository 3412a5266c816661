import { apiMethods, type ApiPart } from "./api-part.ts";

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

import type { ConformanceReport } from "@crosszone/contracts";
import { UsageError } from "../program/errors.ts";

/** Reads `--header "Name: value"` and `--bearer env:NAME`. Throws a `UsageError` that never has a value. */
export function readHeaders(
  { header = [], bearer }: { readonly header?: readonly string[] | undefined; readonly bearer?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Headers {
  const headers = new Headers();
  for (const line of header) {
    const [, name = "", value = ""] = /^([^:\s]+):\s*(.+)$/.exec(line) ?? [];
    try {
      headers.append(name, value);
    } catch (error) {
      throw new UsageError('--header must be "Name: value", such as "X-Api-Key: …".', { cause: error });
    }
  }
  if (bearer === undefined) return headers;
  const [, name] = /^env:(\w+)$/.exec(bearer) ?? [];
  if (name === undefined) throw new UsageError("--bearer must be env:NAME, the name of an environment variable.");
  const token = env[name];
  if (!token) throw new UsageError(`--bearer names the environment variable ${name}, which is not set.`);
  headers.set("authorization", `Bearer ${token}`);
  return headers;
}

/** Returns a `fetch` that adds the headers to requests for the origin of `url`, and to no others. */
export function fetchWith(headers: Headers, url: string): typeof globalThis.fetch {
  const { origin } = new URL(url);
  return async (input, init) => {
    const request = new Request(input, init);
    if (new URL(request.url).origin === origin) for (const [name, value] of headers) request.headers.set(name, value);
    return fetch(request);
  };
}

/** Replaces the credentials in a report, where the agent repeats them. */
export function withoutSecrets(report: ConformanceReport, headers: Headers): ConformanceReport {
  const values = [...headers.values()].flatMap((value) => [value, ...value.split(/\s+/).slice(1)]);
  const written = values.filter(({ length }) => length >= 4).map((value) => JSON.stringify(value).slice(1, -1));
  const text = written.reduce((whole, value) => whole.replaceAll(value, "[secret]"), JSON.stringify(report));
  return JSON.parse(text) as ConformanceReport;
}

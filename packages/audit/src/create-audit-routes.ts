import {
  type ApiAnswer,
  type ApiExchange,
  type ApiPart,
  moment,
  page,
  type QueryMember,
  readQuery,
  SharedProblem,
  text,
  textThat,
} from "@crosszone/admin-api";
import { openApi } from "@crosszone/contracts/openapi";
import { answerAudit, type AuditQuery, type ReadDeps } from "./read-audit.ts";

const number: QueryMember<number | undefined> = (value, wrong) => {
  if (value !== undefined && !/^[1-9]\d{0,14}$/.test(value)) wrong("must be a whole number above 0");
  return value === undefined ? undefined : Number(value);
};

const eventsQuery = {
  limit: page.limit,
  actor: text,
  action: text,
  target: text,
  since: moment,
  until: moment,
  before: number,
};

const isFormat = (value: unknown): value is "jsonl" | "ocsf" => value === "jsonl" || value === "ocsf";
const exportQuery = { format: textThat(isFormat, "must be jsonl or ocsf") };

/** Reads the query of a path's URL. Throws a `SharedProblem`. */
export const auditQueries = {
  "/audit/events": (url) => ({ read: "events", ...readQuery(url, eventsQuery) }),
  "/audit/export": (url) => ({ read: "export", ...readQuery(url, exportQuery) }),
  "/audit/checkpoint": (url) => ({ read: "checkpoint", ...readQuery(url, {}) }),
} satisfies Record<string, (url: string | undefined) => AuditQuery>;

/** Creates the part of the API that reads the audit log. */
export function createAuditRoutes(deps: ReadDeps): ApiPart {
  const answer =
    (queryOf: (exchange: ApiExchange) => AuditQuery) =>
    async (exchange: ApiExchange): Promise<ApiAnswer> => {
      const answered = await answerAudit(deps, queryOf(exchange));
      if ("lines" in answered) return { lines: answered.lines, contentType: "application/x-ndjson" };
      if (answered.body === undefined)
        throw new SharedProblem("not_found", "The event is unknown, or no checkpoint covers it yet.");
      return { status: 200, body: answered.body };
    };
  return {
    document: openApi("audit"),
    paths: {
      ...Object.fromEntries(
        Object.entries(auditQueries).map(([path, read]) => [path, { get: answer(({ request }) => read(request.url)) }]),
      ),
      "/audit/events/{event_id}/receipt": {
        get: answer(({ params, request }) => {
          readQuery(request.url, {});
          return { read: "receipt", eventId: params["event_id"] ?? "" };
        }),
      },
    },
  };
}

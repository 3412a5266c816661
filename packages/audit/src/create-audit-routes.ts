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
  trueOrFalse,
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
  reads: trueOrFalse,
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

/** Returns a query of events with the actors that a text means: `type:id`, or a person's id or name. */
async function withActors(query: AuditQuery, idsOf: (name: string) => Promise<readonly string[]>): Promise<AuditQuery> {
  if (query.read !== "events" || query.actor === undefined || query.actor.includes(":")) return query;
  const ids = await idsOf(query.actor);
  return { ...query, actor: undefined, actors: (ids.length > 0 ? ids : [query.actor]).map((id) => `person:${id}`) };
}

/** Creates the part of the API that reads the audit log. `idsOf`: returns the people whom a name means. */
export function createAuditRoutes(deps: ReadDeps, idsOf: Parameters<typeof withActors>[1] = async () => []): ApiPart {
  const answer =
    (queryOf: (exchange: ApiExchange) => AuditQuery) =>
    async (exchange: ApiExchange): Promise<ApiAnswer> => {
      const answered = await answerAudit(deps, await withActors(queryOf(exchange), idsOf));
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

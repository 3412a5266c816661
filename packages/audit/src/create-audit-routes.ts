import { type ApiPart, ApiProblem, cursorOf, queryReader, ApiReply, serveApi } from "@crosszone/admin-api";
import type { AuditEventList, AuditHead, AuditReceipt, ServedOperations } from "@crosszone/contracts";
import { type EventsQuery, exportAudit, listEvents, type ReadDeps, readHead, receiptOf } from "./read-audit.ts";

/** A request to read the audit log. */
type AuditQuery =
  | ({ readonly read: "events" } & EventsQuery)
  | { readonly read: "export"; readonly format?: "jsonl" | "ocsf" | undefined }
  | { readonly read: "checkpoint" }
  | { readonly read: "receipt"; readonly eventId: string };

/** The body of an answer, undefined if what was asked for does not exist, or the lines of an export. */
type AuditAnswer =
  { readonly body: AuditEventList | AuditHead | AuditReceipt | undefined } | { readonly lines: AsyncIterable<string> };

/** Answers a request to read the audit log, for the API of either zone. */
export async function answerAudit(deps: ReadDeps, query: AuditQuery): Promise<AuditAnswer> {
  if (query.read === "events") {
    const { events, next } = await listEvents(deps, query);
    return { body: { events, next_cursor: next === undefined ? undefined : cursorOf("listAuditEvents", [next]) } };
  }
  if (query.read === "checkpoint") return { body: await readHead(deps) };
  await deps.sign?.();
  if (query.read === "export") return { lines: exportAudit(deps, query.format) };
  return { body: await receiptOf(deps, query.eventId) };
}

const eventsOf = ({ cursor, ...query }: ServedOperations["listAuditEvents"]["query"]) =>
  ({ read: "events", ...query, before: cursor?.[0] }) as const;

const [readEvents, readExport, readCheckpoint] = [
  queryReader("audit", "listAuditEvents"),
  queryReader("audit", "exportAudit"),
  queryReader("audit", "getAuditCheckpoint"),
];

/** Reads the query of a path's URL. Throws an `ApiProblem`. */
export const auditQueries = {
  "/audit/events": (url) => eventsOf(readEvents(url)),
  "/audit/export": (url) => ({ read: "export", ...readExport(url) }),
  "/audit/checkpoint": (url) => ({ read: "checkpoint", ...readCheckpoint(url) }),
} satisfies Record<string, (url: string | undefined) => AuditQuery>;

type IdsOf = (name: string) => Promise<readonly string[]>;

/** Returns a query of events with the actors that a text means: `type:id`, or a person's id or name. */
async function withActors(query: ReturnType<typeof eventsOf>, idsOf: IdsOf): Promise<AuditQuery> {
  if (query.actor === undefined || query.actor.includes(":")) return query;
  const ids = await idsOf(query.actor);
  return { ...query, actor: undefined, actors: (ids.length > 0 ? ids : [query.actor]).map((id) => `person:${id}`) };
}

/** Creates the part of the API that reads the audit log. `idsOf`: returns the people whom a name means. */
export function createAuditRoutes(deps: ReadDeps, idsOf: IdsOf = async () => []): ApiPart {
  const answer = async (query: AuditQuery): Promise<ApiReply> => {
    const answered = await answerAudit(deps, query);
    if ("lines" in answered) return new ApiReply({ lines: answered.lines, contentType: "application/x-ndjson" });
    if (answered.body === undefined) throw new ApiProblem("event_not_found");
    return new ApiReply({ status: 200, body: answered.body });
  };
  return serveApi("audit", {
    listAuditEvents: async ({ query }) => answer(await withActors(eventsOf(query), idsOf)),
    exportAudit: ({ query }) => answer({ read: "export", ...query }),
    getAuditCheckpoint: () => answer({ read: "checkpoint" }),
    getAuditReceipt: ({ params }) => answer({ read: "receipt", eventId: params.event_id }),
  });
}

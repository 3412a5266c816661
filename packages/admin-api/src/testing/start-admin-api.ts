import { IncomingMessage, ServerResponse } from "node:http";
import { isProblem } from "@crosszone/contracts";
import { openApi, withRefusals } from "@crosszone/contracts/openapi";
import { close, createHttpServer, type HttpLimits, listen } from "@crosszone/service-kit";
import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import express from "express";
import { onTestFinished, expect } from "vitest";
import { apiMethods, type OpenApiDocument, type AnswerTo, type ApiPart } from "../api-part.ts";
import { type AdminApiDeps, createAdminApi, mergeDocuments } from "../create-admin-api.ts";
import type { ApiRefusal } from "../serve-exchange.ts";
import { tokenDigest, type StoredTokens } from "../token-holder.ts";
import { ApiReply, serveDocument } from "../serve.ts";

export { noStoredTokens } from "../token-holder.ts";

export const viewToken = "view-token-of-at-least-32-characters";
export const adminToken = "admin-token-of-at-least-32-characters";

export interface StartOptions extends Partial<Omit<AdminApiDeps, "limit">> {
  /** `default` for the API's own limit. */
  readonly limit?: AdminApiDeps["limit"] | "default";
  readonly parts: AdminApiDeps["parts"];
  readonly httpLimits?: HttpLimits;
}

/** A store with one token, which can view everything but content. */
const viewTokenOnly: StoredTokens = {
  find: async (digest) =>
    digest === tokenDigest(viewToken) ? { actor: "token:viewer", scopes: ["runs:read", "audit:read"] } : undefined,
  findEnded: async () => undefined,
  hasLive: async (scope) => scope !== "tokens:write",
};

const unlimited = { perMinute: 1_000_000, burst: 1_000_000 };

/** Serves the API as the zone does, on a real port. Has no rate limit unless one is given. */
export async function startAdminApi({ httpLimits, limit = unlimited, ...deps }: StartOptions) {
  const refusals: ApiRefusal[] = [];
  const routes = createAdminApi({
    tokens: () => [adminToken],
    stored: viewTokenOnly,
    ...(limit !== "default" && { limit }),
    ...deps,
    onRefused: (refusal) => {
      refusals.push(refusal);
      // Its answer has no cause, and a test that does not expect it shows only the answer.
      if (refusal.kind === "internal") console.error(refusal.cause);
      return deps.onRefused?.(refusal);
    },
  });
  const app = express();
  Object.assign(app, { request: IncomingMessage.prototype, response: ServerResponse.prototype });
  app.use("/api/v1", routes);
  const server = createHttpServer(app, httpLimits);
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 0 })));
  const url = `http://127.0.0.1:${port}/api/v1`;
  const documents = deps.parts.map(({ document }) => document);
  const { answered, check } = createDocumentCheck(mergeDocuments(openApi("frame"), documents));

  /**
   * Sends a request with the admin's token unless a header replaces it. Checks the response against the API's own document. Resolves without a
   * body if that is empty.
   */
  const ask = async (line: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const kind = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body !== undefined && { "content-type": kind }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const said = await response.text();
    const parsed = said === "" ? undefined : (JSON.parse(said) as Record<string, unknown>);
    check({ method, path }, response, parsed);
    return { status: response.status, headers: response.headers, body: parsed };
  };
  return { url, refusals: refusals as readonly ApiRefusal[], answered: answered as ReadonlySet<string>, ask };
}

/** A block of a stream: its fields by name, a comment under the empty name. */
export type EventBlock = Readonly<Record<string, string>>;

export type WatchedEvents = Awaited<ReturnType<typeof watchEvents>>;

/** Opens a stream of server-sent events, as a browser does. It is closed with the test at the latest. `blocks` yields until it ends. */
export async function watchEvents(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${adminToken}`, accept: "text/event-stream", ...headers },
    signal: leaving.signal,
  });
  const { status, body } = response;
  // Locked at once: Node cancels the body of a garbage-collected response unless somebody reads it.
  const pieces = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());
  return { status, headers: response.headers, blocks: blocksOf(pieces), leave: () => leaving.abort() };
}

async function* blocksOf(pieces: ReadableStream<string>): AsyncGenerator<EventBlock, void> {
  let rest = "";
  for await (const piece of pieces) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s, 2)));
  }
}

const escaped = (name: string): string => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));

/** The compiled schemas of documents. Most tests of a package serve the same one, and to compile it costs more than they do. */
const compiled = new Map<string, Ajv2020>();

function compile(document: OpenApiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  return ajv.addSchema({ ...document, $id: "https://api/" });
}

/** Checks that a server responds as its OpenAPI document says. */
function createDocumentCheck(document: OpenApiDocument) {
  const ajv = compiled.getOrInsertComputed(JSON.stringify(document), () => compile(document));
  const shared = Object.keys(openApi("frame")["x-problems"] ?? {});
  /** Operations and statuses that were checked, such as `get /agents 200`. */
  const answered = new Set<string>();
  const served = Object.entries(document.paths).map(
    ([template, path]) =>
      [
        template,
        path as Readonly<
          Record<
            string,
            {
              readonly responses: Readonly<Record<string, { $ref?: string }>>;
              readonly "x-problems"?: readonly string[];
            }
          >
        >,
      ] as const,
  );

  function checkSchema(pointer: string, response: Response, body: unknown): void {
    const type = response.headers.get("content-type") ?? "";
    const validate = ajv.getSchema(`https://api/${pointer}/content/${escaped(type)}/schema`);
    if (validate === undefined) expect.fail(`${type} is not what ${pointer} says`);
    const problems = validate(body) ? [] : (validate.errors as ErrorObject[]);
    expect(problems.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([]);
  }

  return {
    answered,
    /** Throws unless the document allows this response. A request that the document does not describe must get a problem. */
    check: (request: { readonly method: string; readonly path: string }, response: Response, body: unknown): void => {
      const method = request.method.toLowerCase();
      const path = request.path.split("?", 1)[0] as string;
      const [template, operations] =
        served.find(([one, of]) => method in of && new RegExp(`^${one.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path)) ??
        [];
      const operation = operations?.[method];
      if (template === undefined || operation === undefined) {
        expect([404, 405, 401, 403, 429]).toContain(response.status);
        return checkSchema("#/components/responses/Problem", response, body);
      }
      answered.add(`${method} ${template} ${response.status}`);
      const kind = isProblem(body) ? body.type.slice(body.type.lastIndexOf("/") + 1).replaceAll("-", "_") : undefined;
      if (kind !== undefined) expect([...shared, ...(operation["x-problems"] ?? [])]).toContain(kind);
      const answer = operation.responses[response.status];
      expect(answer, `${method} ${template} answers ${response.status}`).toBeDefined();
      const pointer = `#/paths/${escaped(template)}/${method}/responses/${response.status}`;
      if (body === undefined) expect(answer).not.toHaveProperty("content");
      else checkSchema(answer?.$ref ?? pointer, response, body);
    },
  };
}

/** Returns all operations of a document, with their possible statuses. */
export function apiOperations({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, one]) =>
    apiMethods
      .filter((method) => method in one)
      .map((method) => {
        const { responses } = one[method] as { readonly responses: object };
        return { path, method, statuses: Object.keys(responses) };
      }),
  );
}

const note = { properties: { text: { "x-content": true } } };
const schema = { ...note, items: note };

interface NotesOperation {
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
}

const answered = (
  operationId: string,
  ...[scope, { status = "200", type = "application/json", ...more }]: [
    scope: string,
    operation: NotesOperation & { readonly status?: string; readonly type?: string },
  ]
) => ({
  operationId,
  ...more,
  security: [{ adminToken: [scope] }],
  responses: { [status]: { description: "Notes", content: { [type]: { schema } } } },
});

export interface NotesOptions {
  readonly list?: AnswerTo;
  readonly watch?: AnswerTo;
  readonly maxBytes?: number;
}

/** A part of the API for tests, without storage: notes are listed, added and watched. */
export function notesPart({ list, watch, maxBytes = 1_000 }: NotesOptions = {}): ApiPart {
  const frame = openApi("frame");
  const q = { name: "q", in: "query", schema: { type: "string" } };
  const requestBody = { required: true, content: { "application/json": { schema: {} } }, "x-max-bytes": maxBytes };
  const paths = {
    "/notes": {
      get: answered("listNotes", "runs:read", { parameters: [{ $ref: "#/components/parameters/limit" }, q] }),
      post: answered("addNote", "runs:act", { status: "201", requestBody }),
    },
    "/notes/{name}": { get: answered("getNote", "runs:read", {}) },
    "/notes/latest": { post: answered("addLatest", "runs:act", { status: "201" }) },
    "/notes/{name}/events": { get: answered("watchNotes", "runs:read", { type: "text/event-stream" }) },
  };
  const { paths: served, document } = serveDocument(
    { ...frame, paths: withRefusals(paths, frame["x-problems"] as never) },
    {
      listNotes: ({ query }) => query,
      addNote: ({ body }) => body ?? null,
      getNote: ({ params }) => params,
      addLatest: () => ({}),
      watchNotes: () => new ApiReply({ events: async function* () {} }),
    },
  );
  const ofList = { ...served["/notes"], ...(list && { get: list }) };
  const ofWatch = watch ? { get: watch } : served["/notes/{name}/events"];
  return { document, paths: { ...served, "/notes": ofList, "/notes/{name}/events": ofWatch ?? {} } };
}

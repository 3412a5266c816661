import type { AnswerTo, ApiPart } from "../api-part.ts";
import { openApi } from "@crosszone/contracts/openapi";
import { readJsonBody } from "../read-json-body.ts";
import { page, readQuery, text } from "../read-query.ts";

const note = { properties: { text: { "x-content": true } } };
const schema = { ...note, items: note };
const problem = { $ref: "#/components/responses/Problem" };
const refusals = Object.fromEntries(
  ["400", "401", "403", "404", "413", "415", "422", "429", "500", "503"].map((one) => [one, problem]),
);
const answered = (status: string, scope = "runs:act", type = "application/json") => ({
  operationId: `notes${status}`,
  security: [{ adminToken: [scope] }],
  responses: { ...refusals, [status]: { description: "Notes", content: { [type]: { schema } } } },
});

export interface NotesOptions {
  readonly list?: AnswerTo;
  readonly watch?: AnswerTo;
  readonly maxBytes?: number;
}

/** A part of the API for tests, without storage: notes are listed, added and watched. */
export function notesPart({ list, watch, maxBytes = 1_000 }: NotesOptions = {}): ApiPart {
  return {
    document: {
      ...openApi("frame"),
      paths: {
        "/notes": { get: answered("200", "runs:read"), post: answered("201") },
        "/notes/{name}": { get: answered("200", "runs:read") },
        "/notes/latest": { post: answered("201") },
        "/notes/{name}/events": { get: answered("200", "runs:read", "text/event-stream") },
      },
    },
    paths: {
      "/notes": {
        get: list ?? (({ request }) => ({ status: 200, body: readQuery(request.url, { ...page, q: text }) })),
        post: async ({ request }) => {
          const rules = { maxBytes, types: ["application/json"], acceptHeader: "accept-post" } as const;
          return { status: 201, body: await readJsonBody(request, rules) };
        },
      },
      "/notes/{name}": { get: ({ params }) => ({ status: 200, body: params }) },
      "/notes/latest": { post: () => ({ status: 201, body: {} }) },
      "/notes/{name}/events": { get: watch ?? (() => ({ events: async function* () {} })) },
    },
  };
}

import { Readable } from "node:stream";
import {
  isTokenScope,
  type ParamProblem,
  type Problem,
  type ProblemKind,
  problemTable,
  type TokenScope,
} from "@crosszone/contracts";
import { readCases } from "@crosszone/contracts/corpus";
import {
  type ApiParameter,
  apiSources,
  type OpenApiDocument,
  openApi,
  operationsAt,
  type Schema,
  schemaAt,
  validatorOf,
  withRefusals,
} from "@crosszone/contracts/openapi";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { ApiProblem } from "./api-problem.ts";
import { type ContentRead, createAdminApi } from "./create-admin-api.ts";
import { ApiReply, cursorOf, serveDocument } from "./serve.ts";
import { adminToken, startAdminApi } from "./testing/start-admin-api.ts";
import { noStoredTokens, type StoredTokens, tokenDigest } from "./token-holder.ts";

const parts = Object.keys(apiSources) as (keyof typeof apiSources)[];

/** Every operation of every part of the API. A new one is in every test of this file. */
const operations = parts.flatMap((part) => {
  const document = openApi(part);
  const named = document.components["parameters"] as Readonly<Record<string, ApiParameter>>;
  return Object.keys(document.paths).flatMap((path) => {
    const { shared, methods } = operationsAt(document, path);
    return Object.entries(methods).map(([method, operation]) => {
      const all = [...shared, ...(operation.parameters ?? [])];
      const parameters = all.map((one) => named[one.$ref?.split("/").at(-1) ?? ""] ?? one);
      const query = parameters.filter((one) => one.in === "query");
      const headers = parameters.filter((one) => one.in === "header");
      const line = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "x")}`;
      return { id: operation.operationId, line, document, operation, query, headers };
    });
  });
});

type ServedOperation = (typeof operations)[number];

const allScopes = isTokenScope.schema.enum as readonly TokenScope[];

/** The tokens of a store in which each lacks one scope. */
const tokenWithout = (scope: string): string => `a-token-of-more-than-32-characters-without-${scope}`;
const holders = new Map(allScopes.map((scope) => [tokenDigest(tokenWithout(scope)), scope]));
const stored: StoredTokens = {
  ...noStoredTokens,
  find: async (digest) => {
    const lacked = holders.get(digest);
    return lacked && { actor: `token:${lacked}`, scopes: allScopes.filter((scope) => scope !== lacked) };
  },
};
const lacking = (scope: string) => ({ authorization: `Bearer ${tokenWithout(scope)}` });

/** Returns the cases of a schema of the contract, as JSON; those without values are left out. */
function casesOf({ document }: ServedOperation, schema: Schema, valid: boolean): unknown[] {
  if (schema.$ref === undefined) return valid ? [{}] : [];
  const cases = readCases(validatorOf(document, schema).ref.replace(".schema.json", ""));
  return cases.flatMap((one) => (one.valid === valid ? [one.value] : []));
}

const largestOf = (values: readonly unknown[]): unknown =>
  values.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];

const bodySchemaOf = ({ operation }: ServedOperation): Schema | undefined =>
  Object.values(operation.requestBody?.content ?? {})[0]?.schema;

const typeOf = ({ operation }: ServedOperation): Record<string, string> => {
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  return type === undefined ? {} : { "content-type": type };
};

function answerOf({ operation: { responses } }: ServedOperation) {
  const [[type, body] = []] = Object.values(responses).flatMap(({ content = {} }) => Object.entries(content));
  return type === "application/json" ? body?.schema : undefined;
}

const keyOf = ({ operation }: ServedOperation): readonly (number | string)[] | undefined =>
  operation["x-cursor"]?.map((type) => (type === "integer" ? 7 : "a"));

/** Serves the whole API. Each operation answers with the largest valid case of its type, and has a next page if it has pages. */
async function start(refusal: { kind?: ProblemKind; isLimited?: true } = {}) {
  const reads: ContentRead[] = [];
  const used: unknown[] = [];
  const asked = new Map<string, object>();
  const handlerOf = (one: ServedOperation) => (given: object) => {
    asked.set(one.id, given);
    if (refusal.kind !== undefined) throw new ApiProblem(refusal.kind);
    const schema = answerOf(one);
    if (one.id === "watchRun") return new ApiReply({ events: async function* () {} });
    if (one.id === "exportAudit")
      return new ApiReply({ lines: Readable.from([]), contentType: "application/x-ndjson" });
    if (schema === undefined) return undefined;
    const body = largestOf(casesOf(one, schema, true)) as object;
    return keyOf(one) === undefined ? body : { ...body, next_cursor: keyOf(one) };
  };
  const handlers = Object.fromEntries(operations.map((one) => [one.id, handlerOf(one)]));
  const api = await startAdminApi({
    parts: parts.map((part) => serveDocument(openApi(part), handlers)),
    stored,
    onRead: async (_exchange, read) => void reads.push(read),
    mayUse: (_holder, ...[kind, name]) => {
      used.push([kind, name]);
      return refusal.isLimited !== true;
    },
  });
  /** As `ask`, but without the check of each body against the document: it would cost most of the time. */
  const send = async (line: string, body: unknown, headers: Record<string, string> = {}) => {
    const [method = "", path = ""] = line.split(" ");
    const authorization = `Bearer ${adminToken}`;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(api.url + path, {
      method,
      headers: { authorization, ...headers },
      body: text ?? null,
    });
    const said = await response.text();
    const parsed = said === "" ? undefined : (JSON.parse(said) as Readonly<Record<string, unknown>>);
    return { status: response.status, headers: response.headers, body: parsed };
  };
  const askWith = (one: ServedOperation, query = "", headers: Record<string, string> = {}) => {
    const required = one.query.filter((each) => each.required && !query.includes(`${each.name}=`));
    const all = [...required.map(({ name }) => `${name}=x`), ...(query === "" ? [] : [query])].join("&");
    const schema = bodySchemaOf(one);
    const body = schema && largestOf(casesOf(one, schema, true));
    return send(`${one.line}?${all}`, body, { ...typeOf(one), ...headers });
  };
  return { send, askWith, reads, used, asked, refusals: api.refusals };
}

test("the document is served without a token and valid; its parts define nothing twice, and each operation is served", async () => {
  const { send } = await start();
  const { status, body } = await send("GET /openapi.json", undefined, { authorization: "" });
  expect([status, (await new Validator().validate({ ...body })).errors ?? []]).toEqual([200, []]);
  const documents = ["frame" as const, ...parts].map(openApi);
  for (const { components, paths } of documents) expect(body).toMatchObject({ components, paths });
  expect(Object.keys(body?.["paths"] as object)).toEqual(documents.flatMap(({ paths }) => Object.keys(paths)));
  expect(() => serveDocument(openApi("usage"), {})).toThrow("is in the document but not served");
  const [path = "", methods = {}] = Object.entries(openApi("usage").paths)[0] ?? [];
  for (const security of [undefined, [], [{ adminToken: [] }], [{ adminToken: ["admin"] }]]) {
    const open = Object.entries(methods).map(([method, one]) => [method, { ...(one as object), security }]);
    const document = { ...openApi("usage"), paths: { [path]: Object.fromEntries(open) as typeof methods } };
    const handlers = Object.fromEntries(operations.map(({ id }) => [id, () => undefined]));
    const given = { parts: [serveDocument(document, handlers)], tokens: () => [] };
    expect(() => createAdminApi(given)).toThrow("has no scope in its security");
  }
});

const problemsIn = (body: unknown): readonly ParamProblem[] => (body as Problem).problems ?? [];

/** Returns a value that a parameter can't have; undefined when it can be any text. */
function wrongFor({ document }: ServedOperation, { name, schema }: ApiParameter): string | undefined {
  const { type } = schemaAt(document, schema);
  if (name === "cursor" || type === "integer" || type === "boolean") return "nonsense";
  const isValid = validatorOf(document, schema);
  return ["nonsense", "", " ", "\u0001", "x".repeat(300)].find((text) => !isValid(text));
}

test("the document of each part is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  for (const part of parts) {
    const { errors, valid } = await validator.validate({ ...structuredClone(openApi(part)) });
    expect([part, valid, errors]).toEqual([part, true, undefined]);
  }
});

test("what a query can't have is refused, all at once, with each value that it can have", async () => {
  const { send, askWith } = await start();
  for (const one of operations) {
    const wrong = one.query.flatMap((each) => {
      const value = wrongFor(one, each);
      return value === undefined ? [] : [{ ...each, value }];
    });
    const query = [["planted", "1"], ...wrong.map(({ name, value }) => [name, value])];
    const { status, body } = await askWith(one, new URLSearchParams(query).toString());
    const pointers = problemsIn(body).map(({ pointer }) => pointer);
    expect([one.id, status, pointers]).toEqual([one.id, 400, query.map(([name]) => `/${name}`)]);
    for (const { name, schema } of wrong)
      for (const value of schemaAt(one.document, schema).enum ?? [])
        expect(problemsIn(body).find(({ pointer }) => pointer === `/${name}`)?.message).toContain(String(value));
    for (const { name } of one.query.filter(({ required }) => required)) {
      const missing = await send(one.line, undefined);
      expect(problemsIn(missing.body)).toContainEqual({ pointer: `/${name}`, message: "is missing" });
    }
    for (const { name, schema } of one.headers.filter(({ schema: { pattern } }) => pattern !== undefined)) {
      const { status: refused, body: problem } = await askWith(one, "", { [name]: "\u00e9" });
      expect([one.id, refused, problem?.["detail"]]).toEqual([
        one.id,
        400,
        `The header ${name.toLowerCase()} ${schema["patternErrorMessage"]}.`,
      ]);
    }
    if (one.query.length === 0) continue;
    const twice = await askWith(one, one.query.map(({ name }) => `${name}=1&${name}=1`).join("&"));
    for (const { name } of one.query)
      expect(problemsIn(twice.body)).toContainEqual({ pointer: `/${name}`, message: "is given more than once" });
  }
});

test("a list goes on where its cursor says; a damaged cursor, that of another list and an offset are refused", async () => {
  const { askWith, asked } = await start();
  const lists = operations.filter((one) => keyOf(one) !== undefined);
  expect(lists.length).toBeGreaterThan(10);
  for (const one of lists) {
    const { body } = await askWith(one);
    const cursor = body?.["next_cursor"] as string;
    expect([one.id, (await askWith(one, `cursor=${cursor}`)).status]).toEqual([one.id, 200]);
    expect(asked.get(one.id)).toMatchObject({ query: { cursor: keyOf(one) } });
    const foreign = cursorOf("another", keyOf(one) ?? []);
    const damaged = [cursor.slice(0, -1), cursor.replace(/.$/, (last) => (last === "A" ? "Q" : "A"))];
    for (const wrong of [foreign, ...damaged, "7"]) {
      const refused = await askWith(one, `cursor=${wrong}`);
      expect([one.id, wrong, refused.status, problemsIn(refused.body)[0]?.message]).toEqual([
        one.id,
        wrong,
        400,
        "must be the `next_cursor` of this list's page before",
      ]);
    }
    expect((await askWith(one, "offset=1")).status).toBe(400);
  }
});

test("a body that its schema refuses, of another type or too large never reaches the handler", async () => {
  const { send, asked } = await start();
  for (const one of operations) {
    const schema = bodySchemaOf(one);
    if (schema === undefined) continue;
    const { "x-max-bytes": most = 0, "x-late": isLate = false } = one.operation.requestBody ?? {};
    const statusOf = async (body: unknown, headers = typeOf(one)) => (await send(one.line, body, headers)).status;
    const statuses = [
      await statusOf("{}", { "content-type": "text/plain" }),
      await statusOf(" ".repeat(most + 1)),
      await statusOf("{"),
    ];
    for (const value of isLate ? [] : casesOf(one, schema, false).slice(0, 5)) {
      const { status, body } = await send(one.line, value, typeOf(one));
      expect([one.id, status, problemsIn(body).length > 0]).toEqual([one.id, 422, true]);
    }
    expect([one.id, statuses, asked.get(one.id)]).toEqual([one.id, [415, 413, 400], undefined]);
  }
});

/** Returns the members of a value that its schema marks as content. */
function contentIn(document: OpenApiDocument, schema: Schema, value: unknown): string[] {
  const { oneOf = [], items, properties = {}, ...rest } = { ...schemaAt(document, schema), ...schema };
  const isContent = rest["x-content"] === true;
  if (typeof value !== "object" || value === null) return [];
  const ofBranches = oneOf.flatMap((branch) => contentIn(document, branch, value));
  if (Array.isArray(value))
    return [...ofBranches, ...value.flatMap((one) => (items ? contentIn(document, items, one) : []))];
  const members = Object.entries(value).flatMap(([name, member]) => {
    const of = properties[name];
    if (of === undefined) return [];
    return of["x-content"] === true && member !== "…" ? [name] : contentIn(document, of, member);
  });
  return isContent ? ["the whole"] : [...ofBranches, ...members];
}

test("X21: content is answered with the scope content:read alone, each read of it is in the audit log", async () => {
  const { askWith, reads } = await start();
  let withContent = 0;
  for (const one of operations) {
    const { "x-audit": audit, security } = one.operation;
    reads.length = 0;
    const schema = answerOf(one);
    if (schema === undefined) continue;
    const whole = (await askWith(one)).body;
    expect([one.id, reads.map(({ action, target }) => [action, target.type])]).toEqual([
      one.id,
      audit === undefined ? [] : [[audit.action, audit.target]],
    ]);
    withContent += contentIn(one.document, schema, whole).length > 0 ? 1 : 0;
    if (security?.[0]?.adminToken?.[0] === "content:read") continue;
    const { status, body } = await askWith(one, "", lacking("content:read"));
    expect([one.id, status < 300, contentIn(one.document, schema, body)]).toEqual([one.id, true, []]);
    expect(reads).toHaveLength(audit === undefined ? 0 : audit.target.startsWith("audit") ? 2 : 1);
  }
  expect(withContent).toBeGreaterThan(10);
});

test("each operation needs a token with its scope; who lacks it is told which, and is in the log", async () => {
  const { askWith, refusals } = await start();
  for (const one of operations) {
    const [scope = ""] = one.operation.security?.[0]?.adminToken ?? [];
    expect([one.id, (await askWith(one, "", { authorization: "" })).status]).toEqual([one.id, 401]);
    const { status, headers } = await askWith(one, "", lacking(scope));
    expect([one.id, status, headers.get("www-authenticate")]).toEqual([
      one.id,
      403,
      `Bearer error="insufficient_scope", scope="${scope}"`,
    ]);
    const act = { actor: `token:${scope}`, operationId: one.id, scope, status: 403 };
    expect(refusals.at(-1)).toMatchObject({ kind: "missing_scope", act });
  }
});

test("X20: what a program needs a grant for is refused without one, and never reaches the handler", async () => {
  const { askWith, used, asked } = await start({ isLimited: true });
  const granted = operations.filter((one) => one.operation["x-grant"] !== undefined);
  expect(granted.map(({ id }) => id)).toEqual(["publishEvent", "startRun"]);
  for (const one of granted) {
    const { of, member } = one.operation["x-grant"] ?? { of: "", member: "" };
    const body = largestOf(casesOf(one, bodySchemaOf(one) ?? {}, true)) as Readonly<Record<string, unknown>>;
    expect([one.id, (await askWith(one)).status, asked.get(one.id)]).toEqual([one.id, 403, undefined]);
    expect(used).toContainEqual([of, body[member]]);
  }
});

test("each problem of an operation is answered as its document says", async () => {
  const refusal: { kind?: ProblemKind } = {};
  const { askWith } = await start(refusal);
  const kinds = operations.flatMap((one) => (one.operation["x-problems"] ?? []).map((kind) => ({ one, kind })));
  expect(kinds.length).toBeGreaterThan(40);
  for (const { one, kind } of kinds) {
    refusal.kind = kind as ProblemKind;
    const { status, body } = await askWith(one);
    const { title, advice: detail, ...row } = problemTable[kind as ProblemKind];
    expect([one.id, status, body]).toEqual([one.id, row.status, expect.objectContaining({ title, detail })]);
  }
});

test("a resource is a schema, a handler and a row: reading, paging, scope, content, audit and problems are there", async () => {
  const frame = openApi("frame");
  const tree: Schema = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string", minLength: 2 }, note: { type: "string", "x-content": true } },
  };
  const list: Schema = {
    type: "object",
    properties: {
      trees: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
      next_cursor: { type: "string" },
    },
  };
  const row = (
    operationId: string,
    scope: string,
    {
      status = "200",
      schema,
      ...more
    }: { readonly status?: string; readonly schema: Schema; readonly [more: string]: unknown },
  ) => ({
    operationId,
    security: [{ adminToken: [scope] }],
    responses: { [status]: { description: "Trees", content: { "application/json": { schema } } } },
    ...more,
  });
  const parameters = ["limit", "cursor"].map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const treeRef = { $ref: "#/components/schemas/Tree" };
  const requestBody = { required: true, content: { "application/json": { schema: treeRef } }, "x-max-bytes": 100 };
  const paths = {
    "/trees": {
      get: row("listTrees", "runs:read", {
        schema: list,
        parameters,
        "x-cursor": ["string"],
        "x-audit": { action: "content.read", target: "tree" },
      }),
      post: row("plantTree", "runs:act", { status: "201", schema: treeRef, requestBody, "x-problems": ["name_taken"] }),
    },
  };
  const document = {
    ...frame,
    components: { ...frame.components, schemas: { ...frame.components["schemas"], Tree: tree } },
    paths: withRefusals(paths, { ...frame["x-problems"], name_taken: problemTable.name_taken }),
  };
  const trees = [{ name: "ash" }, { name: "oak", note: "planted" }];
  const part = serveDocument(document, {
    listTrees: ({ query }) => {
      const { limit, cursor: [after = ""] = [] } = query as { limit: number; cursor?: readonly [string] };
      const found = trees.filter(({ name }) => name > after).slice(0, limit);
      const last = found.at(-1);
      return { trees: found, next_cursor: last && last !== trees.at(-1) ? [last.name] : undefined };
    },
    plantTree: ({ body }) => {
      if (trees.some(({ name }) => name === (body as { name: string }).name)) throw new ApiProblem("name_taken");
      return body;
    },
  });
  const reads: ContentRead[] = [];
  const { ask } = await startAdminApi({
    parts: [part],
    stored,
    onRead: async (_exchange, read) => void reads.push(read),
  });
  const first = await ask("GET /trees?limit=1");
  expect(first.body).toMatchObject({ trees: [{ name: "ash" }] });
  const next = `GET /trees?limit=1&cursor=${first.body?.["next_cursor"] as string}`;
  expect((await ask(next)).body).toEqual({ trees: [{ name: "oak", note: "planted" }] });
  expect((await ask(next, undefined, lacking("content:read"))).body).toEqual({ trees: [{ name: "oak" }] });
  const recorded = { action: "content.read", target: { type: "tree", id: "*" }, details: { path: "/trees" } };
  expect(reads).toEqual([recorded, recorded]);
  const statuses = ["GET /trees?limit=0", "GET /trees?page=1", "POST /trees"].map(
    async (line) => (await ask(line)).status,
  );
  expect(await Promise.all(statuses)).toEqual([400, 400, 415]);
  expect((await ask("POST /trees", { name: "a" })).body).toMatchObject({ problems: [{ pointer: "/name" }] });
  expect((await ask("POST /trees", { name: "elm" })).status).toBe(201);
  expect((await ask("POST /trees", { name: "oak" })).body).toMatchObject({
    status: 409,
    title: problemTable.name_taken.title,
  });
  expect((await ask("GET /trees", undefined, lacking("runs:read"))).status).toBe(403);
});

import { request as httpRequest } from "node:http";
import { type ApiRefusal, digestOf, newTokenText } from "@crosszone/admin-api";
import { adminToken, startAdminApi } from "@crosszone/admin-api/testing";
import type { TokenScope } from "@crosszone/contracts";
import { expect, onTestFinished } from "vitest";
import { createAppendAudit, createRecordRefusal } from "@crosszone/audit";
import { createRecordCodec } from "@crosszone/service-kit";
import { createInputRoutes } from "../http/api/create-input-routes.ts";
import { createTokenRoutes } from "../http/api/create-token-routes.ts";
import { newInput, payment } from "./new-input.ts";
import { openInputsOf } from "./open-inputs.ts";
import { TokenUses } from "../tokens/token-uses.ts";
import { createTokenStore } from "../tokens/token-store.ts";

export const inputId = newInput().request_id;
const day = 86_400;

/** Starts the API with its tokens and an input request whose content is planted. */
export async function startTokens(url: string) {
  const { requests, database, events, emit } = await openInputsOf({ url });
  await requests.ask(newInput({ body: "planted", action: payment(1) }));
  const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
  const record = createRecordRefusal((act) => append(database.db, [act]));
  const onRefused = (refusal: ApiRefusal) => record(refusal).catch(() => undefined);
  const stored = createTokenStore(database, append);
  const uses = new TokenUses(database, { append, emit, retentionMs: 400 * day * 1_000 });
  onTestFinished(uses.close);
  const audited = async () => {
    const rows = await database.db.selectFrom("audit_event").selectAll().orderBy("id").execute();
    return rows.filter(({ action }) => /^(token|api)\./.test(action));
  };
  const parts = [createTokenRoutes({ store: stored, uses, emit }), createInputRoutes(requests, async () => undefined)];
  const api = await startAdminApi({ parts, stored, onRefused, onUse: uses.count, heartbeatMs: 20 });
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  /** Creates a token and returns its text. */
  const create = async (
    name: string,
    scopes: readonly TokenScope[],
    { by = adminToken, ...more }: { by?: string; expires_in?: number } = {},
  ) => {
    const { status, body } = await api.ask("POST /tokens", { name, scopes, expires_in: 3_600, ...more }, as(by));
    expect([name, status, body?.["detail"]]).toEqual([name, 201, undefined]);
    return String(body?.["token"]);
  };
  return { ...api, database, stored, uses, events, emit, audited, create, as };
}

type Started = Awaited<ReturnType<typeof startTokens>>;
type Attack = (zone: Started & { readonly root: string }) => Promise<number>;

const statusOf = async (answer: ReturnType<Started["ask"]>): Promise<number> => (await answer).status;
const reading = ({ ask, as }: Started, token: string) => statusOf(ask("GET /input-requests", undefined, as(token)));
const creating =
  (body: object): Attack =>
  ({ ask, as, root }) =>
    statusOf(ask("POST /tokens", { name: "new", scopes: ["ask"], expires_in: 60, ...body }, as(root)));

/** Sends raw headers, which `fetch` would join or refuse. */
const withHeaders = ({ url }: Started, ...headers: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(`${url}/input-requests`, { headers: ["host", "zone", ...headers] }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });

/** Attacks on tokens and scopes, with the actor and status of their refusal. */
export const attacks: Readonly<Record<string, readonly [actor: string, status: number, attack: Attack]>> = {
  "a wrong checksum": ["unknown", 401, (zone) => reading(zone, `${zone.root.slice(0, -1)}!`)],
  "a cut token": ["unknown", 401, (zone) => reading(zone, zone.root.slice(0, 20))],
  "an unknown token": ["unknown", 401, (zone) => reading(zone, newTokenText())],
  "the digest as a token": ["unknown", 401, (zone) => reading(zone, digestOf(zone.root))],
  "SQL text as a token": ["unknown", 401, (zone) => reading(zone, "'or'1'='1")],
  "no token": ["unknown", 401, ({ ask }) => statusOf(ask("GET /tokens", undefined, { authorization: "" }))],
  "another scheme": [
    "unknown",
    401,
    ({ ask, root }) => statusOf(ask("GET /tokens", undefined, { authorization: `Token ${root}` })),
  ],
  "whitespace within the token": ["unknown", 401, (zone) => reading(zone, zone.root.replace("_", "_ "))],
  "a token in the query string": ["unknown", 401, (zone) => withHeadersOf(zone, `?access_token=${zone.root}`)],
  "two Authorization headers": [
    "unknown",
    401,
    (zone) => withHeaders(zone, "authorization", `Bearer ${zone.root}`, "authorization", "Bearer other"),
  ],
  "a lower-case scheme does not help an unknown token": [
    "unknown",
    401,
    (zone) => withHeaders(zone, "authorization", `bearer ${newTokenText()}`),
  ],
  "a token that expires at this millisecond": [
    "token:late (expired)",
    401,
    async (zone) => {
      const token = await zone.create("late", ["runs:read"], { by: zone.root });
      const at = { expires_at: Date.now() };
      await zone.database.db.updateTable("api_token").set(at).where("name", "=", "late").execute();
      return reading(zone, token);
    },
  ],
  "a token revoked between two requests": [
    "token:gone (revoked)",
    401,
    async (zone) => {
      const token = await zone.create("gone", ["runs:read"], { by: zone.root });
      expect(await reading(zone, token)).toBe(200);
      expect((await zone.ask("DELETE /tokens/gone", undefined, zone.as(zone.root))).status).toBe(204);
      return reading(zone, token);
    },
  ],
  "a token after it revoked itself": [
    "token:self (revoked)",
    401,
    async (zone) => {
      const token = await zone.create("self", ["tokens:write"], { by: zone.root });
      expect((await zone.ask("DELETE /tokens/self", undefined, zone.as(token))).status).toBe(204);
      return reading(zone, token);
    },
  ],
  "ADMIN_TOKENS after the first tokens:write": ["bootstrap", 403, (zone) => reading(zone, adminToken)],
  "a scope that covers another operation": [
    "token:act",
    403,
    async (zone) => reading(zone, await zone.create("act", ["runs:act", "content:read"], { by: zone.root })),
  ],
  "HEAD without the scope": [
    "token:head",
    403,
    async ({ url, as, create, root }) => {
      const headers = as(await create("head", ["content:read"], { by: root }));
      return (await fetch(`${url}/input-requests/${inputId}`, { method: "HEAD", headers })).status;
    },
  ],
  "an answer with a token that can only read": [
    "token:reader",
    403,
    async ({ ask, as, create, root }) => {
      const reader = as(await create("reader", ["runs:read", "content:read"], { by: root }));
      return statusOf(ask(`POST /input-requests/${inputId}/answer`, { answer: { verdict: "approve" } }, reader));
    },
  ],
  "an answer with a token that the deciders don't name": [
    "token:voter",
    403,
    async ({ ask, as, create, root }) => {
      const voter = as(await create("voter", ["runs:act"], { by: root }));
      return statusOf(ask(`POST /input-requests/${inputId}/answer`, { answer: { verdict: "deny" } }, voter));
    },
  ],
  "revoking without tokens:write": [
    "token:weak",
    403,
    async ({ ask, as, create, root }) =>
      statusOf(ask("DELETE /tokens/root", undefined, as(await create("weak", ["ask"], { by: root })))),
  ],
  "a scope above the creator's": [
    "token:maker",
    403,
    async ({ ask, as, create, root }) => {
      const maker = as(await create("maker", ["tokens:write", "ask"], { by: root }));
      return statusOf(ask("POST /tokens", { name: "up", scopes: ["ask", "runs:act"], expires_in: 60 }, maker));
    },
  ],
  "an expiry later than the creator's": ["token:root", 403, creating({ expires_in: 366 * day })],
  "an expiry at a date later than the creator's": [
    "token:root",
    403,
    creating({ expires_in: undefined, expires_at: "2999-01-01T00:00:00Z" }),
  ],
  "a name that exists": ["token:root", 409, creating({ name: "root" })],
  "the name of a revoked token": [
    "token:root",
    409,
    async (zone) => {
      await zone.create("once", ["ask"], { by: zone.root });
      expect((await zone.ask("DELETE /tokens/once", undefined, zone.as(zone.root))).status).toBe(204);
      return creating({ name: "once" })(zone);
    },
  ],
  "the name bootstrap": ["token:root", 422, creating({ name: "bootstrap" })],
  "a name with a colon": ["token:root", 422, creating({ name: "token:root" })],
  "SQL text as a name": ["token:root", 422, creating({ name: "x'); drop table api_token; --" })],
  "a name of 10 kB": ["token:root", 413, creating({ name: "x".repeat(10_000) })],
  "a look-alike name": ["token:root", 422, creating({ name: "r\u043e\u043et" })],
  "a negative lifetime": ["token:root", 422, creating({ expires_in: -1 })],
  "an expiry in the past": ["token:root", 422, creating({ expires_in: undefined, expires_at: "2020-01-01T00:00:00Z" })],
  "no expiry": ["token:root", 422, creating({ expires_in: undefined })],
  "two expiries": ["token:root", 422, creating({ expires_at: "2030-01-01T00:00:00Z" })],
  "no scopes": ["token:root", 422, creating({ scopes: [] })],
  "an unknown scope": ["token:root", 422, creating({ scopes: ["*"] })],
  "a chosen digest": ["token:root", 422, creating({ digest: digestOf("known") })],
  "revoking an unknown token": [
    "token:root",
    404,
    ({ ask, as, root }) => statusOf(ask("DELETE /tokens/%25", undefined, as(root))),
  ],
};

const withHeadersOf = async ({ url }: Started, query: string): Promise<number> =>
  (await fetch(`${url}/input-requests${query}`)).status;

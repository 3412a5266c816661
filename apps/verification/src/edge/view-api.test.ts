import { hash } from "node:crypto";
import { answerAudit } from "@crosszone/audit/api";
import { isProblem, ZoneError } from "@crosszone/contracts";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { expect, onTestFinished, test, vi } from "vitest";
import { actsIn, openTestAudit, openTestDatabase } from "../testing/test-inbox.ts";
import { createViewApi, type ViewApiDeps } from "./view-api.ts";

async function start(check: (...asked: unknown[]) => Promise<unknown>) {
  const call = vi.fn<(...asked: unknown[]) => Promise<unknown>>(check);
  const onRefused = vi.fn<ViewApiDeps["onRefused"]>();
  const onFailure = vi.fn<(cause: unknown) => void>();
  const database = await openTestDatabase();
  const audit = await openTestAudit(database);
  const zone = { call } as unknown as ViewApiDeps["zone"];
  const server = createHttpServer(createViewApi({ zone, audit, onRefused, onFailure }));
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(async () => void (await close(server, { deadlineMs: 0 })));
  const ask = async (authorization?: string, path = "/audit/events?limit=1", method = "GET") => {
    const headers = authorization ? { authorization } : {};
    const response = await fetch(`${url}/api/v1${path}`, { method, headers });
    return { status: response.status, body: (await response.json()) as object };
  };
  const events = async () => {
    const answered = await answerAudit(audit.read, { read: "events", limit: 10 });
    return "body" in answered && answered.body && "events" in answered.body ? answered.body.events : [];
  };
  return { ask, call, onRefused, onFailure, events, acts: () => actsIn(database) };
}

test("O3: execution checks the digest of the token for each request, never the token, and learns its sender", async () => {
  const { ask, call } = await start(async () => ({ name: "ci" }));
  for (const _ of [1, 2]) expect((await ask("Bearer xz_secret")).status).toBe(200);
  const from = { address: "127.0.0.1", client: "node" };
  const checked = [
    "check_token",
    { digest: hash("sha256", "xz_secret"), scope: "audit:read", from },
    expect.anything(),
  ];
  expect(call.mock.calls).toEqual([checked, checked]);
});

test("a leap second is read, and for a character that no database can look for nothing is found", async () => {
  const { ask, onFailure } = await start(async () => ({ name: "ci" }));
  expect((await ask("Bearer t", "/audit/events?since=1522-03-20T21:28:60")).status).toBe(200);
  expect(await ask("Bearer t", "/audit/events?actor=%00")).toMatchObject({ status: 200, body: { events: [] } });
  expect(onFailure).not.toHaveBeenCalled();
});

test("a token that execution rejects gets 401; 503 while execution can't be reached, and the cause is reported", async () => {
  const rejecting = await start(() => Promise.reject(new ZoneError("unauthorized")));
  expect((await rejecting.ask("Bearer t")).status).toBe(401);
  expect(rejecting.onFailure).not.toHaveBeenCalled();
  const cause = new Error("connection refused at 10.0.0.1");
  const away = await start(() => Promise.reject(cause));
  const { status, body } = await away.ask("Bearer t");
  expect([status, isProblem(body), JSON.stringify(body)]).toEqual([503, true, expect.not.stringContaining("10.0.0.1")]);
  expect(away.onFailure).toHaveBeenCalledExactlyOnceWith(cause);
});

test("O2: a full disk of execution was told as an execution that can't be reached", async () => {
  const problems = [{ pointer: "", message: "the database's disk is full: free up space" }];
  const { ask } = await start(() => Promise.reject(new ZoneError("zone_unavailable", { problems })));
  const detail = "The database's disk is full: free up space. Try again later.";
  expect(await ask("Bearer t")).toMatchObject({ status: 503, body: { detail } });
});

test("O3: a revoked token, and reads of content, have a name and an address in the audit log and the log", async () => {
  const revoked = new ZoneError("unauthorized", { actor: "token:ci (revoked)" });
  const { ask, events, onRefused } = await start(() => Promise.reject(revoked));
  expect((await ask("Bearer t")).status).toBe(401);
  const from = { address: "127.0.0.1", client: "node" };
  expect(await events()).toMatchObject([
    {
      event: { actor: { type: "token", id: "ci" }, outcome: "rejected", details: { token: "revoked" } },
      content: { members: from },
    },
  ]);
  const act = { actor: "token:ci (revoked)", status: 401, from };
  expect(onRefused).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ act: expect.objectContaining(act) }));
  const live = await start(async () => ({ name: "ci" }));
  await live.ask("Bearer t");
  expect(await live.events()).toMatchObject([{ event: { action: "content.read" }, content: { members: from } }]);
});

/** Stops the clock of limits: nothing is refilled meanwhile, however long a test takes. */
function stopRefills(): void {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("requests without a token and above the limit never reach the zone link", async () => {
  const { ask, call } = await start(() => Promise.reject(new ZoneError("unauthorized")));
  stopRefills();
  expect((await ask()).status).toBe(401);
  expect(call).not.toHaveBeenCalled();
  const statuses = await Promise.all(Array.from({ length: 260 }, async () => (await ask("Bearer t")).status));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(call.mock.calls.length).toBeLessThan(260);
});

test("the wrong tokens of strangers leave an auditor at 200, also one who comes in the midst of them", async () => {
  const known = new Set(["first", "second"].map((token) => hash("sha256", token)));
  const { ask, call } = await start(async (...asked: unknown[]) => {
    const { digest } = asked[1] as { digest: string };
    if (!known.has(digest)) throw new ZoneError("unauthorized");
    return { name: "auditor" };
  });
  stopRefills();
  expect((await ask("Bearer first")).status).toBe(200);
  const wrong = (count: number) =>
    Promise.all(Array.from({ length: count }, async (_, n) => (await ask(`Bearer wrong-${count}-${n}`)).status));
  expect(new Set(await wrong(125))).toEqual(new Set([401]));
  expect((await ask("Bearer second")).status).toBe(200);
  // Above what an address may try, the check is refused for all but the tokens that were accepted before.
  expect(new Set(await wrong(500))).toEqual(new Set([401, 429]));
  expect((await ask("Bearer first")).status).toBe(200);
  expect((await ask("Bearer second")).status).toBe(200);
  expect(call.mock.calls.length).toBeLessThan(600);
});

test("V1: each read and each rejected request is an act of its token, a stranger's at most 60 a minute", async () => {
  const { ask, call, acts } = await start(async () => ({ name: "ci" }));
  expect((await ask("Bearer t", "/messages/r")).status).toBe(404);
  expect((await ask("Bearer t", "/audit/events?limit=1")).body).toMatchObject({ events: [] });
  expect((await ask("Bearer t", "/audit/events?limit=0")).status).toBe(400);
  expect((await ask("Bearer t", "/audit/events", "POST")).status).toBe(405);
  expect(call.mock.calls.map(([, asked]) => (asked as { scope: string }).scope)).toContain("audit:read");
  const ci = { type: "token", id: "ci" };
  expect(await acts()).toMatchObject([
    { action: "content.read", outcome: "done", actor: ci, target: { type: "audit_log", id: "*" } },
    { action: "api.request", outcome: "rejected", actor: ci, details: { status: 405 } },
  ]);
  stopRefills();
  await Promise.all(Array.from({ length: 80 }, () => ask()));
  const strangers = (await acts()).filter(({ actor }) => actor.id === "?");
  expect([strangers.length, strangers[0]?.details?.["status"]]).toEqual([60, 401]);
});

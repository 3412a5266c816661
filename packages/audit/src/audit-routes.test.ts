import { adminToken, startAdminApi } from "@crosszone/admin-api/testing";
import { expect, onTestFinished, test } from "vitest";
import { fill, newAct, openAuditDatabase, openTestLog } from "./testing/open-audit.ts";
import { linesOf, verifyAudit } from "./verify/verify-audit.ts";
import { createAuditRoutes } from "./create-audit-routes.ts";

async function start() {
  const database = await openAuditDatabase("sqlite::memory:");
  onTestFinished(() => database.close());
  const log = await openTestLog(database);
  const api = await startAdminApi({
    parts: [createAuditRoutes(log.deps, async (name) => (name === "Bob" ? ["U1"] : []))],
  });
  const get = (path: string) => fetch(api.url + path, { headers: { authorization: `Bearer ${adminToken}` } });
  return { ...log, ...api, get };
}

interface Listed {
  readonly events: readonly {
    readonly position: number | null;
    readonly event: { readonly id: string; readonly target: { readonly id: string } };
  }[];
  readonly next_cursor?: string;
}

test("events are listed page by page, latest first, by actor, action and time", async () => {
  const log = await start();
  await fill(log, 0, 3);
  await log.append(newAct("3", { action: "test.other", actor: { type: "bot", id: "B1" }, at: Date.UTC(2100, 0, 1) }));
  const list = async (query: string): Promise<Listed> => (await log.ask(`GET /audit/events${query}`)).body as never;
  const first = await list("?limit=3");
  expect(first.events.map(({ position }) => position)).toEqual([null, 2, 1]);
  const second = await list(`?limit=3&cursor=${first.next_cursor}`);
  expect([second.events.map(({ position }) => position), second.next_cursor]).toEqual([[0], undefined]);
  for (const query of ["?actor=bot%3AB1", "?action=test.other", "?since=2099-11-30T00:00:00Z"])
    expect((await list(query)).events).toHaveLength(1);
  expect((await list("?until=2099-11-30T00:00:00Z")).events).toHaveLength(3);
  expect(await list("?actor=bot%3AB1&until=2100-01-01T00:00:00Z")).toEqual({ events: [] });
  expect(await list("?actor=bot%3AB2")).toEqual({ events: [] });
});

test("Q33: reads of content can be left out, page by page, and an actor is found by name", async () => {
  const log = await start();
  const read = { action: "content.read", actor: { type: "token", id: "ci" } } as const;
  for (let n = 0; n < 4; n += 1) {
    await log.append(newAct(`read-${n}`, read));
    await log.append(newAct(`act-${n}`, { actor: { type: "person", id: n < 3 ? "U1" : "U2" } }));
  }
  const list = async (query: string): Promise<Listed> => (await log.ask(`GET /audit/events${query}`)).body as never;
  const idsOf = ({ events }: Listed): readonly string[] => events.map(({ event: { target } }) => target.id);
  expect((await list("")).events).toHaveLength(8);
  expect((await list("?reads=true")).events).toHaveLength(8);
  const first = await list("?reads=false&limit=3");
  expect(idsOf(first)).toEqual(["act-3", "act-2", "act-1"]);
  expect(idsOf(await list(`?reads=false&limit=3&cursor=${first.next_cursor}`))).toEqual(["act-0"]);
  for (const actor of ["Bob", "U1", "person:U1"])
    expect(idsOf(await list(`?actor=${actor}`))).toEqual(["act-2", "act-1", "act-0"]);
  expect(idsOf(await list("?actor=Carol"))).toEqual([]);
});

test("V2: the export, a receipt and the head verify with the key of the log", async () => {
  const log = await start();
  await fill(log, 0, 3);
  const exported = await log.get("/audit/export");
  expect(exported.headers.get("content-type")).toBe("application/x-ndjson");
  const verdict = await verifyAudit(linesOf(exported.body as never), { keys: log.keys });
  expect(verdict).toMatchObject({ events: 3, checkpoints: 1 });
  expect(verdict.finding).toBeUndefined();
  expect((await log.ask("GET /audit/checkpoint")).body).toMatchObject({
    public_key: log.publicKey,
    size: 3,
    waiting: 0,
  });
  const { events } = (await log.ask("GET /audit/events")).body as unknown as Listed;
  const receipt = (await log.ask(`GET /audit/events/${events[0]?.event.id}/receipt`)).body;
  expect((await verifyAudit([JSON.stringify(receipt)], { keys: log.keys })).finding).toBeUndefined();
  expect((await log.ask("GET /audit/events/unknown/receipt")).status).toBe(404);
});

test("OCSF has the class, the actor and the outcome of each event", async () => {
  const log = await start();
  await log.append(
    newAct("1", {
      at: Date.UTC(2026, 10, 21),
      action: "test.delete",
      outcome: "rejected",
      content: { reason: "why \u2028" },
    }),
  );
  await log.sign();
  const lines = (await (await log.get("/audit/export?format=ocsf")).text()).split("\n");
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] as string)).toMatchObject({
    class_uid: 6003,
    type_uid: 600_304,
    status_id: 2,
    time: Date.UTC(2026, 10, 21),
    actor: { user: { uid: "U1", org: { uid: "T1" } } },
    api: { operation: "test.delete" },
    unmapped: { position: 0, content: { reason: "why \u2028" } },
  });
});

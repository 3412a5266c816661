// suite: both
import { startAdminApi } from "@crosszone/admin-api/testing";
import { type AuditTables, openZoneAudit, readHistory } from "@crosszone/audit";
import { readPublicKey, verifyAudit } from "@crosszone/audit/verify";
import type { AuditEvent, AuditReceipt } from "@crosszone/contracts";
import { createRecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFolder } from "@crosszone/testkit/temporary";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { loadExecutionConfig } from "./config/config.ts";
import { createInputRoutes } from "../doors/api/input-routes.ts";
import { openExecutionData } from "./ops/data.ts";
import { ballot, newInput, payment, voter } from "../testing/new-input.ts";
import type { NewInput } from "../people/input-record.ts";
import { openInputsOf } from "../testing/open-inputs.ts";

const id = newInput().request_id;

onBothEngines("the zone's audit log", (newDatabase) => {
  const open = async () => {
    const [given, DATA_DIR] = [await newDatabase(), tempFolder()];
    const isFile = given.startsWith("sqlite:");
    const url = isFile ? `sqlite:${DATA_DIR}/execution.sqlite` : given;
    const zone = await openInputsOf({ url });
    const { database, requests } = zone;
    const config = { ...loadExecutionConfig({ ADMIN_TOKENS: "x".repeat(32) }).values, DATA_DIR };
    const audit = await openZoneAudit({ zone: "execution", config, database, emit: () => undefined });
    onTestFinished(audit.close);
    const { ask } = await startAdminApi({ parts: [createInputRoutes(requests, audit.receiptOf)] });
    const acts = async (action: string) => {
      const found = database.db.selectFrom("audit_event").select(["event", "actor"]).where("action", "=", action);
      return (await found.orderBy("id").execute()).map(({ event, actor }) => {
        const { target } = JSON.parse(event) as AuditEvent;
        return [actor.split(":")[0], target.id];
      });
    };
    return { ...zone, ask, acts, env: isFile ? { DATA_DIR } : { DATABASE_URL: url } };
  };

  test("V2: a person's decision has a receipt that verifies, at once; an open request has none", async () => {
    const { requests, ask } = await open();
    const asked = await requests.ask(newInput({ action: payment(1) }));
    expect(await ask(`GET /input-requests/${id}/receipt`)).toMatchObject({
      status: 404,
      body: { title: /no receipt/ },
    });
    await requests.answer(id, ballot(voter("U_BOB"), { digest: asked?.action?.digest }));
    const { body } = await ask(`GET /input-requests/${id}/receipt`);
    const receipt = body as unknown as AuditReceipt;
    expect(receipt.event).toMatchObject({
      action: "input.decide",
      actor: { id: "U_BOB" },
      surface: "slack",
      policy: "p",
    });
    const how = { keys: [readPublicKey(receipt.public_key)] };
    expect((await verifyAudit([JSON.stringify(receipt)], how)).finding).toBeUndefined();
    const other = JSON.stringify(receipt).replace("U_BOB", "U_EVE");
    expect((await verifyAudit([other], how)).finding).toBeDefined();
  });

  test("V1: exports, purges and reseals of the data command are events of the zone", async () => {
    const { env, acts } = await open();
    const data = await openExecutionData(env);
    onTestFinished(() => data.close());
    await Array.fromAsync(data.rows("T1"));
    await data.purge("T1");
    await data.reseal();
    for (const [action, target] of Object.entries({ export: "T1", purge: "T1", reseal: "*" }))
      expect([action, await acts(`data.${action}`)]).toEqual([action, [["zone", target]]]);
  });
});

const [bob, ops] = [voter("U_BOB"), voter("U_OPS", ["S_OPS"], "T1")];
const action = payment(100);

onBothEngines("V1: the acts of input requests", (newDatabase) => {
  const open = async (members: Partial<NewInput> = {}) => {
    const zone = await openInputsOf({ url: await newDatabase() });
    const { database, requests } = zone;
    const read = { database: database as unknown as Database<AuditTables>, codec: createRecordCodec(undefined) };
    /** Oldest first. */
    const acts = async () =>
      (await readHistory(read, { type: "input_request", id }, { limit: 99 })).events.toReversed();
    const did = async () =>
      (await acts()).map(({ event: { action: done, outcome, actor, details } }) => [
        `${done} ${outcome} ${actor.type}:${actor.id}`,
        details?.["because"] ?? details?.["state"] ?? details?.["verdict"],
      ]);
    const asked = await requests.ask(newInput({ action, ...members }));
    const approval = { digest: asked?.action?.digest };
    return { ...zone, acts, did, approval };
  };

  test("has each vote, decision and use, by whom, through what and of what", async () => {
    const { requests, acts, did, approval } = await open({ decide: { ...newInput().decide, approve: 2 } });
    const reason = "It is due.";
    const answer = { verdict: "approve", reason } as const;
    await requests.answer(id, ballot(ops, { ...approval, answer }));
    await requests.answer(id, ballot(bob, { ...approval, answer, voters: [ops] }));
    await requests.use(id, action, "p");
    expect(await did()).toEqual([
      ["input.ask done zone:execution", undefined],
      ["input.vote done person:U_OPS", "approve"],
      ["input.decide done person:U_BOB", "approved"],
      ["input.use done zone:execution", "used"],
    ]);
    const [asked, , decided] = await acts();
    expect(asked?.content?.members).toMatchObject({ title: "Send the invoice?", arguments: action.arguments });
    expect(decided).toMatchObject({
      event: {
        id: (await requests.find(id))?.request.decision_event,
        actor: { type: "person", id: "U_BOB", team: "T1" },
        surface: "slack",
        policy: "p",
        details: { ...approval, tool: "pay", votes: "U_OPS U_BOB", caller: "verification" },
      },
      content: { members: { reason } },
    });
  });

  test("has each rejected attempt, and why", async () => {
    const { requests, did, approval } = await open();
    await requests.answer(id, ballot(voter("U_EVE"), approval));
    await requests.answer(id, ballot(bob, { digest: "another" }));
    await requests.answer(id, ballot(bob, { answer: { verdict: "answer", value: "x" } })).catch(() => undefined);
    await requests.use(id, action, "p");
    await requests.answer(id, ballot(bob, approval));
    await requests.answer(id, ballot(ops, approval));
    await requests.answer(id, ballot({ user_id: "token:ci", groups: [] }, { ...approval, via: "api" }));
    await requests.use(id, payment(101), "p");
    expect(await did()).toEqual([
      ["input.ask done zone:execution", undefined],
      ["input.decide rejected person:U_EVE", "not_eligible"],
      ["input.decide rejected person:U_BOB", "changed"],
      ["input.decide rejected person:U_BOB", "invalid_params"],
      ["input.use rejected zone:execution", "not_approved"],
      ["input.decide done person:U_BOB", "approved"],
      ["input.decide rejected person:U_OPS", "already_decided"],
      ["input.decide rejected token:ci", "already_decided"],
      ["input.withdraw done zone:execution", "The action is not the one that was approved."],
      ["input.use rejected zone:execution", "changed"],
    ]);
  });

  test("has a withdrawal with its token, and an end by time with both the end and the late answer", async () => {
    const late = await open({ expiresInMs: 0 });
    await late.requests.answer(id, ballot(bob, late.approval));
    expect((await late.did()).slice(1)).toEqual([
      ["input.expire done zone:execution", "No decision was made in time."],
      ["input.decide rejected person:U_BOB", "expired"],
    ]);
    const { requests, acts, did } = await open();
    await requests.withdraw(id, "Withdrawn by ci.", { actor: "ci", correlationId: "c", reason: "asked twice" });
    expect((await did()).slice(1)).toEqual([["input.withdraw done token:ci", "Withdrawn by ci."]]);
    expect((await acts())[1]?.content?.members).toMatchObject({ reason: "asked twice" });
  });

  test("has an act and its event together or neither, and a request that is asked twice once", async () => {
    const { requests, database, did, approval } = await open();
    const other = `${id}_2`;
    const again = await requests.asking([newInput({ request_id: other })]);
    await database.batch(again);
    await database.batch(again);
    const { rows } = await sql`select 1 from audit_event where target = ${`input_request:${other}`}`.execute(
      database.db,
    );
    expect(rows).toHaveLength(1);
    await sql`drop table audit_content`.execute(database.db);
    const answer = { verdict: "deny", reason: "No." } as const;
    await expect(requests.answer(id, ballot(bob, { ...approval, answer }))).rejects.toThrow(/audit_content/);
    expect((await requests.find(id))?.request).toMatchObject({ state: "open", version: 1 });
    await sql`create table audit_content (event_id text, record text)`.execute(database.db);
    expect(await did()).toHaveLength(1);
  });
});

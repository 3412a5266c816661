// suite: both
import { type AuditTables, readHistory } from "@crosszone/audit";
import { createRecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { ballot, newInput, payment, voter } from "../testing/new-input.ts";
import { openInputsOf } from "../testing/open-inputs.ts";
import type { NewInput } from "./input-record.ts";

const id = newInput().request_id;
const [bob, ops] = [voter("U_BOB"), voter("U_OPS", ["S_OPS"], "T1")];
const action = payment(100);

onBothEngines("V1: the audit log of input requests", (newDatabase) => {
  const open = async (members: Partial<NewInput> = {}) => {
    const zone = await openInputsOf({ url: await newDatabase() });
    const { database, requests } = zone;
    const read = { database: database as unknown as Database<AuditTables>, codec: createRecordCodec(undefined) };
    /** Oldest first. */
    const acts = async () =>
      (await readHistory(read, { type: "input_request", id }, { limit: 99, offset: 0 })).events.toReversed();
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

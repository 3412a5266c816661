// suite: both
import { createSecretKey } from "node:crypto";
import { createVault } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { appendTo, newAct, openAuditDatabase } from "../testing/open-audit.ts";

const secret = { reason: "Adelheid's own words \0 \ud800", typed: { amount: 5 }, absent: undefined };

onBothEngines("appendAudit", (newDatabase) => {
  async function open() {
    const database = await openAuditDatabase(await newDatabase());
    onTestFinished(() => database.close());
    return database;
  }

  test("V1: stores an act and its events together or not at all", async () => {
    const database = await open();
    const append = appendTo(database);
    const act = (id: string, fails: boolean) =>
      database.transaction(async (tx) => {
        await tx.insertInto("act").values({ id }).execute();
        await append(tx, [newAct(id), newAct(id, { outcome: "rejected", content: secret })]);
        if (fails) throw new Error("fails");
      });
    await expect(act("lost", true)).rejects.toThrow("fails");
    await act("kept", false);
    await database.batch(append.queries([newAct("batch", { content: secret })]));
    const rows = await database.db.selectFrom("audit_event").selectAll().orderBy("id").execute();
    expect(rows.map(({ target, outcome, actor, position }) => [target, outcome, actor, position])).toEqual([
      ["test:kept", "done", "person:U1", null],
      ["test:kept", "rejected", "person:U1", null],
      ["test:batch", "done", "person:U1", null],
    ]);
    expect(await database.db.selectFrom("audit_content").select("team").execute()).toHaveLength(2);
  });

  test("V3: the event has only salted hashes of its content, which is sealed", async () => {
    const database = await open();
    const vault = createVault([{ id: "k", key: createSecretKey(Buffer.alloc(32, 1)) }]);
    await database.transaction((tx) =>
      appendTo(database, vault)(tx, [newAct("1", { content: secret }), newAct("2", { content: secret })]),
    );
    const events = await database.db.selectFrom("audit_event").selectAll().execute();
    const contents = await database.db.selectFrom("audit_content").selectAll().execute();
    expect(JSON.stringify([events, contents])).not.toMatch(/Adelheid|amount/);
    const [one, two] = events.map(({ event }) => (JSON.parse(event) as { content: Record<string, string> }).content);
    expect(Object.keys(one ?? {})).toEqual(["reason", "typed"]);
    expect(one?.["reason"]).not.toBe(two?.["reason"]);
  });
});

// suite: both
import { startAdminApi } from "@crosszone/admin-api/testing";
import { openZoneAudit } from "@crosszone/audit";
import { createAuditRoutes } from "@crosszone/audit/api";
import { readPublicKey, verifyAudit } from "@crosszone/audit/verify";
import type { AuditEvent, AuditReceipt } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { loadExecutionConfig } from "./config/config.ts";
import { createInputRoutes } from "../doors/api/input-routes.ts";
import { recordReads } from "../doors/api/task-routes.ts";
import { openExecutionData } from "./ops/data.ts";
import { ballot, newInput, payment, voter } from "../testing/new-input.ts";
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
    const parts = [createInputRoutes(requests, audit.receiptOf), createAuditRoutes(audit.read)];
    const append = (act: Parameters<typeof audit.append>[1][number]) => audit.append(database.db, [act]);
    const { ask } = await startAdminApi({ parts: parts.map((part) => recordReads(part, append)) });
    const acts = async (action: string) => {
      const found = database.db.selectFrom("audit_event").select(["event", "actor"]).where("action", "=", action);
      return (await found.orderBy("id").execute()).map(({ event, actor }) => {
        const { target, details } = JSON.parse(event) as AuditEvent;
        return [actor.split(":")[0], target.id, details?.["path"]];
      });
    };
    return { ...zone, ask, acts, env: isFile ? { DATA_DIR } : { DATABASE_URL: url } };
  };

  test("V1: a person's decision has a receipt that verifies, at once; an open request has none", async () => {
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

  test("V1: each read of content is an event of its reader, and each policy in force is one", async () => {
    const { requests, ask, acts } = await open();
    await requests.ask(newInput());
    await ask(`GET /input-requests/${id}`);
    await ask("GET /input-requests?state=open");
    await ask("GET /input-requests/inp_0123456789abcdef");
    await ask("GET /audit/events");
    expect(await acts("content.read")).toEqual([
      ["bootstrap", id, "/input-requests/{request_id}"],
      ["bootstrap", "*", "/input-requests"],
      ["bootstrap", "*", "/audit/events"],
    ]);
    expect(await acts("policy.load")).toEqual([["zone", "approvals", undefined]]);
  });

  test("V1: exports, purges and reseals of the data command are events of the zone", async () => {
    const { env, acts } = await open();
    const data = await openExecutionData(env);
    onTestFinished(() => data.close());
    await Array.fromAsync(data.rows("T1"));
    await data.purge("T1");
    await data.reseal();
    for (const [action, target] of Object.entries({ export: "T1", purge: "T1", reseal: "*" }))
      expect([action, await acts(`data.${action}`)]).toEqual([action, [["zone", target, undefined]]]);
  });
});

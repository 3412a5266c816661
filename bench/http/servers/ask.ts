import { mkdtempSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { tokenDigest } from "@crosszone/admin-api";
import { type AppendAudit, createAppendAudit, openZoneAudit } from "@crosszone/audit";
import { type Agent, createTokenStore, loadExecutionConfig, openAsk, TaskPaused } from "@crosszone/execution";
import { createHttpServer, createRecordCodec } from "@crosszone/service-kit";
import { answerText, chunk, chunksIn } from "../messages.ts";
import { startZone, type ZoneDatabase } from "./crosszone.ts";

const agents: readonly Agent[] = [
  {
    name: "prompt",
    description: "Answers at once, or in chunks",
    skills: [],
    run: async ({ text }, { preview }) => {
      const chunks = chunksIn(text);
      for (let sent = 0; sent < chunks; sent += 1) {
        preview?.text(chunk);
        await turn();
      }
      return { response_text: chunks === 0 ? answerText : chunk.repeat(chunks) };
    },
  },
  {
    name: "asks",
    description: "Asks a person",
    skills: [],
    run: async () => {
      throw new TaskPaused([{ key: "why", kind: "text", title: "Why?", body: answerText }], { continuation: 1 });
    },
  },
];

/** Whether the acts of a question are appended to the audit log, which is signed. */
export type Auditing = "audited" | "unaudited";

const openLog =
  (auditing: Auditing) =>
  async (database: ZoneDatabase): Promise<AppendAudit> => {
    if (auditing === "unaudited") return Object.assign(async () => [], { queries: () => [] });
    const config = { DATA_DIR: mkdtempSync(join(tmpdir(), "crosszone-bench-key-")), AUDIT_RETENTION_MS: 3_600_000 };
    return (await openZoneAudit({ zone: "execution", config, database, emit: () => undefined })).append;
  };

/** The listener for programs, with a token in the database, and the zone behind it. */
export async function createAskServer(token: string, url: string, auditing: Auditing = "audited"): Promise<Server> {
  const { app, database, health, emit } = await startZone({ token, url, agents, openLog: openLog(auditing) });
  const append = createAppendAudit({ engine: database.engine, codec: createRecordCodec(undefined) });
  const stored = createTokenStore(database, append);
  const by = { actor: "bootstrap", correlationId: "bench" };
  const digest = tokenDigest(token);
  await stored.create({ name: "bench", scopes: ["ask"], expires_in: 86_400, digest, by, latest: undefined });
  const { values: config } = loadExecutionConfig({ ASK_PORT: "0" });
  const grant = { token: "bench", agents: ["*"], per_minute: 1_000_000, open_tasks: 1_000_000 };
  const access = { settings: { issuers: [], askers: [grant] } };
  const asking: Parameters<typeof openAsk>[1] = {
    access: () => access,
    tokens: { tokens: () => [], stored },
    record: (act) => append(database.db, [act]),
    pageKey: new Uint8Array(32),
  };
  const listener = openAsk(config, asking, { ask: app.ask, health, emit, version: "0.0.0" });
  return createHttpServer(listener, { onBadRequest: app.badRequest });
}

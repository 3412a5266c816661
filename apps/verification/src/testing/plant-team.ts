import { createSecretKey, randomUUID } from "node:crypto";
import { zoneAct } from "@crosszone/audit";
import { createRecordCodec, createVault, type Vault } from "@crosszone/service-kit";
import type { VerificationDatabase } from "../database.ts";
import { createHandles } from "../link/handles.ts";
import { createMessageEnds } from "../asking/message-ends.ts";
import { createSweepStore } from "../inbox/sweep-store.ts";
import { RatingStore } from "../inbox/rating-store.ts";
import { ThreadStore } from "../inbox/thread-store.ts";
import { createInstallationStore } from "../workspaces/installation-store.ts";
import { createStreamPace } from "../showing/streams/streams.ts";
import { openTestAudit, questionRecord, createTestInbox } from "./test-inbox.ts";

/** The text in everything that `plantTeam` stores. */
export const plantedWords = (team: string): string => `only-${team}-wrote-this`;

const someVault = createVault([{ id: "planted", key: createSecretKey(Buffer.alloc(32)) }]);

/** Stores data of a team in every table with team data, through the stores; sealed if there is a vault. */
export async function plantTeam(database: VerificationDatabase, team: string, vault?: Vault): Promise<void> {
  const words = plantedWords(team);
  const grant = { request_id: words, correlation_id: words, team_id: team, channel: words, file_ids: [words] };
  await createHandles(database, { now: Date.now, ttlMs: 60_000 }).issue(grant);
  const record = questionRecord({
    request_id: randomUUID(),
    claims: [words],
    team_id: team,
    channel: words,
    text: words,
  });
  await createTestInbox(database, { codec: createRecordCodec(vault) }).accept(record);
  await new ThreadStore(database).join(record);
  const rating = { reference: words, team_id: team, user_id: words, rating: "bad", reason: words } as const;
  await new RatingStore(database, createRecordCodec(vault)).put(rating);
  await createStreamPace(database).turn(team);
  const sweeps = createSweepStore(database, { owner: words, leaseMs: 1 });
  await sweeps.beat([team], 0);
  await sweeps.read({ team_id: team, since: 0, began_at: 0, asked: 0 }, { channel: words, asked: 0 });
  await database.batch(createMessageEnds(database, Date.now).ended({ record, attempt: 1 }, { outcome: "done" }));
  const { append, record: recordAct } = await openTestAudit(database, vault);
  const act = { action: "planted", target: { type: "team", id: team }, content: { words } };
  await recordAct({ ...zoneAct("verification", act), actor: { type: "bot", id: "B1", team } });
  await createInstallationStore(database, vault ?? someVault, append).put(
    {
      id: team,
      install: randomUUID(),
      bot_user_id: words,
      bot_id: words,
      scopes: ["chat:write"],
      installed_by: "UADMIN",
      installed_at: 0,
    },
    { token: words },
  );
}

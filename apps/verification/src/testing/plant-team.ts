import { createSecretKey } from "node:crypto";
import { createVault } from "@crosszone/service-kit";
import { createSqlHandleStore } from "../handles/sql-handle-store.ts";
import { createSqlInstallationStore } from "../installations/sql-installation-store.ts";
import { askRecord } from "./ask-record.ts";
import { createTestInbox } from "./create-test-inbox.ts";
import type { VerificationDatabase } from "../database/open-verification-database.ts";

/** What stands in all that `plantTeam` keeps. */
export const plantedWords = (team: string): string => `only-${team}-wrote-this`;

/** Keeps something of a team in every table that knows teams, through the stores. */
export async function plantTeam(database: VerificationDatabase, team: string): Promise<void> {
  const words = plantedWords(team);
  await createSqlHandleStore(database, { now: Date.now }).keep({
    digest: `digest-${team}`,
    grant: { request_id: words, correlation_id: words, team_id: team, channel: words, file_ids: [words] },
    expires_at: Date.now() + 60_000,
  });
  await createTestInbox(database).accept(
    askRecord({ request_id: `request-${team}`, team_id: team, channel: words, text: words }),
  );
  const vault = createVault([{ id: "planted", key: createSecretKey(Buffer.alloc(32)) }]);
  await createSqlInstallationStore(database, { vault }).put(
    {
      ...{ id: team, install: words, bot_user_id: words, bot_id: words },
      ...{ scopes: [words], installed_by: words, installed_at: 0 },
    },
    { token: words },
  );
}

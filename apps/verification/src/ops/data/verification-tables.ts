import type { OwnedTable } from "@crosszone/sql";
import { sealContexts } from "../../inbox/inbox-jobs.ts";
import { grantContext } from "../../workspaces/installations/sql-installation-store.ts";

/** The tables with a team's rows, in order of deletion: the tables that let messages in go first. */
export const verificationTables: readonly OwnedTable[] = [
  {
    name: "installation",
    owner: "id",
    key: ["id"],
    holds: "the installation of the app, with its tokens",
    content: { grant_sealed: "secret" },
    sealed: { grant_sealed: ({ id }) => grantContext({ id: String(id) }) },
  },
  {
    name: "job",
    owner: "team",
    key: ["sequence"],
    holds: "the inbox: messages that are waiting, being answered, or parked",
    content: { input: "record", answer: "record" },
    sealed: {
      input: ({ id }) => sealContexts.record(String(id)),
      answer: ({ id }) => sealContexts.answer(String(id)),
    },
  },
  { name: "thread", owner: "team_id", key: ["digest"], holds: "threads that the app takes part in, as digests" },
  {
    name: "handle",
    owner: "team_id",
    key: ["digest"],
    holds: "handles of tasks, which open their files",
    content: { digest: "secret", opens: "json" },
  },
  {
    name: "stream_pace",
    owner: "team_id",
    key: ["team_id", "place"],
    holds: "when streamed answers of the workspace can begin and grow",
  },
];

/** The other tables, with the reason why no row belongs to a team. */
export const tablesOfNoTeam: Readonly<Record<string, string>> = {
  job_worker: "the processes of the zone, by random ids, with the time until which they hold their records",
  claim: "digests of events and messages, kept for a day, so that none is answered twice",
  spent_state: "digests of states that ended an install, kept for ten minutes, so that none ends another",
};

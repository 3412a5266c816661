import type { OwnedTable } from "@crosszone/sql";

/** The tables with rows of a Slack team, in the order in which they are deleted. */
export const verificationTables: readonly OwnedTable[] = [
  {
    name: "handle",
    owner: "team_id",
    key: ["digest"],
    holds: "handles of tasks, which open their files",
    content: { digest: "secret", opens: "json" },
  },
];

/** The others, each with the reason why a team is none of its matters. */
export const tablesOfNoTeam: Readonly<Record<string, string>> = {};

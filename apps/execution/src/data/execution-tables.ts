import type { OwnedTable } from "@crosszone/sql";

/** The tables with rows of a Slack team, in the order in which they are deleted. */
export const executionTables: readonly OwnedTable[] = [];

/** The others, each with the reason why a team is none of its matters. */
export const tablesOfNoTeam: Readonly<Record<string, string>> = {};

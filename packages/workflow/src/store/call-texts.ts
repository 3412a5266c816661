import {
  emptiedText,
  endColumns,
  endText,
  executionJobs,
  leaseColumns,
  insertColumns,
  insertText,
  jobStates,
} from "@crosszone/jobs";
import { nowText, type ColumnKind, type Engine } from "@crosszone/sql";

type Columns = Readonly<Record<string, ColumnKind>>;

/** The columns of calls that end because their result is applied. */
export const endedColumns: Columns = { ...leaseColumns, run_id: "text", ...endColumns(executionJobs) };

/** The columns of new calls. */
export const callColumns: Columns = insertColumns(executionJobs);

/** Returns the text that adds calls from a table expression named `new`. */
export const addCallsText = (rows: string, engine: Engine): string => insertText(executionJobs, rows, engine);

/** Returns the text that keeps the ends of held calls of a canary, which its judge reads. The ends of others are deleted. */
export const keepEndsText = (rows: string, engine: Engine): string =>
  `update job set ${endText(executionJobs, engine)} from ${rows} where job.id = new.id and job.trial is not null`;

/** Returns the text that ends calls whoever holds them. */
export const dropCallsText = (rows: string, engine: Engine): string => `
  update job set state = ${jobStates.ended}, ended_at = ${nowText[engine]}, owner = null, outcome = new.outcome, output = null,
    ${emptiedText(executionJobs)} from ${rows} where job.id = new.id and job.state < ${jobStates.ended}`;

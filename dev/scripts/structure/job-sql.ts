import { isProduct, type Source } from "./sources.ts";

/** SQL that changes the table of jobs: text, or calls of Kysely's builder. */
const change = /\b(?:update|insert\s+into|delete\s+from)\s+job\b|\b(?:insertInto|updateTable|deleteFrom)\("job"\)/i;

/** Files outside of `packages/jobs` that still have such SQL. */
const allowed: ReadonlySet<string> = new Set(["apps/verification/src/inbox/inbox.ts"]);

/** Returns one sentence for each product file that changes the table of jobs with SQL of its own. */
export const findJobSql = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => isProduct(path) && !path.startsWith("packages/jobs/") && !allowed.has(path))
    .filter(({ text }) => change.test(text))
    .map(
      ({ path }) => `${path} has SQL that changes the table job: use a method of JobStore, or add one to packages/jobs`,
    );

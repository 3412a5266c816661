/**
 * Part of `pnpm lint`: each file has a circle, imports between folders go down one order, no folder is
 * crowded, one package changes jobs, each test file names its suite, its inputs and whether it judges, and no migration step changes.
 */
import { findStrays } from "./structure/circles.ts";
import { folderOrder } from "./structure/folder-order.ts";
import { findCrowds, findKnots, findUpwardImports } from "./structure/folders.ts";
import { findJobSql } from "./structure/job-sql.ts";
import { listFiles, readSources } from "./structure/sources.ts";
import { findChangedSteps } from "./structure/steps.ts";
import { findStaleInputs, findSuites, findTriedKillers } from "./structure/suites.ts";

const files = listFiles();
const sources = readSources(files);
const problems = [
  ...findStrays(files),
  ...findUpwardImports(sources, folderOrder),
  ...findKnots(sources),
  ...findCrowds(sources),
  ...findJobSql(sources),
  ...findSuites(sources),
  ...findStaleInputs(sources, files),
  ...findTriedKillers(sources),
  ...findChangedSteps(),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`Structure: ${sources.length} files, imports go down in every folder.\n`);

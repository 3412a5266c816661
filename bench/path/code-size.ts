import { spawnSync } from "node:child_process";
import { matchesGlob } from "node:path";

/** The last commit before the job engine. */
export const commitBefore = "ca314c57";

/**
 * Queue, bus and worker code: what stores questions, tasks, calls and messages, leases them, works on them, wakes and ends. By what it is for:
 * where it was, and where it went. Globs with `!` are left out of their part at both commits.
 */
const parts = {
  "inbox of verification": [
    "apps/verification/src/inbox/**",
    // Threads, and what a worker does with a question.
    "!apps/verification/src/inbox/{sql-thread-store,thread-store,work-on-record}.ts",
    "!apps/verification/src/database/jobs-step.ts",
  ],
  "tasks of execution": [
    "apps/execution/src/tasks/**",
    // Tasks, the input of their agents, and previews.
    "!apps/execution/src/tasks/{task,task-id,task-observer,task-spans,task-state,team-key}.ts",
    "!apps/execution/src/tasks/{grant-files,lend-files,preview-log,run-agent}.ts",
    "!apps/execution/src/tasks/{task-reader,sql/shown-task,sql/sql-task-reader}.ts",
  ],
  "waits for agents": [
    "apps/execution/src/agents/bridged/waits/**",
    "apps/execution/src/agents/bridged/{call-ends,call-reader,result-watch,task-calls,task-exchange}.ts",
    "apps/execution/src/agents/calls/{call-ends,call-reader,result-watch,task-calls}.ts",
  ],
  "bridge and its calls": [
    "packages/agent-bridge/src/bridge/**",
    "packages/agent-bridge/src/calls/store/**",
    "packages/agent-bridge/src/calls/{agent-call,agent-call-steps,call-store,read-calls,read-progress,read-results,taken-call}.ts",
  ],
  "opened by roles": [
    "apps/execution/src/roles/{open-bridge,open-bus,open-calls,open-exchange,open-gateway,open-jobs,open-task-calls}.ts",
    "apps/execution/src/database/open-jobs.ts",
  ],
  "bus, without Kafka": ["packages/bus/src/*", "packages/bus/src/{codec,embedded}/**"],
  Kafka: ["packages/bus/src/kafka/**", "packages/kafka-gateway/src/**"],
  "job engine": ["packages/jobs/src/**"],
  "upgrade from the tables before": [
    "apps/execution/src/database/before-jobs/**",
    "apps/execution/src/database/{jobs-step,left-message-table}.ts",
    "apps/execution/src/roles/take-left-messages.ts",
    "apps/verification/src/database/jobs-step.ts",
  ],
} as const;

/** Whether a file below the repository is queue, bus or worker code. */
export const isDurable = (path: string): boolean =>
  Object.values<readonly string[]>(parts).some((globs) => {
    const [within, without] = [globs.filter((glob) => !isLeftOut(glob)), globs.filter(isLeftOut)];
    return within.some((glob) => matchesGlob(path, glob)) && !without.some((glob) => matchesGlob(path, glob.slice(1)));
  });

const isLeftOut = (glob: string): boolean => glob.startsWith("!");

export interface Size {
  readonly files: number;
  readonly lines: number;
}

export interface PartSize {
  readonly part: string;
  /** Undefined where the history does not go back to that commit. */
  readonly before: Size | undefined;
  readonly now: Size;
}

/** The size of each part of the code, before and now, without tests. Reads the repository at `root` with git. */
export function measureCodeSize(root: string): PartSize[] {
  const hasBefore = git(root, ["rev-parse", "--verify", "--quiet", `${commitBefore}^{commit}`]).status === 0;
  return Object.entries(parts).map(([part, globs]) => ({
    part,
    before: hasBefore ? sizeOf(root, globs, commitBefore) : undefined,
    now: sizeOf(root, globs),
  }));
}

const tests = ["**/*.test.ts", "**/*.contract.ts", "**/testing/**", "**/generated/**"];

/** Counts files and lines of TypeScript: of a commit, or of the working tree. */
export function sizeOf(root: string, globs: readonly string[], commit?: string): Size {
  const paths = [
    ...globs
      .filter((glob) => !isLeftOut(glob))
      .flatMap(expanded)
      .map((glob) => `:(glob)${glob}`),
    ...[...tests, ...globs.filter(isLeftOut).map((glob) => glob.slice(1))]
      .flatMap(expanded)
      .map((glob) => `:(exclude,glob)${glob}`),
  ];
  const tree = commit === undefined ? ["--untracked", "-e", ""] : ["-e", "", commit];
  const { status, stdout, stderr } = git(root, ["grep", "--count", ...tree, "--", ...paths]);
  // 1: no such file.
  if (status !== 0 && status !== 1) throw new Error(`git grep failed in ${root}: ${stderr}`);
  const counts = stdout
    .split("\n")
    .filter((line) => /\.ts:\d+$/.test(line))
    .map((line) => Number(line.slice(line.lastIndexOf(":") + 1)));
  return { files: counts.length, lines: counts.reduce((sum, count) => sum + count, 0) };
}

/** Git's patterns have no `{a,b}`. */
function expanded(glob: string): string[] {
  const [whole, list] = /\{([^}]*)\}/.exec(glob) ?? [];
  return whole === undefined || list === undefined
    ? [glob]
    : list.split(",").flatMap((one) => expanded(glob.replace(whole, one)));
}

function git(cwd: string, args: readonly string[]) {
  return spawnSync("git", args, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

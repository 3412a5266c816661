/** A workflow of GitHub Actions, or a composite action, in the members that the checks read. */
export interface Workflow {
  readonly on?: unknown;
  readonly permissions?: unknown;
  readonly jobs?: Readonly<Record<string, Job>>;
  readonly runs?: { readonly steps: readonly Step[] };
}

export interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly concurrency?: { readonly group: string };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const apps = ["execution", "verification"] as const;
const isPinned = (uses: string): boolean => uses.startsWith("./") || /@[0-9a-f]{40}$/.test(uses);
const ownCommands = new Set(["exec", "install", "sbom"]);

/** What is wrong with the steps of any workflow. `scripts` are the names in package.json. */
export function stepProblems(workflow: Workflow, scripts: readonly string[]): string[] {
  const jobs = Object.values(workflow.jobs ?? {});
  const steps = [...jobs.flatMap((job) => job.steps), ...(workflow.runs?.steps ?? [])];
  return steps.flatMap(({ uses = "", run = "", with: inputs }) => {
    const called = [...run.matchAll(/pnpm (?:--silent )?(?:run )?([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
    const unknown = called.filter((name) => !scripts.includes(name) && !ownCommands.has(name));
    const keeps = uses.startsWith("actions/checkout@") && inputs?.["persist-credentials"] !== false;
    return [
      ...(uses === "" || isPinned(uses) ? [] : [`${uses} isn't pinned by commit`]),
      ...(keeps ? ["a checkout leaves its token in the folder"] : []),
      ...(run.includes("${{") ? [`an expression is part of a command: ${run}`] : []),
      ...(run.trim().includes("\n") ? [`a step is longer than one line: ${run}`] : []),
      ...unknown.map((name) => `package.json has no script ${name}`),
    ];
  });
}

/** Returns the problems of a workflow's jobs: permissions, time limits, and triggers. */
export function jobProblems({ jobs = {}, permissions, on }: Workflow): string[] {
  return [
    ...(JSON.stringify(permissions) === "{}" ? [] : ["the workflow has permissions of its own: give them to jobs"]),
    ...(JSON.stringify(on).includes("pull_request_target") ? ["pull requests of strangers run with its secrets"] : []),
    ...Object.entries(jobs).flatMap(([name, job]) => [
      ...(job.permissions === undefined ? [`${name} doesn't say its permissions`] : []),
      ...(job["timeout-minutes"] === undefined ? [`${name} has no time limit`] : []),
    ]),
  ];
}

const needsOf = ({ needs = [] }: Job): readonly string[] => [needs].flat();
const commandsOf = ({ steps }: Job): string => steps.map(({ run = "" }) => run).join("\n");
const rolesOf = ({ steps }: Job): unknown[] => steps.flatMap((step) => step.with?.["role-to-assume"] ?? []);

/** Where the wall between the zones has a hole in the workflow that deploys them, or a step is missing or too early. */
export function deployProblems({ jobs = {} }: Workflow): string[] {
  const all = apps.flatMap((app) => jobs[`deploy-${app}`] ?? []);
  const [execution, verification] = all;
  if (execution === undefined || verification === undefined) return ["an app has no job of its own"];
  const one = (what: string, of: (job: Job) => unknown): string[] =>
    of(execution) === undefined || String(of(execution)) === String(of(verification))
      ? [`both apps have one ${what}`]
      : [];
  const others = Object.entries(jobs).filter(([, job]) => !all.includes(job));
  return [
    ...one("environment", (job) => job.environment),
    ...one("concurrency group", (job) => job.concurrency?.group),
    ...one("role", (job) => rolesOf(job)[0]),
    ...others.flatMap(([name, job]) => (rolesOf(job).length > 0 ? [`${name} takes a role of the cloud`] : [])),
    ...(needsOf(verification).includes("deploy-execution") ? [] : ["verification doesn't wait for execution"]),
    ...apps.flatMap((app, index) => orderProblems(app, all[index] as Job)),
  ];
}

/** The steps of an app's job, in their order. */
function orderProblems(app: (typeof apps)[number], job: Job): string[] {
  const [other = ""] = apps.filter((name) => name !== app);
  const order = [`deploy:aws ${app} --live-digest`, "gh attestation verify", `deploy:aws ${app} --digest`];
  const commands = commandsOf(job);
  const places = [...order, `deploy:smoke ${app}`, `deploy:aws ${app} --rollback`].map((part) =>
    commands.indexOf(part),
  );
  const isOrdered = places.every((place, index) => place > (places[index - 1] ?? -1));
  const deploy = job.steps.find(({ id }) => id === "deploy");
  return [
    ...(isOrdered ? [] : [`${app}: expected live digest, attestation, deploy, doctor and rollback in this order`]),
    ...(deploy?.if?.includes("steps.live.outputs.digest") ? [] : [`${app}: it is deployed although it is live`]),
    ...(commands.includes(`deploy:aws ${other}`) ? [`${app}: its job deploys ${other}`] : []),
  ];
}

/** A workflow of GitHub Actions, in the members that the checks read. */
export interface Workflow {
  readonly on?: unknown;
  readonly jobs?: Readonly<Record<string, Job>>;
}

export interface Job {
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly concurrency?: { readonly group: string };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const apps = ["execution", "verification"] as const;
const needsOf = ({ needs = [] }: Job): readonly string[] => [needs].flat();
const commandsOf = ({ steps }: Job): string => steps.map(({ run, uses }) => run ?? uses ?? "").join("\n");
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

/** What each app's job does, in this order: it reads the live image, proves the new one, deploys it, asks it, and goes back if it must. */
const orders = {
  execution: [
    "deploy:agentcore --live-digest",
    "gh attestation verify",
    "deploy:agentcore --digest",
    "deploy:smoke execution",
    "deploy:agentcore --rollback",
  ],
  verification: [
    "ecs describe-task-definition",
    "gh attestation verify",
    "aws-actions/amazon-ecs-deploy-task-definition@",
    "deploy:smoke verification",
    "ecs update-service",
  ],
} as const;

const deployCommands = { execution: "deploy:agentcore", verification: "ecs-deploy-task-definition" } as const;

function orderProblems(app: (typeof apps)[number], job: Job): string[] {
  const other = app === "execution" ? "verification" : "execution";
  const commands = commandsOf(job);
  const places = orders[app].map((part) => commands.indexOf(part));
  const isOrdered = places.every((place, index) => place > (places[index - 1] ?? -1));
  const deploy = job.steps.find(({ id }) => id === "deploy");
  return [
    ...(isOrdered ? [] : [`${app}: expected live digest, attestation, deploy, doctor and rollback in this order`]),
    ...(deploy?.if?.includes("steps.live.outputs.digest") ? [] : [`${app}: it is deployed although it is live`]),
    ...(commands.includes(deployCommands[other]) ? [`${app}: its job deploys ${other}`] : []),
  ];
}

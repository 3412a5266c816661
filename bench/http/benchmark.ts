import { cpuProfiles, only, quickOr, type Values } from "../kit/arguments.ts";
import { defineBenchmark } from "../kit/benchmark.ts";
import { startDatabases } from "../kit/databases.ts";
import { inTurns, measureEach, type Progress } from "../kit/rounds.ts";
import { spawnWorker } from "../kit/worker.ts";
import { clientNames, type ClientName } from "./clients.ts";
import { judge, summarize, type Samples } from "./figures.ts";
import { measureClient, measureSteps, type ClientSample, type StepSample } from "./measure-clients.ts";
import { measureServer, type Bench, type ServerSample } from "./measure-servers.ts";
import { fullPlan, quickPlan } from "./plan.ts";
import { renderHttpReport } from "./report.ts";
import { engineOf, serverNames, type ServerName } from "./servers.ts";
import { surviveKill } from "./survive-kill.ts";

const allNames = [...serverNames, ...clientNames, "client-steps"] as const;
export type Name = (typeof allNames)[number];

/** The names to measure: ratios need a bare server, so any other server includes it. */
export function selection(names: readonly Name[]) {
  const isSelected = (name: Name): boolean => names.includes(name);
  const anyServer = serverNames.some(isSelected);
  return {
    servers: serverNames.filter((name) => isSelected(name) || (anyServer && name === "bare")),
    clients: clientNames.filter(isSelected),
    /** Our client's own work, without a network. */
    steps: isSelected("client-steps"),
  };
}

const commandLine = {
  plan: quickOr(fullPlan, quickPlan, "about 30 seconds; without it about 5 minutes"),
  only: only("name", allNames, "only this one, and the bare server for ratios"),
  cpuProf: cpuProfiles("one CPU profile of each server process, in folder/<server>"),
};

/** Measures everything once a round. */
async function measureHttp(
  { plan, only: asked, cpuProf }: Values<typeof commandLine>,
  progress: Progress,
): Promise<Samples> {
  const { servers, clients, steps } = selection(asked);
  const samples = { servers: [] as ServerSample[], clients: [] as ClientSample[], steps: [] as StepSample[] };
  const databases = await startDatabases(new Set(servers.map(engineOf)));
  const load = spawnWorker("requests/load-worker.ts", { side: "load" });
  const bench: Bench = { plan, load, databases, cpuProf };
  const measure = async (name: ServerName | ClientName, round: number): Promise<void> => {
    progress(` ${name}`);
    const server = serverNames.find((one) => one === name);
    if (server === undefined) samples.clients.push(await measureClient(name as ClientName, round, plan));
    else samples.servers.push(...(await measureServer(server, round, bench)));
  };
  for (let round = 0; round < plan.rounds; round++) {
    progress(`round ${round + 1} of ${plan.rounds}:`);
    for (const name of [...inTurns(servers, round), ...inTurns(clients, round)]) await measure(name, round);
    if (steps) samples.steps.push(...(await measureSteps(round, plan)));
    progress(steps ? " client-steps\n" : "\n");
  }
  const killed = servers.filter((name) => name.startsWith("execution-"));
  const kills = await measureEach(
    { title: "kills", of: Array.from({ length: plan.kills }, () => killed).flat(), progress },
    async (name) => [await surviveKill(name, { ...bench, cpuProf: undefined })],
  );
  await load.stop();
  await databases.stop();
  return { ...samples, kills };
}

export const http = defineBenchmark({
  script: "bench",
  about:
    "Compares Crosszone with other JSON-RPC servers and clients, in alternation, and lists the goals that it meets.",
  options: commandLine,
  notes: "Ends with 1 when a task that was acknowledged is missing after a crash.",
  page: "benchmark.md",
  measure: async (options, progress) => {
    const samples = await measureHttp(options, progress);
    const summary = summarize(samples);
    return { plan: options.plan, summary, goals: judge(samples, summary), samples };
  },
  render: renderHttpReport,
  isBroken: ({ samples }) => samples.kills.some(({ lost }) => lost > 0),
});

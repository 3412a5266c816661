import { measureClient, type ClientSample } from "./clients/measure-clients.ts";
import { measureSteps, type StepSample } from "./clients/measure-steps.ts";
import type { Options } from "./options.ts";
import { spawnWorker } from "./process/spawn-worker.ts";
import { measureServer, type ServerSample } from "./servers/measure-servers.ts";

/** All that was measured, in the order in which it was. */
export interface Samples {
  servers: ServerSample[];
  clients: ClientSample[];
  steps: StepSample[];
}

/** Goes through everything once a round, backwards every second round, so that a slow drift of the machine hits all alike. */
export async function measure(
  { plan, selection }: Pick<Options, "plan" | "selection">,
  progress: (text: string) => void,
): Promise<Samples> {
  const samples: Samples = { servers: [], clients: [], steps: [] };
  const load = spawnWorker("load/load-worker.ts", [], { side: "load" });
  for (let round = 0; round < plan.rounds; round++) {
    const inOrder = <T>(names: readonly T[]): readonly T[] => (round % 2 === 0 ? names : names.toReversed());
    progress(`round ${round + 1} of ${plan.rounds}:`);
    for (const name of inOrder(selection.servers)) {
      progress(` ${name}`);
      samples.servers.push(...(await measureServer(name, round, { plan, load })));
    }
    for (const name of inOrder(selection.clients)) {
      progress(` ${name}`);
      samples.clients.push(await measureClient(name, round, plan));
    }
    if (selection.steps) {
      progress(" client-steps");
      samples.steps.push(...(await measureSteps(round, plan)));
    }
    progress("\n");
  }
  await load.stop();
  return samples;
}

import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient } from "@crosszone/jsonrpc";
import { cpuCommands, serveCommands } from "../kit/commands.ts";
import { goOn, type Until } from "../requests/closed-loop.ts";
import { answerText, paramsOf, sizes, successResult, textOf, type SizeName } from "../requests/messages.ts";
import { clients, type BenchClient, type ClientName, type ClientOptions } from "./clients.ts";

/** CPU time, microseconds: to check and write a request; to read and check its answer. */
export interface StepTimes {
  readonly buildUs: number;
  readonly parseUs: number;
}

/** The size of the calls without a network, and for how long. */
export interface StepOrder {
  readonly size: SizeName;
  readonly ms: number;
}

let client: BenchClient;
let inFlight: number;
const { startCpu, stopCpu } = cpuCommands();

/** The process of one client: keeps some calls in flight and checks each answer. */
serveCommands({
  startCpu,
  stopCpu,
  open: async (options: ClientOptions): Promise<void> => {
    client = await clients[process.argv[2] as ClientName].create(options);
    inFlight = options.connections;
  },
  /** Returns the number of calls that ended. */
  run: async (until: Until): Promise<number> => {
    const more = goOn(until);
    let calls = 0;
    const keepCalling = async (): Promise<void> => {
      for (; more(calls); calls++) {
        const text = await client.call();
        if (text !== answerText) throw new Error(`a wrong answer: ${String(text)}`);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, keepCalling));
    return calls;
  },
  close: () => client.close(),
  steps: measureSteps,
});

/** Measures our client alone: it makes a batch of calls, and then the transport returns all their answers at once. */
async function measureSteps({ size, ms }: StepOrder): Promise<StepTimes> {
  const batch = 200;
  const id = crypto.randomUUID();
  const write = (text: string): string => JSON.stringify({ jsonrpc: "2.0", result: successResult(text), id });
  const answer = Buffer.from(write(textOf(sizes[size] - write("").length)));
  const waiting: ((answer: Uint8Array) => void)[] = [];
  const ours = createClient<ZoneMethods>({
    methods: zoneMethods,
    transport: { send: () => new Promise((resolve) => waiting.push(resolve)), close: async () => undefined },
    timeoutMs: 10_000,
    // Creates an id for every request, as in production; the prepared answer has only this one.
    newId: () => (crypto.randomUUID(), id),
  });
  const params = paramsOf(size);
  const until = performance.now() + ms;
  let [calls, built, parsed] = [0, 0, 0];
  for (; performance.now() < until; calls += batch) {
    startCpu();
    const answers = Array.from({ length: batch }, () => ours.call("execute_task", params));
    built += stopCpu();
    startCpu();
    for (const resolve of waiting.splice(0)) resolve(answer);
    await Promise.all(answers);
    parsed += stopCpu();
  }
  return { buildUs: built / calls, parseUs: parsed / calls };
}

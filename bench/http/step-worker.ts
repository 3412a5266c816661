import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient } from "@crosszone/jsonrpc";
import { cpuCommands, serveCommands } from "../kit/commands.ts";
import { paramsOf, sizes, successResult, textOf, type SizeName } from "../requests/messages.ts";

/** The size of the calls without a network, and for how long. */
export interface StepOrder {
  size: SizeName;
  ms: number;
}

/** CPU time, microseconds: to check and write a request; to read and check its answer. */
export interface StepTimes {
  buildUs: number;
  parseUs: number;
}

const id = crypto.randomUUID();
const batch = 200;

/** The process that measures our client alone: it makes a batch of calls, and then the transport returns all their answers at once. */
serveCommands({
  measure: async ({ size, ms }: StepOrder): Promise<StepTimes> => {
    const answer = answerOf(size);
    const waiting: ((answer: Uint8Array) => void)[] = [];
    const client = createClient<ZoneMethods>({
      methods: zoneMethods,
      transport: { send: () => new Promise((resolve) => waiting.push(resolve)), close: async () => undefined },
      timeoutMs: 10_000,
      // Creates an id for every request, as in production; the prepared answer has only this one.
      newId: () => (crypto.randomUUID(), id),
    });
    const params = paramsOf(size);
    const { startCpu, stopCpu } = cpuCommands();
    const until = performance.now() + ms;
    let calls = 0;
    let built = 0;
    let parsed = 0;
    for (; performance.now() < until; calls += batch) {
      startCpu();
      const answers = Array.from({ length: batch }, () => client.call("execute_task", params));
      built += stopCpu();
      startCpu();
      for (const resolve of waiting.splice(0)) resolve(answer);
      await Promise.all(answers);
      parsed += stopCpu();
    }
    return { buildUs: built / calls, parseUs: parsed / calls };
  },
});

function answerOf(size: SizeName): Uint8Array {
  const write = (text: string): string => JSON.stringify({ jsonrpc: "2.0", result: successResult(text), id });
  return Buffer.from(write(textOf(sizes[size] - write("").length)));
}

import { zoneMethods, type ZoneMethods } from "@crosszone/contracts";
import { createClient } from "@crosszone/jsonrpc";
import { paramsOf, sizes, successResult, textOf, type SizeName } from "../messages.ts";
import { cpuCommands } from "../process/cpu-commands.ts";
import { serveCommands } from "../process/serve-commands.ts";

/** What our client shall do without a network, for how long. */
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

/** The process that measures our client alone: a batch of calls is made, and then the transport has all their answers at once. */
serveCommands({
  measure: async ({ size, ms }: StepOrder): Promise<StepTimes> => {
    const answer = answerOf(size);
    const waiting: ((answer: Uint8Array) => void)[] = [];
    const client = createClient<ZoneMethods>({
      methods: zoneMethods,
      transport: { send: () => new Promise((resolve) => waiting.push(resolve)), close: async () => undefined },
      timeoutMs: 10_000,
      // Every request has a fresh id made, as in real life; the answer that is at hand has only this one.
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

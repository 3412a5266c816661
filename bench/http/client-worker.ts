import { cpuCommands, serveCommands } from "../kit/commands.ts";
import { clients, type BenchClient, type ClientName, type ClientOptions } from "./clients.ts";
import { goOn, type Until } from "./closed-loop.ts";
import { answerText } from "./messages.ts";

let client: BenchClient;
let inFlight: number;

/** The process of one client: keeps some calls in flight and checks each answer. */
serveCommands({
  ...cpuCommands(),
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
});

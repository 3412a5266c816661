import { agentOf } from "./agent-record.ts";
import { openBridge } from "./open-bridge.ts";
import { createRealCaller } from "./test-callers.ts";

/**
 * `node bridge-program.ts <database> <origin of the agent A>`: a bridge in its own process, which tests kill. Writes
 * `started`.
 */
const [database = "", origin = ""] = process.argv.slice(2);
const agents = [agentOf({ name: "A", url: `${origin}/` })];
const { caller } = createRealCaller([origin]);
const { bridge } = await openBridge(database, { agents, caller, leaseMs: 2_000 });
bridge.start();
process.stdout.write("started\n");

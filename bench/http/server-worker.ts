import { listen, serveCommands, startCpu } from "../kit/commands.ts";
import { servers, type ServerName, type ServerUnderTest } from "./servers.ts";

const { create, path = "/rpc" }: ServerUnderTest = servers[process.argv[2] as ServerName];
const server = await create(process.argv[3] ?? "");

/** The process of one server, which measures its own CPU time. */
let readCpu = startCpu();
serveCommands({
  startCpu: () => void (readCpu = startCpu()),
  stopCpu: () => readCpu(),
  listen: async () => `${await listen(server)}${path}`,
});

import { cpuCommands, listen, serveCommands } from "../kit/commands.ts";
import { servers, type ServerName } from "./servers.ts";

const server = await servers[process.argv[2] as ServerName].create(process.argv[3] ?? "");

/** The process of one server, which measures its own CPU time. */
serveCommands({ ...cpuCommands(), listen: async () => `${await listen(server)}/rpc` });

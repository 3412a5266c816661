import { cpuCommands } from "../process/cpu-commands.ts";
import { listenCommand } from "../process/listen-command.ts";
import { serveCommands } from "../process/serve-commands.ts";
import { servers, type ServerName } from "./servers.ts";

const server = await servers[process.argv[2] as ServerName].create();

/** The process of one server, which says itself how much CPU time it took. */
serveCommands({
  ...cpuCommands(),
  ...listenCommand(server),
});

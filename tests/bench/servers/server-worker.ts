import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { cpuCommands } from "../process/cpu-commands.ts";
import { serveCommands } from "../process/serve-commands.ts";
import { servers, type ServerName } from "./servers.ts";

const server = await servers[process.argv[2] as ServerName].create();
server.keepAliveTimeout = 65_000;

/** The process of one server, which says itself how much CPU time it took. */
serveCommands({
  ...cpuCommands(),
  listen: async (): Promise<string> => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`;
  },
});

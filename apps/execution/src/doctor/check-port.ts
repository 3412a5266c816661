import { failed, passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";

/** Who has a port: nobody, this zone already, somebody else; or the system refuses it, with its code. */
export type PortHolder = "nobody" | "this_zone" | "somebody" | { readonly refused: string };

/** Looks who holds a port, without keeping it. */
export type FindPortHolder = (host: string, port: number) => Promise<PortHolder>;

/** Whether the zone can listen where it is told to. */
export function checkPort({ host, port, find }: { host: string; port: number; find: FindPortHolder }): Check {
  return {
    name: "port",
    reads: ["EXECUTION_HOST", "EXECUTION_PORT"],
    run: async () => {
      if (port === 0) return skipped("EXECUTION_PORT is 0: any free one is taken");
      const holder = await find(host, port);
      if (holder === "nobody") return passed(`${host} port ${port} is free`);
      if (holder === "this_zone") return passed(`the zone listens on ${host} port ${port} already`);
      if (holder === "somebody")
        return failed(`another program listens on ${host} port ${port}`, "Stop it, or set EXECUTION_PORT.");
      const { refused } = holder;
      if (refused === "EACCES")
        return failed(`port ${port} needs more rights than this process has`, "Set EXECUTION_PORT to 1024 or above.");
      if (refused === "EADDRNOTAVAIL" || refused === "ENOTFOUND")
        return failed(`${host} is no address of this machine`, "Correct EXECUTION_HOST.");
      return warned(
        `${host} port ${port} could not be tried (${refused})`,
        "Look at EXECUTION_HOST and EXECUTION_PORT.",
      );
    },
  };
}

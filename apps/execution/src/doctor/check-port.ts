import { failed, passed, skipped, warned, type Check } from "@crosszone/service-kit/doctor";

/** Who has a port: nobody, this zone already, somebody else; or the system refuses it, with its code. */
export type PortHolder = "nobody" | "this_zone" | "somebody" | { readonly refused: string };

/** Where the zone will listen. */
export interface PortPlan {
  readonly host: string;
  readonly port: number;
  /** The variable that would move the port. */
  readonly portVariable: string;
  /** Where the zone serves JSON-RPC, by which it is known. */
  readonly rpcPath: string;
}

/** Looks who holds a port, without keeping it. */
export type FindPortHolder = (plan: Pick<PortPlan, "host" | "port" | "rpcPath">) => Promise<PortHolder>;

/** Whether the zone can listen where it is told to. */
export function checkPort(planned: () => PortPlan, find: FindPortHolder): Check {
  return {
    name: "port",
    reads: ["HOST_PROFILE", "EXECUTION_HOST", "EXECUTION_PORT", "PORT"],
    run: async () => {
      const plan = planned();
      const { host, port, portVariable } = plan;
      if (port === 0) return skipped(`${portVariable} is 0: any free one is taken`);
      const holder = await find(plan);
      if (holder === "nobody") return passed(`${host} port ${port} is free`);
      if (holder === "this_zone") return passed(`the zone listens on ${host} port ${port} already`);
      if (holder === "somebody")
        return failed(`another program listens on ${host} port ${port}`, `Stop it, or set ${portVariable}.`);
      const { refused } = holder;
      if (refused === "EACCES")
        return failed(`port ${port} needs more rights than this process has`, `Set ${portVariable} to 1024 or above.`);
      if (refused === "EADDRNOTAVAIL" || refused === "ENOTFOUND")
        return failed(`${host} is no address of this machine`, "Correct EXECUTION_HOST.");
      return warned(
        `${host} port ${port} could not be tried (${refused})`,
        `Look at EXECUTION_HOST and ${portVariable}.`,
      );
    },
  };
}

import { defineConfig, list } from "@crosszone/service-kit";
import { z } from "zod";

export const roles = ["rpc", "bridge", "workflow"] as const;

/** What a process of the execution zone does: it answers the zone link; it asks agents over HTTP; it brings runs of workflows forward. */
export type Role = (typeof roles)[number];

/** What this process does of the zone's work. */
export const roleVariables = defineConfig({
  EXECUTION_ROLES: {
    schema: list(z.enum(roles).describe("rpc, bridge or workflow")).refine((named) => named.length > 0, {
      error: "it names no role",
    }),
    default: roles.join(","),
    description:
      "What this process does, with commas: rpc answers verification and runs tasks, bridge asks the agents of the registry over HTTP, workflow brings runs of workflows forward. Processes of all kinds share the database, and Kafka if there is one.",
    group: "Roles",
  },
});

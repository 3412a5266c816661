import { defineConfig, list } from "@crosszone/service-kit";
import { z } from "zod";

export const roles = ["rpc", "bridge", "workflow"] as const;

/** What a process of the execution zone does: it answers the zone link; it asks agents over HTTP; it brings runs of workflows forward. */
export type Role = (typeof roles)[number];

/** The roles of this process. */
export const roleVariables = defineConfig({
  EXECUTION_ROLES: {
    schema: list(z.enum(roles).describe("rpc, bridge or workflow")).refine((named) => named.length > 0, {
      error: "it names no role",
    }),
    default: roles.join(","),
    description:
      "Work of this process. rpc answers verification, bridge calls agents over HTTP, workflow advances workflow runs. All processes share one database.",
    group: "Roles",
  },
});

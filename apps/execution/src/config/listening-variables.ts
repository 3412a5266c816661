import { defineConfig, port, url } from "@crosszone/service-kit";
import { z } from "zod";
import { hostProfiles, type HostProfileName } from "../http/host-profile.ts";

const profileNames = Object.keys(hostProfiles) as HostProfileName[];

/** Where the zone listens. */
export const listeningVariables = defineConfig({
  HOST_PROFILE: {
    schema: z.enum(profileNames).describe(profileNames.join(", ").replace(/, (\S+)$/, " or $1")),
    default: "plain",
    description:
      "Platform of this process; it sets address, port and paths. plain: 127.0.0.1:4000. cloud-run: $PORT. agentcore and container-apps: 8080. foundry: 8088.",
    group: "Listen",
  },
  EXECUTION_HOST: {
    schema: z.string().describe("a host name or address").optional(),
    description:
      "Address to listen on. If unset, HOST_PROFILE decides. Outside this machine, callers must authenticate.",
    group: "Listen",
  },
  EXECUTION_PORT: {
    schema: port().optional(),
    description: "Port to listen on. If unset, HOST_PROFILE decides.",
    group: "Listen",
  },
  PORT: {
    schema: port().optional(),
    description: "Port that Cloud Run assigns. Only read with HOST_PROFILE=cloud-run.",
    group: "Listen",
  },
  EXECUTION_PUBLIC_URL: {
    schema: url().optional(),
    description:
      "Public URL of this zone in its agent card. If unset, the card uses the host of the request. Another machine needs https:.",
    example: "https://execution.example.com",
    group: "Listen",
  },
});

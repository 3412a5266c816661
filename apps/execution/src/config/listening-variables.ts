import { defineConfig, port, url } from "@crosszone/service-kit";
import { z } from "zod";
import { hostProfiles, type HostProfileName } from "../host/host-profile.ts";

const profileNames = Object.keys(hostProfiles) as HostProfileName[];

/** Where the zone listens. */
export const listeningVariables = defineConfig({
  HOST_PROFILE: {
    schema: z.enum(profileNames).describe(profileNames.join(", ").replace(/, (\S+)$/, " or $1")),
    default: "plain",
    description:
      "What the zone runs on. It decides the address, the port and the paths: plain serves /rpc on 127.0.0.1:4000, agentcore /invocations and /ping on 0.0.0.0:8080, cloud-run /rpc on 0.0.0.0 at $PORT, container-apps /rpc on 0.0.0.0:8080, foundry /invocations and /readiness on 0.0.0.0:8088.",
    group: "Listening",
  },
  EXECUTION_HOST: {
    schema: z.string().describe("a host name or address").optional(),
    description: "Address to listen on, instead of the profile's. Off loopback, callers must prove who they are.",
    group: "Listening",
  },
  EXECUTION_PORT: {
    schema: port().optional(),
    description: "Port to listen on, instead of the profile's.",
    group: "Listening",
  },
  PORT: {
    schema: port().optional(),
    description: "Port to listen on, as Cloud Run says it; read with HOST_PROFILE=cloud-run only.",
    group: "Listening",
  },
  EXECUTION_PUBLIC_URL: {
    schema: url().optional(),
    description:
      "URL in the zone's agent card, without /rpc or /invocations. When it is not set, the card names the host that the request was sent to. http: only on this machine.",
    example: "https://execution.example.com",
    group: "Listening",
  },
});

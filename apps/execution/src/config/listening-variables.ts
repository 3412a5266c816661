import { defineConfig, port } from "@crosszone/service-kit";
import { z } from "zod";

/** Where the zone listens. */
export const listeningVariables = defineConfig({
  EXECUTION_HOST: {
    schema: z.string().describe("a host name or address"),
    default: "127.0.0.1",
    description: "Address to listen on. Off loopback, EXECUTION_TOKEN is required.",
    group: "Listening",
  },
  EXECUTION_PORT: { schema: port(), default: "4000", description: "Port to listen on.", group: "Listening" },
});

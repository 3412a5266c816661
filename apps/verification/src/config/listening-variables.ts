import { defineConfig, port } from "@crosszone/service-kit";
import { z } from "zod";

/** Where the zone listens. */
export const listeningVariables = defineConfig({
  VERIFICATION_HOST: {
    schema: z.string().describe("a host name or address"),
    default: "127.0.0.1",
    description: "Address to listen on. Set 0.0.0.0 to accept requests from other machines.",
    group: "Listen",
  },
  VERIFICATION_PORT: { schema: port(), default: "3000", description: "Port to listen on.", group: "Listen" },
});

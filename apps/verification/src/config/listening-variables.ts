import { byteSize, defineConfig, port, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";

/** Where the zone listens, and what it takes in. */
export const listeningVariables = defineConfig({
  VERIFICATION_HOST: {
    schema: z.string().describe("a host name or address"),
    default: "127.0.0.1",
    description: "Address to listen on.",
    group: "Listening",
  },
  VERIFICATION_PORT: { schema: port(), default: "3000", description: "Port to listen on.", group: "Listening" },
  MAX_EVENT: {
    schema: byteSize({ min: 1024 }),
    default: "1MB",
    description: "Largest request body from Slack.",
    group: "Listening",
  },
  MAX_DEPTH: {
    schema: wholeNumber({ min: 16, max: 1_000 }),
    default: "64",
    description: "Arrays and objects within each other in an event from Slack.",
    group: "Listening",
  },
});

import { byteSize, defineConfig, duration, url } from "@crosszone/service-kit";

/** How the files of a task are read. */
export const fileVariables = defineConfig({
  VERIFICATION_URL: {
    schema: url().optional(),
    description:
      "Where the verification zone listens: files are read from it. Without it agents get no contents of files. http: only on this machine.",
    example: "https://crosszone.example.com",
    group: "Files",
  },
  AGENT_FILES_URL: {
    schema: url().optional(),
    description:
      "URL at which agents reach this zone. A file that is too large for the question is sent to the agent as a link below this URL. Without it, such a file is only described. Several processes with the role rpc also need DATA_KEYS. http: only on this machine.",
    example: "https://execution.internal:4000",
    group: "Files",
  },
  MAX_FILE: {
    schema: byteSize({ min: 1 }),
    default: "10MB",
    description: "Largest file that is read.",
    group: "Files",
  },
});

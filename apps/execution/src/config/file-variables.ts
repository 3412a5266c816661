import { byteSize, defineConfig, url } from "@crosszone/service-kit";

/** How execution reads the files of a task, and lends them to agents. */
export const fileVariables = defineConfig({
  VERIFICATION_URL: {
    schema: url().optional(),
    description:
      "URL of the verification zone, for reading files. Without it, agents get no file contents. Another machine needs https:.",
    example: "https://crosszone.example.com",
    group: "Files",
  },
  AGENT_FILES_URL: {
    schema: url().optional(),
    description:
      "URL at which agents download large files from this zone. Without it, agents get a description only. Several processes need DATA_KEYS.",
    example: "https://execution.internal:4000",
    group: "Files",
  },
  MAX_FILE: {
    schema: byteSize({ min: 1 }),
    default: "10MB",
    description: "Largest file that execution reads.",
    group: "Files",
  },
});

/** The arguments that every benchmark takes, for `parseArgs`. */
export const benchArguments = {
  quick: { type: "boolean", default: false },
  only: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  "cpu-prof": { type: "string" },
  help: { type: "boolean", default: false },
} as const;

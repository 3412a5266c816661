import type { JsonObject } from "../check.ts";

const url = "https://agents.example.com/a2a";
const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain", "image/png"] };
const skills = [
  { id: "count", name: "Count", description: "Counts words.", tags: ["words"], examples: ["Count this"] },
];
const own = { name: "Counter", description: "Counts.", version: "1.0.0", ...modes, skills };

/** A card of A2A 1.0 without empty members. */
const card: JsonObject = {
  ...own,
  supportedInterfaces: [
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ],
  capabilities: {
    streaming: true,
    pushNotifications: false,
    extensions: [{ uri: "https://e.example/1", params: { n: 1.5e-7 } }],
  },
  iconUrl: "https://agents.example.com/icon.png",
};

/** The card of the agent package with a token: both versions at once. */
const both: JsonObject = {
  ...card,
  url,
  preferredTransport: "JSONRPC",
  protocolVersion: "0.3.0",
  securitySchemes: { bearer: { type: "http", scheme: "bearer", httpAuthSecurityScheme: { scheme: "bearer" } } },
  security: [{ bearer: [] }],
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
};

const only03: JsonObject = { ...own, url, preferredTransport: "JSONRPC", protocolVersion: "0.3.0", capabilities: {} };

/** The example of the specification: empty members that are required, optional or neither. */
const sparse: JsonObject = {
  ...card,
  description: "",
  capabilities: { streaming: false, pushNotifications: false, extensions: [] },
  skills: [],
};

export const cards = { card, both, only03, sparse };

import { expect, test } from "vitest";
import { z } from "zod";
import { defineConfig, describeConfig } from "./definition.ts";
import { port, secret } from "./kinds.ts";

const shared = defineConfig({
  ZONE_SECRET: { schema: secret(32), description: "Signs requests.", secret: true, example: "openssl rand -hex 32" },
});
const first = defineConfig({
  A_PORT: { schema: port(), description: "Port to listen on.", default: "4000", group: "HTTP" },
  A_NAME: { schema: z.string().min(1), description: "Name of the service.", example: "my service", group: "HTTP" },
  A_NOTE: { schema: z.string().optional(), description: "A note." },
  ...shared,
});

test("rows contain everything that a documentation table needs", () => {
  expect(describeConfig(first)).toEqual([
    {
      name: "A_PORT",
      description: "Port to listen on.",
      expected: "a port number from 0 to 65535; 0 takes any free one",
      required: false,
      default: "4000",
      secret: false,
      group: "HTTP",
    },
    {
      name: "A_NAME",
      description: "Name of the service.",
      required: true,
      example: "my service",
      secret: false,
      group: "HTTP",
    },
    { name: "A_NOTE", description: "A note.", required: false, secret: false },
    {
      name: "ZONE_SECRET",
      description: "Signs requests.",
      expected: "at least 32 characters, with no space or line break at either end",
      required: true,
      example: "openssl rand -hex 32",
      secret: true,
    },
  ]);
});

import { parseEnv } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeConfig, renderEnvExample } from "./config-docs.ts";
import { port, secret } from "./config-kinds.ts";
import { defineConfig } from "./config-definition.ts";

const shared = defineConfig({
  ZONE_SECRET: { schema: secret(32), description: "Signs requests.", secret: true, example: "openssl rand -hex 32" },
});
const first = defineConfig({
  A_PORT: { schema: port(), description: "Port to listen on.", default: "4000", group: "HTTP" },
  A_NAME: { schema: z.string().min(1), description: "Name of the service.", example: "my service", group: "HTTP" },
  A_NOTE: { schema: z.string().optional(), description: "A note." },
  ...shared,
});

test("rows say all that a table of the documentation needs", () => {
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

test("the example file sets what is required, comments out the rest, and assigns a shared variable once", () => {
  const text = renderEnvExample([
    { title: "First", definition: first },
    { title: "Second", definition: shared },
  ]);
  expect(text).toBe(`# ==== First ====

# -- HTTP --

# Port to listen on.
# Expected: a port number from 0 to 65535; 0 takes any free one.
# A_PORT=4000

# Name of the service.
# Required.
A_NAME='my service'

# A note.
# A_NOTE=

# Signs requests.
# Expected: at least 32 characters, with no space or line break at either end.
# Secret; or name a file in ZONE_SECRET_FILE.
# Example: openssl rand -hex 32
# Required.
ZONE_SECRET=

# ==== Second ====

# ZONE_SECRET: see above.
`);
});

test("where another section takes other values for a shared variable, the example file says which", () => {
  const kind = (...kinds: [string, ...string[]]) =>
    defineConfig({
      A_KIND: { schema: z.enum(kinds).describe(kinds.join(" or ")), description: `One of ${kinds.length}.` },
    });
  const text = renderEnvExample([
    { title: "First", definition: kind("a", "b") },
    { title: "Second", definition: kind("b") },
  ]);
  expect(text).toContain("# A_KIND: see above, but for this zone:\n# One of 1.\n# Expected: b.\n");
  expect(text.match(/A_KIND=/g)).toHaveLength(1);
});

test("an env file reader gets every example back", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -_a-~\n]*$/), (example) => {
      const definition = defineConfig({ A_TEXT: { schema: z.string(), description: "Text.", example } });
      expect(parseEnv(renderEnvExample([{ title: "One", definition }]))).toEqual({ A_TEXT: example });
    }),
  );
});

import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Returns the imports of the sources that match a pattern, without tests, as `file → specifier`. */
function importsOf(pattern: string): string[] {
  const sources = globSync(pattern, { cwd: root }).filter((file) => !/\.(test|contract)\.ts$|\/testing\//.test(file));
  expect(sources.length).toBeGreaterThan(0);
  return sources.flatMap((file) => {
    const specifiers = readFileSync(resolve(root, file), "utf8").matchAll(/^(?:import|export)[^;]*?from "([^"]+)";/gm);
    return [...specifiers].map(([, specifier]) => `${file} → ${specifier}`);
  });
}

test("E3: domain modules import no protocol and no HTTP", () => {
  const protocol = /→ (@crosszone\/jsonrpc|express|undici|node:https?|@slack\/.*|.*\/doors\/.*)$/;
  for (const domain of ["tasks", "agents", "people", "usage", "store"])
    expect(importsOf(`apps/execution/src/${domain}/**/*.ts`).filter((line) => protocol.test(line))).toEqual([]);
});

test("nothing of Slack is imported by execution, and no zone imports the other", () => {
  const execution = importsOf("apps/execution/src/**/*.ts");
  expect(execution.filter((line) => /→ (@slack\/|@crosszone\/verification)/.test(line))).toEqual([]);
  expect(importsOf("apps/verification/src/**/*.ts").filter((line) => line.includes("@crosszone/execution"))).toEqual(
    [],
  );
});

test("no source imports the local Slack, the sample agents or the test kit", () => {
  const all = importsOf("{apps,packages,tools}/*/src/**/*.ts");
  expect(all.filter((line) => /→ @crosszone\/(dev-slack|dev-agents|testkit)/.test(line))).toEqual([]);
});

test("L8: both zones read and write messages with the same core, and no zone parses a body itself", () => {
  for (const zone of ["verification", "execution"]) {
    const core = importsOf(`apps/${zone}/src/**/*.ts`).filter((line) => line.endsWith("→ @crosszone/jsonrpc"));
    expect(core.length).toBeGreaterThan(0);
  }
  const parsing = globSync(
    ["apps/execution/src/{doors,tasks}/**/*.ts", "apps/verification/src/{edge,asking,cards,showing,link}/**/*.ts"],
    { cwd: root },
  )
    .filter((file) => !/\.(test|contract)\.ts$/.test(file))
    // Credentials, stored rows and what Slack gives back are not messages between the zones.
    .filter((file) => !/\/(auth|store)\/|(answer-controls|credentials|handles|http-files)\.ts$/.test(file))
    .filter((file) => readFileSync(resolve(root, file), "utf8").includes("JSON.parse("));
  expect(parsing).toEqual([]);
});

test("the query layer knows no domain, and only it names an engine", () => {
  const domain = /→ @crosszone\/(?!service-kit\/timing$)/;
  expect(importsOf("packages/sql/src/**/*.ts").filter((line) => domain.test(line))).toEqual([]);
  const others = importsOf("{apps/*,packages/!(sql)}/src/**/*.ts");
  expect(others.filter((line) => /→ (pg|node:sqlite)$/.test(line))).toEqual([]);
});

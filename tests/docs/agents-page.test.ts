import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  agentDefaults,
  agentsRow,
  createAdapters,
  createAddressRules,
  createSecretRules,
} from "@crosszone/agent-bridge";
import { agentErrorTable } from "@crosszone/contracts";
import { sectionIn } from "@crosszone/service-kit/testing";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/agents.md"), "utf8");

/** Cells of the rows of a table, by its first heading, without back-ticks. */
function tableOf(heading: string): string[][] {
  const [, rows = ""] = page.split(new RegExp(`^\\| ${heading} .*\\n\\|[ |-]+\\n`, "m"));
  const [own = ""] = rows.split("\n\n");
  return own
    .trim()
    .split("\n")
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

test("D4: the agents files on the page load, with the origins that it says; all ways to prove who asks are shown", async () => {
  const { adapterOf } = createAdapters();
  const [, listed = ""] = /`AGENT_ORIGINS=(\S+)`/.exec(page) ?? [];
  const load = async (yaml: string, origins: readonly string[]) => {
    const secrets = createSecretRules({ bindings: [] }).check;
    const row = agentsRow({ protocol: adapterOf, url: createAddressRules({ origins }).check, secrets });
    return (await sectionIn("agents", row, yaml)) ?? [];
  };
  const [first = "", second = ""] = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, yaml = ""]) => yaml);
  expect((await load(first, listed.split(","))).map(({ name }) => name)).toEqual(["translator", "archive"]);
  await expect(load(first, [])).rejects.toThrow("http://10.0.0.8:8080");
  const shown = (await load(second, [])).map(({ auth }) => auth?.type);
  const schema = readFileSync(resolve(root, "schemas/registry/agent-auth.schema.json"), "utf8");
  const kinds = (JSON.parse(schema) as { oneOf: { properties: { type: { const: string } } }[] }).oneOf.map(
    ({ properties }) => properties.type.const,
  );
  expect(shown).toEqual(kinds);
  expect(tableOf("type").map(([kind]) => kind)).toEqual(kinds);
});

test("the table of origins says what is asked and what is not", () => {
  const rows = tableOf("`AGENT_ORIGINS`");
  expect(rows.length).toBeGreaterThan(8);
  const real = rows.map(([origin = "", url = ""]) => {
    try {
      createAddressRules({ origins: origin === "" ? [] : [origin] }).check(url);
      return [origin, url, "yes"];
    } catch {
      return [origin, url, "no"];
    }
  });
  expect(rows).toEqual(real);
});

test("the table of settings has the real defaults of all that is about time and number", () => {
  const { retry, breaker, timeout_ms, max_concurrency } = agentDefaults;
  const flat = (name: string, group: object) => Object.entries(group).map(([key, value]) => [`${name}.${key}`, value]);
  const real = [
    ["timeout_ms", timeout_ms],
    ["max_concurrency", max_concurrency],
    ...flat("retry", retry),
    ...flat("breaker", breaker),
  ];
  expect(tableOf("setting").map(([name, value]) => [name, Number(value)])).toEqual(real);
});

test("the table of failures has every kind, and says which are tried again", () => {
  const real = Object.entries(agentErrorTable).map(([kind, { retryable }]) => [kind, retryable ? "yes" : "no"]);
  expect(tableOf("kind").map(([kind, again]) => [kind, again])).toEqual(real);
});

// suite: load
// @module-tag judge
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { createRandom, share } from "../harness/random.ts";
import {
  type Attack,
  type AttackName,
  attacks,
  hasContent,
  isStream,
  type Served,
  servedDoors,
  type World,
} from "../hostile/doors/attacks.ts";
import type { Check } from "../hostile/doors/checks.ts";
import { doorsOf } from "../hostile/doors/doors.ts";
import { openDoors, programOf } from "../hostile/doors/open-doors.ts";
import { mayDiffer } from "../run/inputs.ts";

const seed = Number(process.env["TEST_SEED"] ?? Date.now() % 1_000_000);

interface Exempt {
  readonly attacks: readonly AttackName[];
  readonly of: (door: Served) => boolean;
  readonly because: string;
}

const isWay =
  (...ways: readonly Served["way"][]) =>
  (door: Served): boolean =>
    ways.includes(door.way);
const not =
  (is: (door: Served) => boolean) =>
  (door: Served): boolean =>
    !is(door);

/** The pairs that do not apply. */
const exempt: readonly Exempt[] = [
  {
    attacks: ["bad query"],
    of: (door) => !isWay("api")(door) || door.operation?.template === "/session",
    because: "its query is nobody's, or an identity provider's",
  },
  {
    attacks: ["paging"],
    of: ({ operation }) => !operation?.query.some((one) => ["limit", "offset", "cursor"].includes(one)),
    because: "it is no list",
  },
  { attacks: ["401", "403"], of: isWay("open", "sign-in"), because: "anyone may read it, or signs in there" },
  {
    attacks: ["bad query", "401", "403", "429"],
    of: ({ operation }) => operation?.template === "/openapi.json",
    because: "the document is public",
  },
  { attacks: ["403"], of: isWay("link", "hooks", "slack"), because: "who is known there may do all that it does" },
  {
    attacks: ["403"],
    of: ({ operation }) => operation?.template === "/session",
    because: "everyone may ask who they are",
  },
  {
    attacks: ["404"],
    of: not(isWay("api")),
    because: "its path names an agent or hook, which answers as an unknown one",
  },
  {
    attacks: ["413", "415", "slow body", "quadratic body"],
    of: ({ takesBody, plain }) => !takesBody || plain().url.endsWith("/auth/logout"),
    because: "it takes no body",
  },
  {
    attacks: ["413", "415", "bad query", "paging"],
    of: ({ plain }) => plain().url.includes("/unknown"),
    because: "what its path names does not exist, which it says before it reads the rest",
  },
  { attacks: ["415"], of: isWay("mcp"), because: "the SDK of MCP says it" },
  { attacks: ["429"], of: isWay("open", "slack"), because: "it costs nothing, or Slack itself sends it" },
  { attacks: ["revoked in the middle"], of: (door) => !isStream(door), because: "its answer is not held" },
  {
    attacks: ["content without the scope"],
    of: (door) => door.operation?.method !== "get" || !hasContent(door),
    because: "it shows no content of others",
  },
];

/** The readers of what is sent are the same on both engines. */
const newDatabase = (): string => `sqlite:${tempFolder()}/zone.sqlite`;

/** Starts both zones, with a check of the surface taken out if one is named. */
async function openWorld(removed?: Check): Promise<{ readonly world: World; readonly doors: readonly Served[] }> {
  const node = removed && ["--import", new URL(`../hostile/doors/remove-check.ts?${removed}`, import.meta.url).href];
  const programs = [...Array.from({ length: 20 }, (_, n) => `t${n}`), "fresh"].map(programOf);
  programs.push({ ...programOf("spent"), per_minute: 1 });
  const env = { MAX_REQUESTS_PER_MINUTE: "600" };
  const databases = [newDatabase(), newDatabase()] as const;
  const { pids, zones } = await openDoors({ databases, tokens: 20, programs, env, ...(node && { node }) });
  const [admin = ""] = zones.tokens;
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${admin}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${zones.url}/api/v1${path}`, { method, headers, ...sent });
    return JSON.parse((await response.text()) || "{}") as Readonly<Record<string, string>>;
  };
  const all = ["ask", "runs:read", "runs:act", "content:read", "agents:write", "audit:read", "tokens:write"];
  const made = async (name: string, scopes: readonly string[]) =>
    String((await call("POST", "/tokens", { name, scopes, expires_in: 3_600 }))["token"]);
  const poor = new Map<string, string>();
  for (const scope of all)
    poor.set(
      scope,
      await made(
        `no-${scope.replace(":", "-")}`,
        all.filter((one) => one !== scope),
      ),
    );
  const world: World = {
    zones,
    pids,
    without: (scope) => poor.get(scope) ?? "",
    newToken: async () => ({ token: await made("fresh", all), revoke: () => call("DELETE", "/tokens/fresh") }),
    slow: await made("spent", all),
  };
  return { world, doors: servedDoors(doorsOf(zones), zones) };
}

/** Attacks doors, and returns what succeeded. */
async function attack(
  names: readonly AttackName[],
  { world, doors }: Awaited<ReturnType<typeof openWorld>>,
  chance = 1,
) {
  const random = createRandom(seed);
  const [tried, found]: [string[], string[]] = [[], []];
  for (const name of names)
    for (const door of doors) {
      if (exempt.some(({ attacks: of, of: is }) => of.includes(name) && is(door))) continue;
      const { applies }: Attack = attacks[name];
      if (!random.chance(chance) || (await applies?.(door, world)) === false) continue;
      tried.push(`${name}: ${door.name}`);
      const wrong = await attacks[name].on(door, world);
      if (wrong !== undefined) found.push(`${name}: ${door.name}: ${wrong}`);
    }
  return { tried, found };
}

/** What needs a run that waits comes before what changes it. */
const names = (Object.keys(attacks) as AttackName[]).toSorted(
  (a, b) => Number(b.startsWith("r")) - Number(a.startsWith("r")),
);

test("B24, X1, X3, X22: every door of both zones stops every attack", { timeout: 1_800_000 }, async () => {
  const { tried, found } = await attack(names, await openWorld(), share);
  expect({ seed, found }).toEqual({ seed, found: [] });
  expect(tried.length).toBeGreaterThan(200 * share);
  expect(exempt.length).toBeLessThanOrEqual(20);
});

/** Each check is taken out by its text, which the first seconds of CI look for. */
const isSurface = mayDiffer(
  "tests/{full/doors-attacks.test.ts,hostile/doors/*}",
  "packages/service-kit/src/http/*",
  "packages/admin-api/src/*",
);

describe.skipIf(!isSurface)("without its check, the surface stops no attack", () => {
  test.each(names)("%s", { timeout: 1_800_000 }, async (name) => {
    const stopped = new Set<string>();
    for (const check of attacks[name].checks) {
      const { tried, found } = await attack([name], await openWorld(check), share);
      const succeeded = new Set(tried.filter((pair) => found.some((one) => one.startsWith(`${pair}: `))));
      for (const pair of succeeded) stopped.delete(pair);
      if (check === attacks[name].checks[0]) for (const pair of tried) if (!succeeded.has(pair)) stopped.add(pair);
    }
    expect([...stopped]).toEqual([]);
  });
});

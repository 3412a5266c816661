import type { UsageBudget, UsageReport, UsageSum } from "@crosszone/contracts";
import { testCommands } from "../../testing/run-cli.ts";

const sum: UsageSum = {
  calls: 1_240,
  estimated_calls: 0,
  unpriced_calls: 0,
  input_tokens: 12_345_678,
  output_tokens: 850,
  cached_input_tokens: 0,
  cost: 41.5,
};
const small = { ...sum, calls: 2, input_tokens: 90, cost: 0.0031 };
const report: UsageReport = {
  by: "person",
  since: "2026-11-01T00:00:00.000Z",
  until: "2026-11-21T10:00:00.000Z",
  sum,
  groups: [
    { key: "U1\u001b[2J", team: "3WQmNkZ0y8mXo3n1m1Dq7g", sum },
    { key: null, team: null, sum: { ...small, cost: null } },
  ],
  total: 2,
};
const budget: UsageBudget = {
  scope: "person",
  period: "day",
  unit: "usd",
  limit: 5,
  used: 2.6,
  resets_at: "2026-11-22T00:00:00.000Z",
  subject: "U1",
  team: "3WQmNkZ0y8mXo3n1m1Dq7g",
};
const {
  subject: _subject,
  team: _team,
  ...team
} = { ...budget, scope: "team", unit: "tokens", limit: 2_000_000, used: 0 } as const;

const budgets = [budget, team, { ...team, subject: "H5N", period: "month" }] as const;
const table = `PERSON                   CALLS       INPUT  CACHED  OUTPUT     COST
U1\\u001b[2J in 3WQmNkZ…  1,240  12,345,678       0     850   $41.50
(not known)                  2          90       0     850  unknown
total                    1,240  12,345,678       0     850   $41.50

BUDGET                        USED                         RESETS
person U1 a day   [####....]   52%  $2.60 of $5.00         2026-11-22
team a day        [........]    0%  0 of 2,000,000 tokens  2026-11-22
team H5N a month  [........]    0%  0 of 2,000,000 tokens  2026-11-22
`;
const month = "since=2026-12-01T00%3A00%3A00.000Z&until=2027-01-01T00%3A00%3A00.000Z";
const range = "since=2026-11-01T00%3A00%3A00Z&until=2026-11-05T08%3A00%3A00%2B01%3A00";
const byDay = { ...report, by: "day" };
const zone = {
  "GET /usage?by=person&limit=20": report,
  [`GET /usage?by=day&${month}&limit=20`]: byDay,
  [`GET /usage?by=day&${range}&limit=5`]: byDay,
  "GET /usage/budgets": { budgets },
};

testCommands(zone, [
  [
    "usage is a table with its sum, and each budget has a bar, in rows of 80 columns",
    "usage --by person",
    { out: table },
  ],
  ["a month is sent in UTC", "usage --by day --month 2026-12 --json", { json: { ...byDay, budgets } }],
  [
    "a range is sent in UTC",
    "usage --by day --since 2026-11-01 --until 2026-11-05T08:00:00+01:00 --limit 5",
    { out: /^DAY / },
  ],
  [
    "a wrong month is refused with what to write",
    "usage --month 2026-13",
    { code: 2, err: ["--month must be a month, such as 2026-11"] },
  ],
  [
    "a month and a range are refused",
    "usage --month 2026-11 --since 7d",
    { code: 2, err: ["can't be combined with --since or --until"] },
  ],
]);

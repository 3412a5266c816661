import type { ApiToken } from "@crosszone/contracts";
import { answerWith, deleted, type FakeAnswers, refusing } from "../testing/fake-zone.ts";
import { testCommands } from "../testing/run-cli.ts";

const api_token: ApiToken = {
  name: "ci",
  scopes: ["ask", "runs:read"],
  created_by: "bootstrap",
  created_at: "2026-11-25T08:00:00.000Z",
  expires_at: "2026-12-25T08:00:00.000Z",
};
const use = {
  actor: "token:ci",
  day: "2026-11-26",
  address: "203.0.113.7",
  client: "curl\u001b[2J",
  uses: 41,
  first_at: "2026-11-26T08:00:00.000Z",
  last_at: "2026-11-26T09:00:00.000Z",
};
const subject = "subject:https://login.example.com robot";
const zone: FakeAnswers = {
  "POST /tokens": (response) => answerWith(response, 201, { token: "xz_1", api_token }),
  "GET /tokens": { tokens: [api_token] },
  "DELETE /tokens/ci": deleted,
  "DELETE /tokens/cj": refusing("token-not-found"),
  "GET /token-uses?actor=token%3Aci&limit=20": { uses: [use] },
  [`GET /token-uses?actor=${encodeURIComponent(subject).replace("%20", "+")}&limit=20`]: { uses: [] },
};
const body = { name: "ci", scopes: ["ask", "runs:read"], expires_in: 2_592_000 };

testCommands(zone, [
  [
    "a created token is alone on the standard output; what it can do is on the standard error",
    "tokens create --name ci --scope ask,runs:read --expires 30d",
    {
      out: "xz_1\n",
      err: /^ci: ask, runs:read, until 2026-12-25\S+ Store the token now; it is not shown again\.\n$/,
      sends: [["POST /tokens", body]],
    },
  ],
  [
    "a created token is one JSON document, and its scopes can be given one by one",
    "tokens create --name ci --scope ask --scope runs:read --expires 12h --json",
    { json: { token: "xz_1", api_token }, sends: [["POST /tokens", { ...body, expires_in: 43_200 }]] },
  ],
  [
    "Q23: a near name is named",
    "tokens revoke cj",
    { code: 3, err: ["Did you mean ci?"], sends: ["DELETE /tokens/cj"] },
  ],
  ["tokens are listed with their holders", "tokens", { out: /^ci +ask,runs:read +bootstrap +2026-12-25\S+ +never$/m }],
  [
    "O3: the uses of a token are shown by day and place",
    "tokens show ci",
    { out: /\n2026-11-26 +203\.0\.113\.7 +41 .*curl\\u001b/ },
  ],
  ["O3: the uses of other credentials are shown, too", `tokens show "${subject}"`, { out: "No uses.\n" }],
]);

// A zone without answers: any request would be refused with exit code 3.
testCommands({}, [
  [
    "a wrong lifetime is a usage error",
    "tokens create --name ci --scope ask --expires 1w",
    { code: 2, err: ["such as 30d or 12h"] },
  ],
  ["a missing name is a usage error", "tokens create", { code: 2, err: ["are required"] }],
]);

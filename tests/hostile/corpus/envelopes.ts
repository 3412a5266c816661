import { requestText, textBodies, type HostileBody } from "../hostile-body.ts";

const values = [
  "null",
  "true",
  "false",
  "0",
  "1",
  "-1",
  "1.5",
  '""',
  '"x"',
  '"2.0"',
  "[]",
  "{}",
  "[null]",
  "[[]]",
  "[{}]",
  '{"a":1}',
  "2.0",
  '"list_agents"',
];
const members = ["jsonrpc", "method", "params", "id"];
const blank = ["", " ", "\t", "\n", "\r\n", "   \n\t\r ", " ".repeat(10_000), "\n".repeat(1_000_000)];

const longId = (length: number): string => requestText({ id: `"${"i".repeat(length)}"` });
const task = (id: string): string =>
  requestText({ id, method: '"execute_task"', params: '{"channel":"C","text":"hello","bot_token":"h"}' });

/** JSON that is not a request, and requests whose members have every type and size. */
export const envelopes: readonly HostileBody[] = [
  ...textBodies("bare value", values),
  ...textBodies("blank", blank),
  ...textBodies(
    "blank around",
    blank.slice(0, 7).map((space) => `${space}${requestText({})}${space}`),
  ),
  ...members.flatMap((member) =>
    textBodies(
      `${member} of another type`,
      values.map((value) => requestText({ [member]: value })),
    ),
  ),
  ...members.flatMap((member) =>
    textBodies(
      `execute_task, ${member} of another type`,
      values.map((value) =>
        requestText({
          method: '"execute_task"',
          params: '{"channel":"C","text":"2+2","bot_token":"h"}',
          [member]: value,
        }),
      ),
    ),
  ),
  ...textBodies(
    "member missing",
    members.map((member) => requestText({ [member]: "" })),
  ),
  ...textBodies(
    "only member",
    members.map((member) => `{"${member}":"2.0"}`),
  ),
  ...textBodies("answer instead of a request", [
    '{"jsonrpc":"2.0","result":1,"id":1}',
    '{"jsonrpc":"2.0","error":{"code":1,"message":""},"id":null}',
  ]),
  ...textBodies(
    "notification",
    ["execute_task", "list_agents", "cancel_task", "no_such_method"].map((method) =>
      requestText({ method: `"${method}"`, id: "" }),
    ),
  ),
  ...textBodies("long id", [255, 256, 1_000, 100_000, 1_000_000].map(longId)),
  ...textBodies(
    "id of a task",
    [
      '""',
      '" "',
      `"${"i".repeat(255)}"`,
      `"${"i".repeat(256)}"`,
      `"${"i".repeat(500_000)}"`,
      "null",
      "0",
      "-0",
      "1.5",
      "1e15",
      "9007199254740992",
      '"__proto__"',
      '"constructor"',
    ].map(task),
  ),
  ...textBodies(
    "long method",
    [1_000, 1_000_000].map((length) => requestText({ method: `"${"m".repeat(length)}"` })),
  ),
  ...textBodies(
    "unknown agent",
    [1, 1_000, 500_000].map((length) =>
      requestText({
        id: `"agent-${length}"`,
        method: '"execute_task"',
        params: `{"channel":"C","text":"t","bot_token":"h","agent":"${"a".repeat(length)}"}`,
      }),
    ),
  ),
];

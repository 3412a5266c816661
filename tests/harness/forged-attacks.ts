import { expect } from "vitest";
import { type Attack, type AttackTools, refused, rejected } from "./attack-requests.ts";
import type { Signing } from "./forged-presses.ts";

const failed = { event: "input_pressed", outcome: "failed" };
const changed = { says: "not what you saw", leaves: rejected("changed") };
const unfit = { says: "does not fit", leaves: failed };

async function expectUnauthorized({ forge }: AttackTools, signing: Signing): Promise<void> {
  expect(await forge("deploy", signing)).toBe(401);
}

/** Payloads that Slack's client does not make. */
export const forgeries: Attack[] = [
  {
    title: "a press on another app, with a valid signature",
    attack: ({ press }) => press("deploy", { user: "bob", payload: { api_app_id: "A0SOMEOTHER" } }),
    leaves: refused("wrong_app"),
  },
  ...(
    [
      ["an unsigned press", () => ({ headers: {} })],
      ["a press with a signature of another secret", () => ({ secret: "another-secret" })],
      ["a press that was signed ten minutes ago", () => ({ at: Math.floor(Date.now() / 1_000) - 600 })],
    ] as const
  ).map(([title, signing]) => ({
    title,
    attack: (tools: AttackTools) => expectUnauthorized(tools, signing()),
    leaves: { event: "slack_request_refused" },
  })),
  {
    title: "the id of a request that does not exist",
    attack: ({ press }) => press("deploy", { user: "bob", id: `input:approve:inp_${"0".repeat(32)}` }),
    says: "not open any more",
    // Verification does not find it, so execution gets no answer.
    leaves: { event: failed.event },
  },
  {
    title: "the id of another request, with the digest of this one",
    attack: ({ press, digestOf }) => press("refund", { user: "bob", value: digestOf("deploy") }),
    on: "refund",
    ...changed,
  },
  ...[
    ["a verb that no button has", "input:use:$"],
    ["a verb of every object", "input:constructor:$"],
    ["SQL in the id", "input:approve:inp_' OR 1=1 --"],
    ["a control character in the id", "input:approve:$\u0000"],
    ["a line after the id", "input:approve:$\n"],
  ].map(([title = "", id = ""]) => ({
    title,
    attack: ({ press, idOf }: AttackTools) => press("deploy", { user: "bob", id: id.replace("$", idOf("deploy")) }),
    leaves: refused("unknown_element"),
  })),
  {
    title: "an id of 10,000 characters",
    attack: ({ press }) => press("deploy", { user: "bob", id: `input:approve:${"a".repeat(10_000)}` }),
    leaves: refused("unreadable"),
  },
  {
    title: "an approval by press of what is a form",
    on: "form",
    attack: ({ press }) => press("form", { user: "bob" }),
    ...unfit,
  },
  {
    title: "an option that the card does not have",
    on: "choice",
    attack: ({ press }) => press("choice", { user: "bob", verb: "choose", value: "us" }),
    ...unfit,
  },
  {
    title: "a card that shows other arguments",
    attack: ({ press }) => press("deploy", { user: "bob", value: "b".repeat(64) }),
    ...changed,
  },
  {
    title: "a card of an older build, without a digest",
    attack: ({ press, idOf }) => press("deploy", { user: "bob", value: idOf("deploy") }),
    ...changed,
  },
  {
    title: "a card in another channel",
    attack: ({ press }) =>
      press("deploy", { payload: { container: { channel_id: "C0RANDOM001", message_ts: "1.2" } } }),
    says: "This is not yours to decide.",
    leaves: rejected("not_eligible"),
  },
];

/** Modals that Slack's client does not submit. */
export const modals: Attack[] = [
  {
    title: "with the private metadata of another app's modal",
    attack: ({ submit }) => submit("deploy", { user: "bob", verb: "deny", view: { private_metadata: "{}" } }),
    leaves: refused("unknown_element"),
  },
  {
    title: "with the id of another request",
    on: "decided",
    attack: ({ submit, idOf }) =>
      submit("deploy", { user: "bob", verb: "deny", view: { callback_id: `input:deny:${idOf("decided")}` } }),
    says: "This is not open any more.",
    leaves: refused("closed"),
  },
  {
    title: "that approves, with the digest in its metadata",
    attack: ({ submit, idOf, digestOf }) => {
      const private_metadata = JSON.stringify({ channel: "C0GENERAL01", digest: digestOf("deploy") });
      return submit("deploy", {
        user: "bob",
        verb: "deny",
        view: { callback_id: `input:approve:${idOf("deploy")}`, private_metadata },
      });
    },
    ...unfit,
  },
  {
    title: "with a value that the form does not allow",
    on: "form",
    attack: ({ submit }) => submit("form", { user: "bob", verb: "open", values: { "field:size": "99" } }),
    says: "9",
    leaves: failed,
  },
  {
    title: "with a text in place of a number",
    on: "form",
    attack: ({ submit }) => submit("form", { user: "bob", verb: "open", values: { "field:size": "1; DROP TABLE" } }),
    says: "number",
    leaves: failed,
  },
];

import { expect } from "vitest";
import { type Attack, type AttackTools, refused, rejected } from "./attack-requests.ts";

const failed = { event: "input_pressed", outcome: "failed" };
const notYours = "This is not yours to decide.";

/** Payloads that Slack's client does not make. */
export const forgeries: Attack[] = [
  {
    title: "a press on another app, with a valid signature",
    attack: ({ press }) => press("deploy", { user: "bob", payload: { api_app_id: "A0SOMEOTHER" } }),
    leaves: refused("wrong_app"),
  },
  {
    title: "an unsigned press",
    attack: async ({ forge }) => {
      expect(await forge("deploy", { headers: {} })).toBe(401);
    },
    leaves: { event: "slack_request_refused" },
  },
  {
    title: "a press with a signature of another secret",
    attack: async ({ forge }) => {
      expect(await forge("deploy", { secret: "another-secret" })).toBe(401);
    },
    leaves: { event: "slack_request_refused" },
  },
  {
    title: "a press that was signed ten minutes ago",
    attack: async ({ forge }) => {
      expect(await forge("deploy", { at: Math.floor(Date.now() / 1_000) - 600 })).toBe(401);
    },
    leaves: { event: "slack_request_refused" },
  },
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
    says: "not what you saw",
    leaves: rejected("changed"),
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
    says: "does not fit",
    leaves: failed,
  },
  {
    title: "an option that the card does not have",
    on: "choice",
    attack: ({ press }) => press("choice", { user: "bob", verb: "choose", value: "us" }),
    says: "does not fit",
    leaves: failed,
  },
  {
    title: "a card that shows other arguments",
    attack: ({ press }) => press("deploy", { user: "bob", value: "b".repeat(64) }),
    says: "not what you saw",
    leaves: rejected("changed"),
  },
  {
    title: "a card of an older build, without a digest",
    attack: ({ press, idOf }) => press("deploy", { user: "bob", value: idOf("deploy") }),
    says: "not what you saw",
    leaves: rejected("changed"),
  },
  {
    title: "a card in another channel",
    attack: ({ press }) =>
      press("deploy", { payload: { container: { channel_id: "C0RANDOM001", message_ts: "1.2" } } }),
    says: notYours,
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
    says: "does not fit",
    leaves: failed,
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

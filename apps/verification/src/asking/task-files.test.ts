import type { ThreadMessage } from "@crosszone/contracts";
import { expect, test, vi } from "vitest";
import { createFakeSlack } from "../testing/fake-slack.ts";
import { closedPolicy } from "../testing/start-test-app.ts";
import { questionRecord } from "../testing/test-inbox.ts";
import { wideLimits } from "../testing/wide-limits.ts";
import { taskFiles } from "./task-input.ts";

const onFailure = vi.fn<(error: unknown) => void>();
const slack = createFakeSlack();
const deps = { slack, policy: closedPolicy, limits: { ...wideLimits, MAX_FILE: 1_000 }, timeoutMs: 50, onFailure };
const record = questionRecord({ ts: "9.0", user_id: "U1" });
const read = (messages: ThreadMessage[], files: object[] = []) => taskFiles(deps, record, { messages, files });
const said = (user: string, ...ids: string[]): ThreadMessage => ({
  text: user,
  user,
  name: `Name of ${user}`,
  files: ids.map((id) => ({ id, name: `${id}.csv`, mime_type: "text/csv", size: 24 })),
});
const csv = (id: string) => ({ id, name: `${id}.csv`, mime_type: "text/csv", size: 24 });
const bobs = { others: true, author: "Name of U2" };

test("W6: the files of the thread are readable, those of other people as content of others", async () => {
  const { attachments, thread } = await read([said("U2", "F1"), said("U1", "F2")], [{ ...csv("F3"), user: "U1" }]);
  expect(attachments).toEqual([csv("F3"), { ...csv("F1"), ...bobs }, csv("F2")]);
  expect(thread.map(({ files }) => files)).toEqual([[{ ...csv("F1"), ...bobs }], [csv("F2")]]);
});

test("W6: of a long thread, the task reads the files of the root and of the newest messages, but each is named", async () => {
  const root = said("U2", ...Array.from({ length: 8 }, (_none, at) => `R${at}`));
  const replies = Array.from({ length: 20 }, (_none, at) => said("U2", `F${at}`));
  const { attachments, thread } = await read([root, ...replies], [csv("F19")]);
  const newest = ["F18", "F17", "F16", "F15", "F14"];
  expect(attachments.map(({ id }) => id)).toEqual(["F19", "R0", "R1", "R2", "R3", "R4", ...newest]);
  expect(thread.flatMap(({ files = [] }) => files)).toHaveLength(28);
});

test("W6: the policy's types and sizes apply to files of the thread, and their reasons are known before a read", async () => {
  const files = [
    { id: "F1", mime_type: "video/mp4" },
    { ...csv("F2"), size: 1_001 },
    { id: "F3", refusal: "canvas" },
  ];
  const { attachments } = await read([{ text: "", user: "U1", files }]);
  expect(attachments.map(({ unreadable }) => unreadable)).toEqual([
    "Files of this type are not allowed here.",
    "It is larger than the limit for files here.",
    "It is a canvas, which I can't read.",
  ]);
});

test("W12: a file that Slack did not describe is looked up; after a failure it is named by its id", async () => {
  slack.files.set("F1", { ...csv("F1"), text: "x".repeat(5_000), shared_in: ["C1"] });
  const stubs = ["F1", "F2"].map((id) => ({ id, is_stub: true, user: "U2" }));
  const { attachments, thread } = await read([{ text: "", user: "U2", files: stubs }]);
  expect(attachments).toEqual([
    { ...csv("F1"), others: true },
    { id: "F2", others: true },
  ]);
  expect(thread[0]?.files).toEqual(attachments);
  expect(onFailure.mock.calls).toMatchObject([[{ name: "SlackCallError" }]]);
});

test("W6: a file of another person in the requester's message is content of others; the text of a mail is sent once", async () => {
  const mail = { id: "F4", name: "Offer", text: "Ten chairs.", others: true, author: "Eve" };
  const { attachments, thread } = await read([{ text: "", user: "U1", files: [mail] }], [{ ...csv("F5"), user: "U2" }]);
  expect(attachments).toEqual([{ ...csv("F5"), others: true }, mail]);
  expect(thread[0]?.files).toEqual([{ id: "F4", name: "Offer", others: true, author: "Eve" }]);
});

import { expect, test, vi } from "vitest";
import { before, createFakeSlack, openChannel } from "../testing/fake-slack.ts";
import { channelMessage, hurriedClock, startTestApp } from "../testing/start-test-app.ts";

const files = [
  { id: "1", name: "sales by_shop.png", media_type: "image/png", size: 3 },
  { id: "2", name: "sales.csv", media_type: "text/csv", size: 3 },
];

/** Asks in a channel an agent that answers with a text and two files. */
async function ask(slack = createFakeSlack()) {
  const app = await startTestApp({ slack, clock: hurriedClock });
  const task_id = "task-12345678";
  app.zone.on("execute_task", () => ({ status: "success", task_id, response_text: "Sold 12.", files }));
  app.zone.on("read_task_file", () => ({ bytes: Buffer.from("abc").toString("base64") }));
  const message = channelMessage("<@UBOT> sales?", { type: "app_mention" });
  await app.deliver(message);
  const texts = (channel = "C1") =>
    slack.messages.filter((one) => one.channel === channel && one.mark !== undefined).map(({ text }) => text);
  return { app, slack, texts };
}

test("W26: the text does not wait for its files, and an image has a text for people who can't see it", async () => {
  const slack = createFakeSlack();
  const shown: unknown[] = [];
  before(slack, "upload", () => shown.push(slack.messages.at(-1)?.text));
  await ask(slack);
  await vi.waitFor(() => expect(slack.uploads).toHaveLength(2));
  expect(slack.uploads).toEqual([
    { filename: "sales by_shop.png", content: "abc", altText: "Image: sales by_shop.png" },
    { filename: "sales.csv", content: "abc" },
  ]);
  expect(shown[0]).toBe("Sold 12.");
});

test.each([
  ["an outage that lasts", { failure: "unavailable", code: "internal_error" }, 40],
  ["a file that Slack shares nowhere", { failure: "refused", code: "not_shared" }, 1],
  ["a refusal", { failure: "refused", code: "an_error_of_tomorrow" }, 1],
] as const)(
  "W26: %s costs one file, which is named below the text; the other arrives",
  async (_, { failure, code }, times) => {
    const slack = createFakeSlack();
    const original = slack.upload;
    Object.assign(slack, {
      upload: async (...given: Parameters<typeof original>) => {
        if (given[1].filename === "sales.csv") return original(...given);
        slack.failNext("upload", failure, { code });
        return original(...given);
      },
    });
    const { app, texts } = await ask(slack);
    await vi.waitFor(() => expect(texts()).toHaveLength(2), { timeout: 30_000 });
    expect(texts()).toEqual(["Sold 12.", "_Could not be attached: sales by_shop.png._"]);
    expect(slack.uploads.map(({ filename }) => filename)).toEqual(["sales.csv"]);
    expect(app.logged("file_not_attached")).toHaveLength(1);
    expect(slack.calls.filter((call) => call === "upload").length).toBeLessThanOrEqual(times + 1);
  },
);

test.each([
  ["a public channel", { ...openChannel, isPrivate: false }, true],
  ["a private channel", { ...openChannel, isPrivate: true }, false],
])(
  "W24: an answer that %s refuses is a direct message; with its files only if everybody may see them",
  async (_, place, hasFiles) => {
    const slack = createFakeSlack();
    slack.directory.channels["C1"] = place;
    before(slack, "post", ({ channel }) => {
      if (channel === "C1") slack.failNext("post", "refused", { code: "no_permission" });
    });
    const { texts } = await ask(slack);
    await vi.waitFor(() => expect(texts("DU1")).toHaveLength(1));
    const without = "Sold 12.\n\n_Without the files, because the channel is not public: sales by_shop.png, sales.csv._";
    expect(texts("DU1")[0]).toMatch(/^_I can’t answer in <#C1>, because I have no permission to write there/);
    expect(texts("DU1")[0]?.endsWith(hasFiles ? "Sold 12." : without)).toBe(true);
    await vi.waitFor(() => expect(slack.uploads).toHaveLength(hasFiles ? 2 : 0));
    const posted = slack.messages.filter((one) => one.files.length > 0).map(({ channel }) => channel);
    expect(posted).toEqual(hasFiles ? ["DU1", "DU1"] : []);
  },
);

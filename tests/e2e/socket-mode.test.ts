import { expect, test } from "vitest";
import { startOverSocket } from "../harness/start-crosszone.ts";

test("with an app-level token, events arrive over a socket and are answered the same", async () => {
  const slack = await startOverSocket();
  const root = slack.control.postMessage({ channel: "dm", text: "2+2 in words?" });
  const answer = await slack.control.waitForMessage(
    ({ thread_ts, metadata }) => thread_ts === root.ts && metadata?.event_payload["state"] === "done",
  );
  expect(answer.markdown_text).toContain("four");
});

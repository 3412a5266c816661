/** A process that works on a database's inbox until it is killed: `node inbox-process.ts <database url> <file for finished work>`. */
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { openVerificationDatabase } from "../database/open-verification-database.ts";
import { createInboxWorker } from "../inbox/inbox-worker.ts";
import { createTestInbox } from "./create-test-inbox.ts";

const [url = "", file = ""] = process.argv.slice(2);
const leaseMs = 1_000;
const inbox = createTestInbox(await openVerificationDatabase({ url }), { leaseMs, attempts: 1_000 });

const worker = createInboxWorker({
  inbox,
  pollMs: 100,
  work: {
    ask: {
      concurrency: 5,
      handle: async (question) => {
        const { record, progress } = question;
        if (progress.placeholder === undefined) await inbox.note(question, { placeholder: `by ${process.pid}` });
        await delay(20 + Math.random() * 60);
        appendFileSync(file, `${record.request_id}\n`);
      },
    },
  },
  observer: { unavailable: () => undefined, available: () => undefined, ended: () => undefined },
  reasonOf: String,
});
worker.start();
appendFileSync(file, `started\n`);

/** A process that adds jobs to lanes and works on them until none is left: `node lane-process.ts <url> <file of ends> <name>`. */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { JobStore } from "../index.ts";
import type { LaneJob } from "../store/lanes.ts";
import { addToLane, laneSchema, openLaneDatabase } from "./open-jobs.ts";

const [url = "", file = "", name = ""] = process.argv.slice(2);
const [lanes, added, adders] = [50, 400, 3];
const database = await openLaneDatabase(url);
const store = new JobStore({ database, lease: { owner: randomUUID() }, schema: laneSchema });
let adding = adders;

async function add(adder: number): Promise<void> {
  for (let number = 0; number < added; number += 1) {
    const lane = `lane ${Math.floor(Math.random() * lanes)}`;
    await addToLane(store, { id: `${name} ${adder} ${number}`, lane });
  }
  adding -= 1;
}

async function end(job: LaneJob & { readonly sequence?: number }): Promise<void> {
  appendFileSync(file, `${JSON.stringify({ id: job.id, lane: job.lane, sequence: job.sequence })}\n`);
  if (!(await store.lanes.remove(job))) appendFileSync(file, `${JSON.stringify({ lost: job.id })}\n`);
}

/** Every waiting head is taken in the end; a lane without a head would never be found. */
async function work(): Promise<void> {
  for (let idle = 0; idle < 50;) {
    const jobs = await store.take([{ share: "test", most: 20 }]);
    await Promise.all(jobs.map((job) => end({ ...job, lane: job.lane ?? "" })));
    idle = jobs.length > 0 || adding > 0 ? 0 : idle + 1;
    if (jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

await Promise.all([...Array.from({ length: adders }, (_, adder) => add(adder)), work(), work()]);
await database.close();

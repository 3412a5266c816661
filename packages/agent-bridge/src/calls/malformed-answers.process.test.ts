import { expect, test } from "vitest";
import { doneWith, resultOf } from "../testing/agent-answers.ts";
import { answering, startCall } from "../testing/start-call.ts";

test("N3: ten thousand malformed answers cause ten thousand failures, each reported once", async () => {
  const whole = JSON.stringify(resultOf(doneWith("done")));
  const kinds = new Map<string, number>();
  for (let index = 0; index < 10_000; index += 1) {
    const malformed = [
      () => whole.slice(0, index % whole.length),
      () => whole.replace('"t1"', `"t${index + 2}"`),
      () => whole.replace('"result"', `"result${index}"`),
      () => Buffer.from([0xff, 0xfe, index % 256, 0x00]),
      () => whole.replace('"2.0"', String(index)),
      () => whole.replace('"completed"', JSON.stringify(index % 2 ? null : { index })),
    ];
    const { end, observer } = startCall({
      deps: { client: answering(malformed[index % malformed.length] as () => string) },
    });
    const { failure, output, attempts } = await end;
    kinds.set(failure?.kind ?? "none", (kinds.get(failure?.kind ?? "none") ?? 0) + 1);
    expect([output, attempts, observer.eventsOf("callEnded").length]).toEqual([null, 1, 1]);
  }
  expect([...kinds.keys()].toSorted()).toEqual(["invalid_envelope", "not_json", "task_state_unknown"]);
});

import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export interface CarryOptions {
  /** How late a piece that comes now shall arrive, milliseconds. */
  readonly delayMs: () => number;
  /** Whether a piece that comes now is lost. */
  readonly isLost?: () => boolean;
}

/** Carries bytes one way, in order, no faster than they are taken. The end of the one is the end of the other. */
export function carry(from: Socket, to: Socket, { delayMs, isLost = () => false }: CarryOptions): void {
  let before = Promise.resolve();
  const inOrder = (act: () => void): void => {
    const late = delayMs();
    before = before.then(async () => {
      if (late > 0) await wait(late);
      return act();
    });
  };
  from.on("data", (bytes: Buffer) => {
    if (isLost()) return;
    inOrder(() => {
      if (!to.writable || to.write(bytes)) return;
      from.pause();
      to.once("drain", () => from.resume());
    });
  });
  from.on("end", () => inOrder(() => void to.end()));
}

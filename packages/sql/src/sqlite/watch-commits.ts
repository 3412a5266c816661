import type { DatabaseSync } from "node:sqlite";
import { checkChannel, createChannels } from "../query/channels.ts";
import type { Database } from "../query/database.ts";

const lookEveryMs = 20;

/**
 * Notifies the listeners of every channel when another connection has committed. SQLite has no notifications, but a counter of such
 * commits, which takes microseconds to read: https://www.sqlite.org/pragma.html#pragma_data_version
 */
export function watchCommits(file: DatabaseSync): Pick<Database<unknown>, "listen"> & { readonly close: () => void } {
  const channels = createChannels();
  const counter = file.prepare("pragma data_version");
  let timer: NodeJS.Timeout | undefined;
  let latest: unknown;

  /** Returns the counter. It is read later while this process is in a transaction or another one locks the file. */
  const read = (): unknown => {
    try {
      return file.isTransaction ? latest : counter.get()?.["data_version"];
    } catch {
      return latest;
    }
  };
  const look = (): void => {
    const now = read();
    if (now === latest) return;
    latest = now;
    channels.notifyAll();
  };
  const stopUnheard = (): void => {
    if (channels.names().length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  let closed = false;
  return {
    listen: async (channel, onMessage) => {
      checkChannel(channel);
      if (closed) throw new Error("the database is closed");
      const remove = channels.add(channel, onMessage);
      if (timer === undefined) {
        latest = read();
        timer = setInterval(look, lookEveryMs).unref();
      }
      return async () => {
        remove();
        stopUnheard();
      };
    },
    close: () => {
      closed = true;
      clearInterval(timer);
    },
  };
}

import type { HandleStore, KeptHandle } from "./handle-store.ts";

/** Keeps handles in this process: gone with it, as the tasks that they belong to. What has expired is let go of. */
export function createMemoryHandleStore({ now }: { readonly now: () => number }): HandleStore {
  const kept = new Map<string, KeptHandle & { reads: number }>();

  const live = (digest: string): (KeptHandle & { reads: number }) | undefined => {
    const handle = kept.get(digest);
    return handle !== undefined && handle.expires_at > now() ? handle : undefined;
  };

  return {
    keep: async (handle) => {
      for (const { digest, expires_at } of kept.values()) if (expires_at <= now()) kept.delete(digest);
      kept.set(handle.digest, { ...handle, reads: 0 });
    },
    find: async (digest) => live(digest)?.grant,
    countRead: async (digest, most) => {
      const handle = live(digest);
      if (handle === undefined || handle.reads >= most) return false;
      handle.reads += 1;
      return true;
    },
    forget: async (requestId) => {
      for (const { digest, grant } of kept.values()) if (grant.request_id === requestId) kept.delete(digest);
    },
  };
}

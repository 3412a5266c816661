import { statfsSync } from "node:fs";

/** Linux's magic numbers. https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkTypes: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x00c36400: "Ceph",
  0x5346414f: "AFS",
};

/** Returns the type of a folder's network file system; undefined for a local folder. */
export function networkOf(
  folder: string,
  typeOf: (folder: string) => number = (at) => statfsSync(at).type,
): string | undefined {
  return networkTypes[typeOf(folder) >>> 0];
}

/**
 * Throws for a folder on a network file system: processes that share SQLite's log must share memory, or they lose each other's writes.
 * https://www.sqlite.org/wal.html
 */
export function refuseNetworkFolder(folder: string, typeOf?: (folder: string) => number): void {
  const network = networkOf(folder, typeOf);
  if (network !== undefined) throw new Error(`its folder is on a network (${network})`);
}

import { statfsSync } from "node:fs";

/** What Linux calls them. https://man7.org/linux/man-pages/man2/statfs.2.html */
const networkTypes: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x00c36400: "Ceph",
  0x5346414f: "AFS",
};

/** The kind of network that a folder is on, if it is on another machine. */
export function networkOf(
  folder: string,
  typeOf: (folder: string) => number = (at) => statfsSync(at).type,
): string | undefined {
  return networkTypes[typeOf(folder) >>> 0];
}

/**
 * Throws when a folder is on another machine: processes that share SQLite's log have to share memory, and without it they lose each
 * other's writes. https://www.sqlite.org/wal.html
 */
export function refuseNetworkFolder(folder: string, typeOf?: (folder: string) => number): void {
  const network = networkOf(folder, typeOf);
  if (network !== undefined) throw new Error(`its folder is on a network (${network})`);
}

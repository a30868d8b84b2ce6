import { statfsSync } from "node:fs";

/** Linux's numbers for file systems that another machine, or a program in between, answers for. */
const NETWORK_TYPES = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  // sshfs and every other FUSE file system share this number, so all of them count as network.
  [0x65735546, "FUSE"],
  [0x01021997, "9P"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
]);

/** Answers with the type number of the file system that a path lies on. */
export type DiskType = (path: string) => number;

/** The name of the network file system that a path lies on, or null where locks and shared memory can be relied on. */
export function networkDisk(path: string, diskType: DiskType = (at) => statfsSync(at).type): string | null {
  return NETWORK_TYPES.get(diskType(path) >>> 0) ?? null;
}

import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Installer } from "../../../src/sandbox/environment/install-packages.ts";

const record = (name: string, status: string): string =>
  `Package: ${name}\nStatus: ${status}\nArchitecture: amd64\nVersion: 1.0-1\nDescription: a test\n more of it\n`;

/** Installs one static program in place of packages: what follows is the same as for the real ones. */
export const installBusybox: Installer = async ({ root, onStep }) => {
  onStep?.("copying a program");
  const folders = ["usr/bin", "etc/apt/sources.list.d", "var/lib/dpkg", "var/log", "dev", "tmp"];
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  copyFileSync("/usr/bin/busybox", join(root, "usr/bin/busybox"));
  for (const name of ["sh", "env", "true", "id", "cat", "ls"]) {
    symlinkSync("busybox", join(root, "usr/bin", name));
  }
  symlinkSync("usr/bin", join(root, "bin"));
  writeFileSync(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\n");
  // What every build leaves behind, different each time.
  writeFileSync(join(root, "etc/machine-id"), String(Math.random()));
  writeFileSync(join(root, "var/log/install.log"), new Date().toISOString());
  writeFileSync(join(root, "etc/apt/sources.list.d/own.list"), "deb https://user:secret@mirror/ x");
  writeFileSync(join(root, "usr/bin/su"), "#!/bin/sh\n", { mode: 0o755 });
  const records = [
    record("zlib1g", "install ok installed"),
    record("busybox-static", "install ok installed"),
    record("gone", "deinstall ok config-files"),
  ];
  writeFileSync(join(root, "var/lib/dpkg/status"), records.join("\n"));
};

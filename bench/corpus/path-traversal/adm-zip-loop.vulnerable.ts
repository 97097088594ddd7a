import AdmZip from 'adm-zip';
import * as fs from 'fs';
import * as path from 'path';

export function unpack(file: string, out: string): string[] {
  const zip = new AdmZip(file);
  const written: string[] = [];
  for (const entry of zip.getEntries()) {
    if (entry.isDirectory) continue;
    const target = path.join(out, entry.entryName);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, entry.getData()); // sink: path-traversal
    written.push(target);
  }
  return written;
}

import { promisify } from 'node:util';
import cp from 'node:child_process';

const run = promisify(cp.execFile);

async function probe(file) {
  const { stdout } = await run('ffprobe', ['-v', 'quiet', '-print_format', 'json', file]);
  return JSON.parse(stdout);
}

export async function duration(file) {
  const info = await probe(file);
  return Number(info.format.duration);
}

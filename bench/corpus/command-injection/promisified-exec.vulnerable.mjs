import { promisify } from 'node:util';
import cp from 'node:child_process';

const run = promisify(cp.exec);

async function probe(file) {
  const { stdout } = await run(`ffprobe -v quiet -print_format json "${file}"`); // sink: command-injection
  return JSON.parse(stdout);
}

export async function duration(file) {
  const info = await probe(file);
  return Number(info.format.duration);
}

import { execFileSync } from 'node:child_process';
import * as path from 'node:path';

export class Resizer {
  private readonly binary: string;

  constructor(binary = 'convert') {
    this.binary = binary;
  }

  resize(input: string, width: number, output?: string): string {
    const target = output ?? `${path.parse(input).name}-${width}.png`;
    const args = [input, '-resize', `${width}x`, target];
    execFileSync(this.binary, args);
    return target;
  }
}

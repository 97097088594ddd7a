export interface StoreOptions {
  separator?: string;
}

export class ConfigStore {
  private data: Record<string, any> = {};
  private readonly separator: string;

  constructor(options: StoreOptions = {}) {
    this.separator = options.separator ?? '.';
  }

  set(key: string, value: unknown): this {
    const parts = key.split(this.separator);
    const last = parts.pop() as string;
    let cursor: any = this.data;
    for (const part of parts) {
      if (typeof cursor[part] !== 'object') cursor[part] = {};
      cursor = cursor[part];
    }
    cursor[last] = value; // sink: prototype-pollution
    return this;
  }

  all(): Record<string, any> {
    return this.data;
  }
}

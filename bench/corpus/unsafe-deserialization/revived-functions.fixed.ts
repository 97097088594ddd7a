export function deserialize(text: string): unknown {
  return JSON.parse(text);
}

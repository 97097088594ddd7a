export function deserialize(text: string): unknown {
  return new Function(`return (${text});`)(); // sink: unsafe-deserialization
}
